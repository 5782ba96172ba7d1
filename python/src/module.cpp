// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bind_growing.hpp"
#include "bindings.hpp"

#include "opencv2/multimatch/version.hpp"

namespace {

namespace py = pybind11;

// cv2.error with its code and message.
//! Converts a message that may contain invalid UTF-8 from files and names.
py::object textOf(const std::string& text)
{
    return py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
        text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

void raiseCvError(const cv::Exception& e)
{
    const py::object type = py::module_::import("cv2").attr("error");
    const py::object error = type(textOf(e.what()));
    error.attr("code") = e.code;
    error.attr("err") = textOf(e.err);
    error.attr("msg") = textOf(e.msg);
    error.attr("func") = textOf(e.func);
    PyErr_SetObject(type.ptr(), error.ptr());
}

} // namespace

PYBIND11_MODULE(_native, module)
{
    py::register_exception_translator([](std::exception_ptr error) {
        try
        {
            if (error)
                std::rethrow_exception(std::move(error));
        }
        catch (const cv::Exception& e)
        {
            raiseCvError(e);
        }
    });

    module.attr("__version__") = CV_MULTIMATCH_VERSION;
    multimatch_python::bindTracks(module);
    multimatch_python::bindMatchers(module);
    multimatch_python::bindHiPPI(module);
    multimatch_python::bindPeers(module);
    multimatch_python::bindEvaluation(module);
    multimatch_python::bindDrawing(module);
#ifndef MULTIMATCH_NO_IO
    multimatch_python::bindFiles(module);
#endif
    multimatch_python::bindGeometry(module);
    multimatch_python::bindAnyMatches(module);
    multimatch_python::bindGrowing(module);
#ifdef MULTIMATCH_HAVE_SHAPES
    multimatch_python::bindShapes(module);
#endif
}

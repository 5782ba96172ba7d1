// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_PYTHON_CONVERSION_HPP
#define MULTIMATCH_PYTHON_CONVERSION_HPP

// Python.h must be included first.
#include <pybind11/pybind11.h>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "opencv2/core.hpp"

#include <cstring>
#include <vector>

namespace multimatch_python {

namespace py = pybind11;

//! None becomes an empty matrix. Raises TypeError if a dtype or a number of dimensions is not
//! supported by cv::Mat.
cv::Mat toMat(py::handle object);
py::array fromMat(const cv::Mat& mat);

cv::KeyPoint toKeyPoint(py::handle object);
py::object fromKeyPoint(const cv::KeyPoint& keypoint);
cv::DMatch toDMatch(py::handle object);
py::object fromDMatch(const cv::DMatch& match);

//! One-dimensional array, as cv2 returns vectors of numbers.
template<typename T>
py::array_t<T> toArray(const std::vector<T>& values)
{
    return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

//! Tuple, as cv2 returns vectors of objects.
template<typename T>
py::tuple toTuple(const std::vector<T>& values)
{
    py::tuple result(values.size());
    for (size_t i = 0; i < values.size(); ++i)
        result[i] = py::cast(values[i]);
    return result;
}

} // namespace multimatch_python

namespace pybind11 { namespace detail {

// Objects with a type in cv2 are converted by value.
template<>
struct type_caster<cv::Mat>
{
    PYBIND11_TYPE_CASTER(cv::Mat, const_name("numpy.ndarray"));

    bool load(handle source, bool)
    {
        value = multimatch_python::toMat(source);
        return true;
    }
    static handle cast(const cv::Mat& mat, return_value_policy, handle)
    {
        return multimatch_python::fromMat(mat).release();
    }
};

template<>
struct type_caster<cv::KeyPoint>
{
    PYBIND11_TYPE_CASTER(cv::KeyPoint, const_name("cv2.KeyPoint"));

    bool load(handle source, bool)
    {
        if (!hasattr(source, "pt"))
            return false;
        value = multimatch_python::toKeyPoint(source);
        return true;
    }
    static handle cast(const cv::KeyPoint& keypoint, return_value_policy, handle)
    {
        return multimatch_python::fromKeyPoint(keypoint).release();
    }
};

template<>
struct type_caster<cv::DMatch>
{
    PYBIND11_TYPE_CASTER(cv::DMatch, const_name("cv2.DMatch"));

    bool load(handle source, bool)
    {
        if (!hasattr(source, "queryIdx"))
            return false;
        value = multimatch_python::toDMatch(source);
        return true;
    }
    static handle cast(const cv::DMatch& match, return_value_policy, handle)
    {
        return multimatch_python::fromDMatch(match).release();
    }
};

}} // namespace pybind11::detail

#endif

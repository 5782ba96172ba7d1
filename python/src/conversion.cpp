// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "conversion.hpp"

namespace multimatch_python {

namespace {

struct ElementType
{
    py::ssize_t size;
    int depth;
    char kind;
};

const ElementType ELEMENT_TYPES[] = {{1, CV_8U, 'u'},  {1, CV_8S, 'i'},  {2, CV_16U, 'u'},
                                     {2, CV_16S, 'i'}, {4, CV_32S, 'i'}, {4, CV_32F, 'f'},
                                     {8, CV_64F, 'f'}};

int depthOf(const py::dtype& type)
{
    for (const ElementType& known : ELEMENT_TYPES)
        if (known.kind == type.kind() && known.size == type.itemsize())
            return known.depth;
    const std::string name = py::str(static_cast<const py::object&>(type));
    throw py::type_error(
        "an array of " + name +
        " cannot be converted to cv::Mat; expected uint8, int32, float32 or float64");
}

py::dtype dtypeOf(int depth)
{
    for (const ElementType& known : ELEMENT_TYPES)
        if (known.depth == depth)
            return py::dtype(std::string(1, known.kind) + std::to_string(known.size));
    throw py::type_error("no array type for the depth " + std::to_string(depth));
}

// Types of cv2 are looked up once and never released.
py::handle dmatchType()
{
    static const py::handle type = py::object(py::module_::import("cv2").attr("DMatch")).release();
    return type;
}

} // namespace

cv::Mat toMat(py::handle object)
{
    if (object.is_none())
        return cv::Mat();
    py::array array = py::array::ensure(object, py::array::c_style);
    if (!array)
        throw py::error_already_set();
    // The default integers of NumPy have 64 bits, which cv::Mat does not support.
    if (array.dtype().kind() == 'i' && array.itemsize() == 8)
        array = py::array_t<int, py::array::c_style | py::array::forcecast>::ensure(array);
    else if (array.dtype().kind() == 'b')
        array = py::array_t<uchar, py::array::c_style | py::array::forcecast>::ensure(array);
    const int depth = depthOf(array.dtype());
    if (array.ndim() < 1 || array.ndim() > 3)
        throw py::type_error("an array of " + std::to_string(array.ndim()) +
                             " dimensions cannot be converted to cv::Mat; expected 1 to 3");
    const int rows = static_cast<int>(array.shape(0));
    const int cols = array.ndim() > 1 ? static_cast<int>(array.shape(1)) : 1;
    const int channels = array.ndim() > 2 ? static_cast<int>(array.shape(2)) : 1;
    if (channels < 1 || channels > CV_CN_MAX)
        throw py::type_error("an array of " + std::to_string(channels) +
                             " channels cannot be converted to cv::Mat");
    cv::Mat mat(rows, cols, CV_MAKETYPE(depth, channels));
    if (array.nbytes() > 0)
        std::memcpy(mat.data, array.data(), static_cast<size_t>(array.nbytes()));
    return mat;
}

py::array fromMat(const cv::Mat& mat)
{
    std::vector<py::ssize_t> shape;
    shape.push_back(mat.rows);
    shape.push_back(mat.cols);
    if (mat.channels() > 1)
        shape.push_back(mat.channels());
    py::array array(dtypeOf(mat.depth()), shape);
    if (!mat.empty())
    {
        const cv::Mat dense = mat.isContinuous() ? mat : mat.clone();
        std::memcpy(array.mutable_data(), dense.data, dense.total() * dense.elemSize());
    }
    return array;
}

cv::KeyPoint toKeyPoint(py::handle object)
{
    const std::pair<float, float> pt = object.attr("pt").cast<std::pair<float, float>>();
    return cv::KeyPoint(pt.first, pt.second, object.attr("size").cast<float>(),
                        object.attr("angle").cast<float>(), object.attr("response").cast<float>(),
                        object.attr("octave").cast<int>(), object.attr("class_id").cast<int>());
}

py::object fromKeyPoint(const cv::KeyPoint& keypoint)
{
    return py::module_::import("cv2").attr("KeyPoint")(keypoint.pt.x, keypoint.pt.y, keypoint.size,
                                                       keypoint.angle, keypoint.response,
                                                       keypoint.octave, keypoint.class_id);
}

cv::DMatch toDMatch(py::handle object)
{
    return cv::DMatch(object.attr("queryIdx").cast<int>(), object.attr("trainIdx").cast<int>(),
                      object.attr("imgIdx").cast<int>(), object.attr("distance").cast<float>());
}

py::object fromDMatch(const cv::DMatch& match)
{
    return dmatchType()(match.queryIdx, match.trainIdx, match.imgIdx, match.distance);
}

} // namespace multimatch_python

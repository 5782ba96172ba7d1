// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SRC_MESH_TEXT_HPP
#define OPENCV_MULTIMATCH_SHAPES_SRC_MESH_TEXT_HPP

#include "opencv2/multimatch_shapes/mesh.hpp"

#include "../../multimatch/src/io/text_file.hpp"

namespace cv { namespace multimatch { namespace shapes {

//! Polygons as triangles that share the first vertex.
inline void addPolygon(const std::vector<int>& corners, Mesh& mesh)
{
    for (size_t c = 2; c < corners.size(); ++c)
        mesh.faces.push_back(Vec3i(corners[0], corners[c - 1], corners[c]));
}

//! The words of a text file one after the other, whatever the lines are.
class Words
{
public:
    explicit Words(TextReader& in) : in_(in), next_(0) {}

    //! What is missing where the file ends: for the message.
    const std::string& next(const char* missing)
    {
        while (next_ >= words_.size())
        {
            if (!in_.fields(words_))
                in_.fail(format("the file ends before its %s", missing));
            next_ = 0;
            for (size_t w = 0; w < words_.size(); ++w)
                if (words_[w][0] == '#')
                    words_.resize(w);
        }
        return words_[next_++];
    }
    //! The rest of the present line does not count.
    void skipLine() { next_ = words_.size(); }

private:
    TextReader& in_;
    std::vector<std::string> words_;
    size_t next_;
};

Mesh readPly(const String& filename);

}}} // namespace cv::multimatch::shapes

#endif

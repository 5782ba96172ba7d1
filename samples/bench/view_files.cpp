// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "view_files.hpp"

#include "files.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#include <cstdint>
#include <fstream>

namespace bench {

using namespace cv;

namespace {

const size_t HEADER_ALIGNMENT = 64;

//! Version 1.0 of the format: magic number, length of the description, description.
std::string headerOf(size_t rows, int width)
{
    std::string text = format("{'descr': [('x', '<f4'), ('y', '<f4'), ('size', '<f4'), "
                              "('angle', '<f4'), ('label', '<i4'), ('descriptor', '|u1', (%d,))], "
                              "'fortran_order': False, 'shape': (%zu,), }",
                              width, rows);
    const std::string magic("\x93NUMPY\x01\x00", 8);
    while ((magic.size() + 2 + text.size() + 1) % HEADER_ALIGNMENT != 0)
        text += ' ';
    text += '\n';
    const char length[] = {char(text.size() & 255), char(text.size() >> 8)};
    return magic + std::string(length, 2) + text;
}

void append(std::string& bytes, uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        bytes += char((value >> shift) & 255);
}

void append(std::string& bytes, float value)
{
    Cv32suf bits;
    bits.f = value;
    append(bytes, uint32_t(bits.u));
}

} // namespace

void writeViewFiles(const std::string& folder, const Problem& problem)
{
    utils::fs::createDirectories(folder);
    for (size_t v = 0; v < problem.keypoints.size(); ++v)
    {
        const Mat& descriptors = problem.descriptors[v];
        CV_Assert(descriptors.type() == CV_8U);
        std::string bytes = headerOf(problem.keypoints[v].size(), descriptors.cols);
        for (size_t p = 0; p < problem.keypoints[v].size(); ++p)
        {
            const KeyPoint& key = problem.keypoints[v][p];
            append(bytes, key.pt.x);
            append(bytes, key.pt.y);
            append(bytes, key.size);
            append(bytes, key.angle);
            append(bytes, uint32_t(problem.labels[v][p]));
            bytes.append(descriptors.ptr<char>(int(p)), size_t(descriptors.cols));
        }
        ::samples::NewFile file(format("%s/view_%05d.npy", folder.c_str(), int(v)));
        std::ofstream(file.temporaryName(), std::ios::binary) << bytes;
        file.commit();
    }
}

} // namespace bench

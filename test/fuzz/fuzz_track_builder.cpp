// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// States of TrackBuilder: the first byte chooses the format, the others are the file. What was read
// is checked, and written and read again.

#include "fuzz.hpp"

#include "opencv2/multimatch/track_builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    using cv::multimatch::TrackBuilder;
    fuzz::Bytes bytes(data, size);
    const char* const names[] = {"b.yml", "b.json", "b.xml"};
    const std::string file = names[bytes.byte() % 3];
    const std::string path = fuzz::write(file, bytes.rest());
    cv::Ptr<TrackBuilder> builder;
    try
    {
        builder = TrackBuilder::load(path);
    }
    catch (const cv::Exception&)
    {
        return 0;
    }
    // A state that was accepted is consistent, and every call on it is legal.
    fuzz::requireConsistent(builder->tracks());
    const std::string again = fuzz::folder() + "/again.yml";
    builder->save(again);
    const cv::Ptr<TrackBuilder> copy = TrackBuilder::load(again);
    fuzz::require(copy->viewCount() == builder->viewCount(), "the same views in a copy");
    for (int v = 0; v < builder->viewCount(); ++v)
        fuzz::require(copy->ids(v) == builder->ids(v), "the same ids in a copy");
    return 0;
}

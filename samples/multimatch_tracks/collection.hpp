// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_COLLECTION_HPP
#define MULTIMATCH_TRACKS_COLLECTION_HPP

#include "matching.hpp"

#include "opencv2/multimatch/track_builder.hpp"

#include <string>
#include <vector>

/** @brief A collection that grows: the images of all runs with --add-to of one file.

Its state, tracks.state.yml.gz for tracks.yml.gz, holds all; the other files are made from it. */
class Collection
{
public:
    /** @param tracks name of the file of --add-to
    Reads the state if there is one. Throws samples::ArgumentError where there are tracks without
    state. */
    explicit Collection(const std::string& tracks);

    bool empty() const { return infos_.empty(); }

    //! Removes the images that it has already, by name; returns how many these were.
    int removeKnown(std::vector<std::string>& images) const;

    /** @brief Adds the views, and compares them with those before.
    @return the tracks of all views; cancelled where the callback returned false: then nothing was
    added */
    Matched add(const Options& options, const Views& views,
                const cv::multimatch::ProgressCallback& progress);

    //! All views, for the outputs. Only the new ones have thumbnails.
    Views views(const Views& added) const;

    //! The state, then the tracks.
    void write(const cv::multimatch::Tracks& tracks) const;

private:
    std::string tracksFile_, stateFile_;
    std::vector<cv::multimatch::ViewInfo> infos_;
    cv::Ptr<cv::multimatch::TrackBuilder> builder_; //!< NULL: no view yet
};

#endif

// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_WORDS_HPP
#define MULTIMATCH_SAMPLES_WORDS_HPP

#include <string>
#include <vector>

namespace samples {

//! The candidate with the smallest edit distance to the word; empty if none is close.
std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates);

//! Parts of a text between separators; empty parts are omitted.
std::vector<std::string> split(const std::string& text, char separator);

//! The words with a separator between them.
std::string join(const std::vector<std::string>& words, const std::string& separator);

} // namespace samples

#endif

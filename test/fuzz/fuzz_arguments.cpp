// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// The command line of multimatch_tracks; the byte 0xff ends an argument.

#include "fuzz.hpp"

#include "arguments.hpp"
#include "options.hpp"

#include <algorithm>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::Bytes bytes(data, size);
    static const bool inside = chdir(fuzz::folder().c_str()) == 0;
    fuzz::require(inside, "a folder to work in");
    static const std::string picture = fuzz::write("a.png", "");
    std::vector<std::string> words(1, "multimatch_tracks");
    while (!bytes.empty() && words.size() < 20)
    {
        std::string word = bytes.text();
        // The program makes the folders of its outputs, and here it must not do so anywhere else.
        std::replace(word.begin(), word.end(), '/', '_');
        word = word.substr(0, word.find('\0'));
        words.push_back(word.substr(0, 200));
    }
    std::vector<const char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    try
    {
        parseOptions(static_cast<int>(arguments.size()), arguments.data());
    }
    catch (const samples::ArgumentError&)
    {
    }
    catch (const std::invalid_argument&)
    {
    }
    return 0;
}

// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "method.hpp"

#include <climits>
#include <sstream>

using namespace cv::multimatch;

namespace
{

// A parameter and the methods that have it.
struct Parameter
{
    const char* option;
    const char* methods; //!< separated by spaces
};

const Parameter PARAMETERS[] = {
    {"universe", "hippi hippi-literal"}, {"neighbours", "hippi hippi-literal"},
    {"beta", "hippi hippi-literal"},     {"mu", "hippi hippi-literal"},
    {"exact", "hippi hippi-literal"},    {"seed", "hippi hippi-literal"},
};

const char* const METHODS[] = {"hippi", "hippi-literal"};

std::vector<std::string> methodNames()
{
    return std::vector<std::string>(std::begin(METHODS), std::end(METHODS));
}

std::string text(double value)
{
    std::ostringstream out;
    out << value;
    return out.str();
}

// A parameter without effect is a misunderstanding, so the user hears of it.
void rejectForeignParameters(const samples::Arguments& arguments, const std::string& method)
{
    for (size_t i = 0; i < sizeof(PARAMETERS) / sizeof(PARAMETERS[0]); ++i)
    {
        if (!arguments.given(PARAMETERS[i].option))
            continue;
        const std::vector<std::string> owners = samples::split(PARAMETERS[i].methods, ' ');
        if (std::find(owners.begin(), owners.end(), method) == owners.end())
            throw samples::ArgumentError(std::string("--") + PARAMETERS[i].option +
                                         " has no effect with --method=" + method +
                                         "; it belongs to " + samples::join(owners, ", "));
    }
}

cv::Ptr<MultiMatcher> createHiPPI(const samples::Arguments& arguments, bool literal)
{
    HiPPIParams params;
    params.mode = literal ? HIPPI_LITERAL : HIPPI_PARTIAL;
    params.universeSize = arguments.getInt("universe", 0, INT_MAX);
    params.neighbours = arguments.getInt("neighbours", 1, INT_MAX);
    params.beta = static_cast<float>(arguments.getDouble("beta", 1e-6, 1e6));
    params.mu = static_cast<float>(arguments.getDouble("mu", 1e-6, 1e6));
    params.exact = arguments.getFlag("exact");
    params.seed = arguments.getInt("seed", 0, INT_MAX);
    params.minLength = arguments.getInt("min-length", 1, INT_MAX);
    params.minConfidence = static_cast<float>(arguments.getDouble("min-confidence", 0, 1));
    return HiPPI::create(params);
}

} // namespace

void declareMethodOptions(samples::Arguments& arguments)
{
    const HiPPIParams hippi;
    arguments.option("method", "NAME", "hippi",
                     "one of " + samples::join(methodNames(), ", ") +
                         "; hippi lets points stay unmatched, hippi-literal assigns every point");
    arguments.option("universe", "N", text(hippi.universeSize),
                     "HiPPI: most tracks there can be, 0: estimated");
    arguments.option("neighbours", "N", text(hippi.neighbours),
                     "HiPPI: nearest neighbours of a point in each other image");
    arguments.option("mu", "X", text(hippi.mu), "HiPPI: scale of the neighbourhoods, > 0");
    arguments.option("beta", "X", text(hippi.beta),
                     "HiPPI: weight of other images against the point itself, > 0");
    arguments.flag("exact", hippi.exact,
                   "HiPPI: exact products; slower, the objective provably never decreases");
    arguments.option("seed", "N", text(hippi.seed), "of everything random");
    arguments.option("min-confidence", "X", text(hippi.minConfidence),
                     "points less sure of their track than this are left out, 0 to 1");
}

cv::Ptr<MultiMatcher> createMatcher(const samples::Arguments& arguments)
{
    const std::string method = arguments.get("method");
    const std::vector<std::string> names = methodNames();
    if (std::find(names.begin(), names.end(), method) == names.end())
    {
        const std::string nearest = samples::nearestWord(method, names);
        throw samples::ArgumentError("unknown method " + method +
                                     (nearest.empty() ? "" : "; did you mean " + nearest + "?") +
                                     " Known are " + samples::join(names, ", ") + ".");
    }
    rejectForeignParameters(arguments, method);
    return createHiPPI(arguments, method == "hippi-literal");
}

// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "confidence_rows.hpp"

#include "methods.hpp"

#include "opencv2/core.hpp"

namespace bench {

using cv::format;

void addCurve(Results& results, const std::string& family, const std::string& set,
              const Curve& curve)
{
    for (const CurvePoint& point : curve)
    {
        if (point.matches <= 0)
            continue;
        const std::string threshold = format("%.5g", point.threshold);
        results.add(family, set, OURS, "curve-correct-pairs-" + threshold, point.correct);
        results.add(family, set, OURS, "curve-precision-" + threshold, point.precision());
    }
}

void addReliability(Results& results, const Reliability& reliability)
{
    for (const auto& family : reliability.bins())
        for (size_t b = 0; b < family.second.size(); ++b)
        {
            const Reliability::Bin& bin = family.second[b];
            if (bin.count <= 0)
                continue;
            const std::string low = format("%.1f", double(b) / Reliability::BINS);
            const auto add = [&](const std::string& metric, double value) {
                results.add(family.first, family.first, OURS, metric + low, value);
            };
            add("reliability-count-", bin.count);
            add("reliability-confidence-", bin.confidence / bin.count);
            add("reliability-correct-", bin.right / bin.count);
        }
}

} // namespace bench

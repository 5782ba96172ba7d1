// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_precomp.hpp"

#if defined(__OPENCV_BUILD)
CV_TEST_MAIN("cv")
#else

#if defined(__SANITIZE_THREAD__)
#include "opencv2/core/parallel/parallel_backend.hpp"

#include <thread>

// ThreadSanitizer cannot see the synchronization inside an OpenCV that was built without it.
// Threads that are started and joined here are instrumented, so that only races of this module are
// reported.
class PlainThreads : public cv::parallel::ParallelForAPI
{
public:
    PlainThreads() : threads_(2) {}

    void parallel_for(int tasks, FN_parallel_for_body_cb_t body, void* data) CV_OVERRIDE
    {
        const int count = std::min(threads_, tasks);
        std::vector<std::thread> running;
        for (int t = 0; t < count; ++t)
            running.push_back(std::thread([=]() {
                number() = t;
                body(static_cast<int>(static_cast<int64>(tasks) * t / count),
                     static_cast<int>(static_cast<int64>(tasks) * (t + 1) / count), data);
            }));
        for (size_t t = 0; t < running.size(); ++t)
            running[t].join();
    }
    int getThreadNum() const CV_OVERRIDE { return number(); }
    int getNumThreads() const CV_OVERRIDE { return threads_; }
    int setNumThreads(int count) CV_OVERRIDE
    {
        const int before = threads_;
        threads_ = std::max(1, count);
        return before;
    }
    const char* getName() const CV_OVERRIDE { return "plain threads"; }

private:
    static int& number()
    {
        static thread_local int n = 0;
        return n;
    }

    int threads_;
};
#endif

int main(int argc, char** argv)
{
#if defined(__SANITIZE_THREAD__)
    cv::parallel::setParallelForBackend(std::make_shared<PlainThreads>(), false);
#endif
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
#endif

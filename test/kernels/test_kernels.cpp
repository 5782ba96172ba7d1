// Compares the kernels of the descriptor search with sums over all coordinates. Needs neither
// OpenCV nor a test framework, so that it can be compiled for other processors; see
// scripts/test_arm_kernels.sh. Arguments: names of the kernels that the processor has. Exit code 1
// where one fails, or where the detection of dot products disagrees.

#include "../../modules/multimatch/src/search/descriptor_kernels.hpp"
#include "../../modules/multimatch/src/search/neon_dot_product.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace cv { namespace multimatch {
namespace kernels_first {
DescriptorKernels getDescriptorKernels();
}
namespace kernels_second {
DescriptorKernels getDescriptorKernels();
}
}} // namespace cv::multimatch

using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<int>> Members; //!< of each its constant, then its words

std::vector<int32_t> packed(const Members& members)
{
    std::vector<int32_t> words;
    for (size_t w = 0; w < members[0].size(); ++w)
        for (const std::vector<int>& member : members)
            words.push_back(member[w]);
    return words;
}

int asWord(float number)
{
    int word;
    std::memcpy(&word, &number, sizeof(word));
    return word;
}

float asFloat(int word)
{
    float number;
    std::memcpy(&number, &word, sizeof(number));
    return number;
}

//! Descriptors of one kind, and what a kernel should make of them.
class Kind
{
public:
    virtual ~Kind() {}
    virtual std::vector<int> words(std::mt19937& random, int count, bool asRow) const = 0;
    virtual bool equal(int score, const std::vector<int>& row,
                       const std::vector<int>& column) const = 0;
};

class Floats : public Kind
{
public:
    std::vector<int> words(std::mt19937& random, int count, bool) const override
    {
        std::normal_distribution<float> normal;
        std::vector<int> result(1);
        float norm = 0;
        for (int c = 0; c < count; ++c)
        {
            const float x = normal(random);
            norm += x * x;
            result.push_back(asWord(x));
        }
        result[0] = asWord(norm);
        return result;
    }
    bool equal(int score, const std::vector<int>& row,
               const std::vector<int>& column) const override
    {
        double squared = 0, norms = 0;
        for (size_t c = 1; c < row.size(); ++c)
        {
            const double x = asFloat(row[c]), y = asFloat(column[c]);
            squared += (x - y) * (x - y);
            norms += x * x + y * y;
        }
        return std::abs(asFloat(score) - squared) <= 1e-5 * norms && score >= 0;
    }
};

class Integers : public Kind
{
public:
    explicit Integers(const IntegerFormat& format) : format_(format) {}

    std::vector<int> words(std::mt19937& random, int count, bool asRow) const override
    {
        std::vector<int> result(static_cast<size_t>(count) + 1, 0);
        int norm = 0, sum = 0;
        for (int c = 0; c < count * format_.perWord; ++c)
        {
            const unsigned draw = static_cast<unsigned>(random() % 4);
            const int x = draw == 0 ? 0 : draw == 1 ? 255 : static_cast<int>(random() % 256);
            norm += x * x;
            sum += x;
            write(result, c, asRow ? x - format_.rowOffset : x);
        }
        result[0] = asRow ? norm : norm - 2 * format_.rowOffset * sum;
        return result;
    }
    bool equal(int score, const std::vector<int>& row,
               const std::vector<int>& column) const override
    {
        int squared = 0;
        for (int c = 0; c < static_cast<int>(row.size() - 1) * format_.perWord; ++c)
        {
            const int mask = format_.perWord == 4 ? 255 : 65535;
            const int x = (read(row, c) + format_.rowOffset) & mask, y = read(column, c) & mask;
            squared += (x - y) * (x - y);
        }
        return score == squared;
    }

private:
    int bits() const { return 32 / format_.perWord; }
    void write(std::vector<int>& words, int c, int x) const
    {
        const unsigned mask = (1u << bits()) - 1;
        unsigned word = static_cast<unsigned>(words[1 + c / format_.perWord]);
        word |= (static_cast<unsigned>(x) & mask) << bits() * (c % format_.perWord);
        words[1 + c / format_.perWord] = static_cast<int>(word);
    }
    int read(const std::vector<int>& words, int c) const
    {
        const unsigned word = static_cast<unsigned>(words[1 + c / format_.perWord]);
        return static_cast<int>(word >> bits() * (c % format_.perWord));
    }

    IntegerFormat format_;
};

class Bits : public Kind
{
public:
    std::vector<int> words(std::mt19937& random, int count, bool asRow) const override
    {
        std::vector<int> result(1, 0);
        const bool extreme = random() % 4 == 0;
        for (int c = 0; c < count; ++c)
            result.push_back(extreme ? (asRow ? -1 : 0) : static_cast<int>(random()));
        return result;
    }
    bool equal(int score, const std::vector<int>& row,
               const std::vector<int>& column) const override
    {
        int count = 0;
        for (size_t w = 1; w < row.size(); ++w)
            for (unsigned x = static_cast<unsigned>(row[w] ^ column[w]); x; x &= x - 1)
                ++count;
        return score == count;
    }
};

//! Number of wrong scores and wrong hits of one tile.
int faultsOf(const TileKernel& kernel, const Kind& kind, int words, std::mt19937& random)
{
    Members rows, columns;
    for (int r = 0; r < kernel.rows; ++r)
        rows.push_back(kind.words(random, words, true));
    for (int c = 0; c < kernel.columns; ++c)
        columns.push_back(kind.words(random, words, false));
    const std::vector<int32_t> a = packed(rows), b = packed(columns);
    const size_t size = static_cast<size_t>(kernel.rows * kernel.columns);
    std::vector<int32_t> scores(size), again(size), rowBounds(rows.size(), INT32_MIN),
        columnBounds(columns.size(), INT32_MIN);
    std::vector<uint64_t> hits(rows.size()), none(rows.size());
    Tile tile = {a.data(),      b.data(),   words, rowBounds.data(), columnBounds.data(),
                 scores.data(), none.data()};
    kernel.run(tile);
    int faults = 0;
    // Bounds among the scores, so that each of both is decisive somewhere; equal is not below.
    for (size_t r = 0; r < rows.size(); ++r)
    {
        faults += none[r] != 0;
        rowBounds[r] = scores[r * columns.size() + random() % columns.size()];
    }
    for (size_t c = 0; c < columns.size(); ++c)
        columnBounds[c] = scores[random() % rows.size() * columns.size() + c];
    tile.scores = again.data();
    tile.hits = hits.data();
    kernel.run(tile);
    faults += again != scores;
    for (size_t r = 0; r < rows.size(); ++r)
        for (size_t c = 0; c < columns.size(); ++c)
        {
            const int score = scores[r * columns.size() + c];
            faults += !kind.equal(score, rows[r], columns[c]);
            const bool hit = score < rowBounds[r] || score < columnBounds[c];
            faults += hit != ((hits[r] >> c & 1) != 0);
        }
    return faults;
}

int testAll(const DescriptorKernels& kernels)
{
    std::mt19937 random(1);
    const Floats floats;
    const Integers integers(kernels.format);
    const Bits bits;
    int failed = 0;
    for (int kind = 0; kind < 3; ++kind)
    {
        const TileKernel& kernel = kind == 0   ? kernels.floats
                                   : kind == 1 ? kernels.integers
                                               : kernels.bits;
        const Kind& expected = kind == 0   ? static_cast<const Kind&>(floats)
                               : kind == 1 ? static_cast<const Kind&>(integers)
                                           : bits;
        int faults = kernel.rows > MAX_TILE_ROWS || kernel.columns > MAX_TILE_COLUMNS;
        for (int words : {1, 2, 7, 8, 31, 32, 33, 128})
            for (int repeat = 0; repeat < 10 && faults == 0; ++repeat)
                faults += faultsOf(kernel, expected, words, random);
        const char* names[] = {"floats", "integers", "bits"};
        std::printf("%s %s: %s\n", kernels.name, names[kind], faults ? "FAILED" : "passed");
        failed += faults > 0;
    }
    return failed;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    int passed = 0, failed = 0;
    for (const std::string& name : wanted)
    {
        const DescriptorKernels both[] = {kernels_first::getDescriptorKernels(),
                                          kernels_second::getDescriptorKernels()};
        bool found = false;
        for (const DescriptorKernels& kernels : both)
            if (name == kernels.name && !found)
            {
                const int wrong = testAll(kernels);
                failed += wrong;
                passed += 3 - wrong;
                found = true;
            }
        if (!found)
        {
            std::printf("there are no kernels %s\n", name.c_str());
            ++failed;
        }
    }
    const bool dotProducts =
        std::find(wanted.begin(), wanted.end(), "NEON_DOTPROD") != wanted.end();
    if (processorHasNeonDotProduct() != dotProducts)
    {
        std::printf("the detection of dot products FAILED\n");
        ++failed;
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}

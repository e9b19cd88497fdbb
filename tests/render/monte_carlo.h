#pragma once
// Means of independent samples with their own standard error, and the test against an expected value.

#include <tbb/parallel_for.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace firn::test {

struct Estimate {
    double mean = 0;
    double error = 0;  // standard error of the mean
    /// Deviation from a value, or from another independent estimate, in standard errors.
    double sigmas(double expected) const { return std::abs(mean - expected) / error; }
    double sigmas(const Estimate& other) const { return std::abs(mean - other.mean) / std::hypot(error, other.error); }
};

/// Of sample(0) … sample(count - 1), which must be independent; the sum has a fixed order.
template <class Sample>
Estimate average(int count, Sample sample)
{
    constexpr int blockSize = 1024;
    struct Sums {
        double value = 0, square = 0;
    };
    std::vector<Sums> blocks((count + blockSize - 1) / blockSize);
    tbb::parallel_for(0, static_cast<int>(blocks.size()), [&](int b) {
        for (int i = b * blockSize; i < std::min(count, (b + 1) * blockSize); ++i) {
            const double value = sample(static_cast<std::uint32_t>(i));
            blocks[b].value += value;
            blocks[b].square += value * value;
        }
    });
    Sums total;
    for (const Sums& block : blocks) {
        total.value += block.value;
        total.square += block.square;
    }
    const double mean = total.value / count;
    return {mean, std::sqrt(std::max(0.0, total.square / count - mean * mean) / (count - 1))};
}

// Two-sided significance of the bounds on Estimate::sigmas for a normal deviate.
constexpr double oneIn370 = 3;    // 0.27 %
constexpr double oneIn15787 = 4;  // 0.0063 %, where one test makes many comparisons

}  // namespace firn::test

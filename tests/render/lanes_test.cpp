#include "render/lanes.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "render/sampler.h"

using namespace firn;

namespace {

/// A different pattern for each number: random, none, all, single lanes.
LaneBits pattern(int i)
{
    if (i == 0) return 0;
    if (i == 1) return allLanes;
    if (i < 2 + laneCount) return 1U << (i - 2);
    return static_cast<LaneBits>(mixBits(static_cast<std::uint64_t>(i))) & allLanes;
}

constexpr int patterns = 100;

}  // namespace

TEST_CASE("The logarithm of lanes is that of the library", "[lanes]")
{
    Sampler sampler(1, 0, 0);
    for (int i = 0; i < 20000; ++i) {
        const float u = i == 0 ? 0 : i == 1 ? 1 - 0x1p-24f : sampler.uniform();
        const float x = i % 2 ? 1 - u : std::ldexp(1 + u, i % 120 - 60);
        const double expected = std::log(static_cast<double>(x));
        REQUIRE(naturalLogarithm(floats(x))[i % laneCount] == Approx(expected).epsilon(3e-7).margin(1e-12));
    }
    CHECK(naturalLogarithm(floats(1))[0] == 0);
}

TEST_CASE("Sine and cosine of a turn are those of the library", "[lanes]")
{
    for (int i = 0; i <= 4096; ++i) {
        const float u = static_cast<float>(i) / 4096;
        const SineCosine found = sineCosineOfTurn(floats(u));
        REQUIRE(found.sine[0] == Approx(std::sin(2 * pi * static_cast<double>(u))).margin(3e-7));
        REQUIRE(found.cosine[0] == Approx(std::cos(2 * pi * static_cast<double>(u))).margin(3e-7));
    }
}

TEST_CASE("Lanes gather from a table and scatter to it, and leave the others alone", "[lanes]")
{
    std::vector<float> table(100);
    std::iota(table.begin(), table.end(), 1000.0f);
    for (int i = 0; i < patterns; ++i) {
        const LaneBits lanes = pattern(i);
        Ints index;
        for (int lane = 0; lane < laneCount; ++lane)  // outside the table where nothing may be read
            index[lane] = lanes >> lane & 1 ? (7 * lane + i) % 99 : 0x7ffffff0;
        const Ints mask = maskOf(lanes);
        REQUIRE(bitsOf(mask) == lanes);
        const Floats found = gather(table.data(), index, mask, floats(-1));
        const Neighbours pairs = gatherNeighbours(table.data(), index, mask);
        std::vector<float> copy(100, -2);
        scatter(copy.data(), index, lanes, found);
        int written = 0;
        for (int lane = 0; lane < laneCount; ++lane) {
            const bool isIn = (lanes >> lane & 1) != 0;
            const auto at = static_cast<std::size_t>(isIn ? index[lane] : 0);
            REQUIRE(found[lane] == (isIn ? table[at] : -1));
            REQUIRE(pairs.first[lane] == (isIn ? table[at] : 0));
            REQUIRE(pairs.second[lane] == (isIn ? table[at + 1] : 0));
            if (isIn) REQUIRE(copy[at] == table[at]);
        }
        for (const float value : copy) written += value != -2;
        REQUIRE(written == std::popcount(lanes));
    }
}

TEST_CASE("Free lanes take values from memory in their order", "[lanes]")
{
    std::vector<float> numbers(laneCount);
    std::vector<std::uint64_t> words(laneCount);
    std::iota(numbers.begin(), numbers.end(), 1.0f);
    std::iota(words.begin(), words.end(), std::uint64_t{1} << 40);
    for (int i = 0; i < patterns; ++i) {
        const LaneBits lanes = pattern(i);
        const Floats found = expand(numbers.data(), lanes, floats(-1));
        Words state;
        state.fill(words.data(), lanes);
        std::array<std::uint64_t, laneCount> stored;
        state.store(stored.data());
        std::size_t next = 0;
        for (int lane = 0; lane < laneCount; ++lane) {
            const bool isIn = (lanes >> lane & 1) != 0;
            REQUIRE(found[lane] == (isIn ? numbers[next] : -1));
            REQUIRE(stored[static_cast<std::size_t>(lane)] == (isIn ? words[next] : 0));
            next += isIn;
        }
    }
}

TEST_CASE("Random numbers in lanes are those of a sampler", "[lanes]")
{
    std::array<std::uint64_t, laneCount> starts;
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = mixBits(i);
    Words state = Words::load(starts.data());
    for (int draw = 0; draw < 10; ++draw) {
        const Uniforms found = nextUniforms(state);
        for (int lane = 0; lane < laneCount; ++lane) {
            const std::uint64_t word = mixBits(starts[static_cast<std::size_t>(lane)] += goldenStep);
            REQUIRE(found.first[lane] == toUnitInterval(static_cast<std::uint32_t>(word >> 32)));
            REQUIRE(found.second[lane] == toUnitInterval(static_cast<std::uint32_t>(word)));
        }
    }
}

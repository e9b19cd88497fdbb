#include "render/sampler.h"

#include <tbb/parallel_for.h>

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "common/io/threads.h"

using namespace firn;

TEST_CASE("Counter-based numbers are uniform and successive ones uncorrelated", "[sampler]")
{
    // Pairs in 32 x 32 cells: chi-square has 1023 degrees of freedom, mean 1023, deviation sqrt(2 * 1023) = 45; 3.5
    // deviations.
    constexpr int samples = 1 << 20;
    std::vector<int> counts(1024);
    Sampler sampler(42, 17, 3);
    for (int i = 0; i < samples; ++i) {
        const float x = sampler.uniform(), y = sampler.uniform();
        REQUIRE((x >= 0 && x < 1 && y >= 0 && y < 1));
        ++counts[static_cast<int>(x * 32) * 32 + static_cast<int>(y * 32)];
    }
    double chiSquare = 0;
    for (const int count : counts) chiSquare += (count - 1024.) * (count - 1024.) / 1024.;
    CHECK(std::abs(chiSquare - 1023) < 3.5 * 45);
}

TEST_CASE("Neighbouring pixels, samples and seeds give unrelated numbers", "[sampler]")
{
    std::set<float> seen;
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        for (std::uint32_t pixel = 0; pixel < 16; ++pixel) {
            for (std::uint32_t sample = 0; sample < 16; ++sample) seen.insert(Sampler(seed, pixel, sample).uniform());
        }
    }
    // 1024 draws among 2^24: 0.03 collisions are expected, three have probability 5e-6.
    CHECK(seen.size() >= 1022);
}

TEST_CASE("The first events are stratified over the samples of a pixel", "[sampler]")
{
    // An Owen-scrambled Sobol sequence in two dimensions is a (0,2)-sequence: of its first 64 points, each of the 64
    // cells of 8 x 8, 64 x 1, 1 x 64, 4 x 16 and 16 x 4 holds exactly one.
    using Event = Sampler::Event;
    for (const Event event : {Event::Pixel, Event::Lens, Event::FirstFlight, Event::FirstScatter, Event::FirstLight}) {
        for (const int columns : {1, 4, 8, 16, 64}) {
            std::set<int> cells;
            for (std::uint32_t sample = 0; sample < 64; ++sample) {
                const Vec2f u = Sampler(5, 123, sample).stratified(event);
                const int rows = 64 / columns;
                cells.insert(static_cast<int>(u.x() * static_cast<float>(columns)) * rows +
                             static_cast<int>(u.y() * static_cast<float>(rows)));
            }
            CHECK(cells.size() == 64);
        }
    }
}

TEST_CASE("Different events and pixels are not stratified alike", "[sampler]")
{
    using Event = Sampler::Event;
    int equal = 0;
    for (std::uint32_t sample = 0; sample < 64; ++sample) {
        const Vec2f a = Sampler(5, 1, sample).stratified(Event::Pixel);
        equal += a == Sampler(5, 2, sample).stratified(Event::Pixel);
        equal += a == Sampler(5, 1, sample).stratified(Event::Lens);
    }
    CHECK(equal == 0);
}

TEST_CASE("Numbers do not depend on which thread draws them", "[sampler]")
{
    const auto draw = [](int threads) {
        std::vector<float> result(4096);
        runWithThreads(threads, [&] {
            tbb::parallel_for(0, 4096, [&](int pixel) {
                Sampler sampler(1, static_cast<std::uint32_t>(pixel), 0);
                for (int i = 0; i < 5; ++i) result[pixel] += sampler.uniform();
            });
        });
        return result;
    };
    CHECK(draw(1) == draw(2));
}

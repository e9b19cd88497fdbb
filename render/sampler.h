#pragma once
// Random numbers of one path. Each is a hash of (seed, pixel, sample, counter), so images depend neither on the number
// of threads nor on the order of pixels. The first events of a path (pixel, lens, time, first flight, first scatter,
// first light) use points of an Owen-scrambled Sobol sequence over the samples of the pixel (Burley 2020, "Practical
// Hash-based Owen Scrambling"). All other events use a counter-based generator
// (Salmon et al. 2011; the mixer is SplitMix64, Steele et al. 2014).

#include <cstdint>

#include "common/math.h"
#include "common/mix_bits.h"

namespace firn {

/// The upper 24 bits of a word as a number in [0, 1).
inline float toUnitInterval(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

class Sampler {
public:
    /// The events that take points of the low-discrepancy sequence.
    enum class Event : std::uint32_t { Pixel, Lens, Time, FirstFlight, FirstScatter, FirstLight };

    Sampler(std::uint64_t seed, std::uint32_t pixel, std::uint32_t sample)
        : m_pixelKey(mixBits(mixBits(seed + goldenStep) + pixel)),
          m_state(mixBits(m_pixelKey + sample)),
          m_sample(sample)
    {
    }

    /// A point in [0,1)^2, stratified over the samples of this pixel. The same event always gives the same point.
    Vec2f stratified(Event event) const;

    /// The next number in [0, 1) of this path.
    float uniform() { return toUnitInterval(static_cast<std::uint32_t>(nextWord() >> 32)); }

    /// The next two numbers in [0, 1) of this path, from one word.
    Vec2f uniform2()
    {
        const std::uint64_t word = nextWord();
        return {toUnitInterval(static_cast<std::uint32_t>(word >> 32)),
                toUnitInterval(static_cast<std::uint32_t>(word))};
    }

    /// The next 64 random bits of this path.
    std::uint64_t nextWord() { return mixBits(m_state += goldenStep); }

private:
    std::uint64_t m_pixelKey;
    std::uint64_t m_state;
    std::uint32_t m_sample;
};

}  // namespace firn

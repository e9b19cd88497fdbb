#pragma once
// Animated PNG: a PNG whose further frames are in chunks that other readers skip (PNG Specification, third edition).
//   IHDR, acTL (frames, loops), then per frame fcTL (number, size, place, delay) and its pixels: IDAT of the first,
//   fdAT (number, IDAT's content) of the others; IEND.

#include <cstddef>
#include <vector>

#include "common/image/png.h"

namespace firn {

/// Joins PNG files of one size into a movie that repeats; each is shown for 1 / fps seconds. The pixels are those that
/// libpng wrote. Frames are added one by one, so memory holds compressed frames only.
class AnimatedPng {
public:
    /// `frames`: how many will be added, at least 1; `fps` from 0.01 to 650.
    AnimatedPng(int frames, double fps) : m_frames(frames), m_fps(fps) {}

    void add(const Rgb8Image& image);
    /// The whole file, after all frames have been added.
    std::vector<std::byte> finish();

private:
    void put(const char* type, const std::vector<std::byte>& content);
    void putControl(int width, int height);

    int m_frames;
    double m_fps;
    int m_added = 0;
    std::uint32_t m_number = 0;  // of fcTL and fdAT together
    std::vector<std::byte> m_bytes;
};

}  // namespace firn

#pragma once
// The samples of all pixels, summed up: means, standard errors of the means, and the layers of the EXR. The sums do not
// depend on the order of the samples, so films of parts of a picture add up to the film of the whole.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/image/image.h"
#include "common/image/pixel_window.h"
#include "render/film_layers.h"
#include "render/fixed_sum.h"
#include "render/light_groups.h"
#include "render/matte.h"

namespace firn {

struct PathResult;
struct SeenSurface;

/// Of all paths of a film.
struct PathCounts {
    std::uint64_t paths = 0;
    std::uint64_t collisions = 0;  // scatterings in the snow
    std::uint64_t capped = 0;      // paths that max_bounces ended, weighted by PathResult::weight, times 65536

    PathCounts& operator+=(const PathCounts& other);
};

class Film {
public:
    Film(const PixelWindow& window, int displayWidth, int displayHeight, FilmLayers layers = {});

    const PixelWindow& window() const { return m_window; }
    int displayWidth() const { return m_displayWidth; }
    int displayHeight() const { return m_displayHeight; }
    const FilmLayers& layers() const { return m_layers; }

    /// The sample with this number of the pixel (x, y) of the whole picture. `depth_m` is measured along the view axis.
    void add(int x, int y, int number, const PathResult& sample, float depth_m);

    /// What one sample of the pixel sees of surfaces; need not be known of all samples.
    void addSeen(int x, int y, const SeenSurface& seen);

    /// Adds the samples of another film with the same layers, whose window lies inside this one.
    void add(const Film& part);

    int samplesOf(int x, int y) const { return static_cast<int>(at(x, y).samples); }

    /// The fewest and the most samples that a pixel has.
    std::pair<int, int> sampleCounts() const;

    /// Standard error of the pixel's luminance divided by luminance + `floor`. Infinite with less than two samples.
    double relativeError(int x, int y, double floor) const;

    /// 1 % of the picture's mean luminance: the floor of noise(), so that dark pixels do not dominate.
    double luminanceFloor() const;

    /// Mean over pixels of relativeError() with luminanceFloor().
    double noise() const;

    /// Layers: R G B A, depth.Z (m, mean over the samples that met something, 0 if none did), stderr.R/G/B/Y,
    /// direct.R/G/B, indirect.R/G/B, albedo.R/G/B, N.X/Y/Z and P.X/Y/Z (world space, also means over the samples that
    /// met something), samples, seen.albedo.R/G/B and seen.N.X/Y/Z (world space; zero where nothing is seen), and
    /// sky.R/G/B, glints.R/G/B and gloss.R/G/B, which R, G and B contain, and seen.lit.Y (SeenSurface::lit), if there
    /// are any. Where lights have groups, light.NAME.R/G/B of each group, and light.rest if it is not black; their sum
    /// is R, G and B. With shadow catchers, shadow.R/G/B: the light that arrives at them over the light that would
    /// arrive without snow and other bodies; 1 where none is seen.
    Image image() const;

    /// Adds the layers CryptoObject00, ... (matte.h) to a picture of this film: R and B are numbers of things, G and A
    /// the shares of the pixel that they cover.
    void addMattes(Image& image) const;

    /// Means over the samples with even numbers, without glints and gloss.
    HalfPicture half() const;

    /// The sums as they lie in memory, one block of bytes per pixel, row by row.
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(m_pixels)); }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_pixels)); }
    static constexpr std::size_t bytesPerPixel() { return sizeof(Pixel); }
    /// The sums of the groups of lights, in the same way: bytesPerGroup() for each pixel and group.
    std::span<std::byte> groupBytes() { return std::as_writable_bytes(std::span(m_groups)); }
    std::span<const std::byte> groupBytes() const { return std::as_bytes(std::span(m_groups)); }
    static constexpr std::size_t bytesPerGroup() { return sizeof(OfGroup); }
    /// The sums of shadow catchers: bytesPerShadow() for each pixel, nothing without shadow catchers.
    std::span<std::byte> shadowBytes() { return std::as_writable_bytes(std::span(m_shadows)); }
    std::span<const std::byte> shadowBytes() const { return std::as_bytes(std::span(m_shadows)); }
    static constexpr std::size_t bytesPerShadow() { return sizeof(Shadow); }

    PathCounts counts;

private:
    using Light = FixedSum<48>;
    using Square = FixedSum<40>;
    using Length = std::int64_t;  // of lengths and directions: multiples of 2^-24 (m)

    struct Pixel {
        std::array<Light, 3> sum, half, direct, indirect;  // half: of the samples with even numbers
        std::array<Square, 4> squares;                     // of R, G, B and luminance
        std::array<Light, 3> glints, gloss;                // of the samples that `seen` counts
        std::array<Length, 3> albedo{}, normal{}, position{}, seen_albedo{}, seen_normal{};
        MatteCounts mattes;  // of the samples that `seen` counts
        Length depth = 0, lit = 0;
        std::uint32_t hits = 0, samples = 0, half_samples = 0, seen = 0;
    };

    struct OfGroup {
        std::array<Light, 3> sum, mirrored;  // mirrored: glints and gloss, of the samples that `seen` counts
    };

    struct Shadow {
        std::array<Light, 3> caught, unshadowed;  // see PathResult
    };

    void addShadowLayer(Image& image) const;
    void addGroups(int x, int y, const GroupedLight& light, std::array<Light, 3> OfGroup::*to);
    void addGroupLayers(Image& image) const;
    /// Those of a pixel.
    std::span<OfGroup> groupsOf(std::size_t pixel)
    {
        const std::size_t count = m_layers.light_groups.size();
        return std::span(m_groups).subspan(pixel * count, count);
    }
    std::span<const OfGroup> groupsOf(std::size_t pixel) const { return const_cast<Film*>(this)->groupsOf(pixel); }

    Pixel& at(int x, int y) { return m_pixels[indexOf(x, y)]; }
    const Pixel& at(int x, int y) const { return m_pixels[indexOf(x, y)]; }
    std::size_t indexOf(int x, int y) const;
    static bool hasLight(std::span<const Pixel> pixels, std::array<Light, 3> Pixel::*layer);
    static double luminanceOf(const Pixel& pixel);
    static double standardError(const Pixel& pixel, std::size_t channel);
    static double relativeError(const Pixel& pixel, double floor);

    PixelWindow m_window;
    int m_displayWidth, m_displayHeight;
    std::vector<Pixel> m_pixels;
    FilmLayers m_layers;
    std::vector<OfGroup> m_groups;  // of each pixel
    std::vector<Shadow> m_shadows;  // of each pixel, if there are any
};

}  // namespace firn

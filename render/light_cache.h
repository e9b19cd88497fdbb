#pragma once
// Light that snow has scattered, stored on a grid once a frame. A few free paths below the surface this light is smooth
// and nearly isotropic, and many camera paths would compute it again and again. Camera paths end there and take it from
// the grid. Light is traced from the lights (photons); every collision in a cell adds to its fluence phi = int L dw and
// its flux J = int w L dw. Toward direction w, light leaves a collision with (phi + 3 g J.w) / 4 pi (the phase function
// and the radiance to first order in w). Lights that light sampling finds add only what has been scattered before.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/image/pixel_window.h"
#include "render/camera.h"
#include "render/photon_source.h"
#include "render/render_scene.h"
#include "render/sparse_index.h"

namespace firn {

/// See the keys render.cache_* of a scene.
struct LightCacheSettings {
    double cell_m = 0;    // edge of a cell; 0 = from end_depth and albedo
    float end_depth = 4;  // paths end where the optical depth to the nearest border or body is at least this
    std::uint64_t photons = 0;
    std::uint64_t seed = 0;
};

class LightCache {
public:
    /// Whether the scene can have a cache: snow in bricks, a light, no bound on scatterings.
    static bool isPossible(const RenderScene& scene);

    /// Finds where the paths of the window's pixels end, and traces light there. `scene` must outlive the cache. The
    /// same bits for any number of threads. Any thread calls `goOn` with the share of the work that is done; if it
    /// returns false, the cache stays incomplete: isComplete().
    LightCache(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window,
               const LightCacheSettings& settings, const std::function<bool(double)>& goOn);

    static constexpr int blockShift = 2, blockCells = 1 << blockShift;  // blocks of cells are allocated as a whole
    static constexpr int cellsPerBlock = blockCells * blockCells * blockCells;
    static constexpr int blockCorners = blockCells + 1;
    static constexpr int sums = 12;  // phi, then J, each for red, green and blue: phi[c], J[3 axis + c]
    using Depths = std::array<float, blockCorners * blockCorners * blockCorners>;  // of cells' corners, z fastest
    struct Contents {
        std::vector<Vec3i> blocks;      // places in units of blocks, ascending by leafKey()
        std::vector<Depths> depths;     // in the snow, of each block
        std::vector<float> collisions;  // integral of extinction over each cell (m^2), cellsPerBlock of each block;
                                        // 0 = interpolation leaves the cell out
        std::vector<float> light;       // of each cell, for each group of lights: sums
    };

    /// A cache that was filled for the same scene, camera, window and settings. Throws Error(File) if the contents can
    /// be of no such cache.
    LightCache(const RenderScene& scene, const LightCacheSettings& settings, Contents contents);
    const Contents& contents() const { return m_contents; }

    bool isComplete() const { return m_isComplete; }

    /// If paths may end at the point (m): sets `result` to the radiance that leaves it against `incoming`, without
    /// albedo, of light that has been scattered before or that light sampling does not find. `result` has a column for
    /// each of the lights' groups; see Lights::groupCount().
    bool scattered(const Vec3f& point, const Vec3f& incoming, GroupedLight& result) const;

    std::size_t cellCount() const { return m_contents.collisions.size(); }
    double cell_m() const;

private:
    using Deposits = std::vector<std::atomic<std::int64_t>>;  // as Contents::light

    static Vec3i blockOf(const Vec3i& cell)
    {
        return cell.unaryExpr([](int i) { return i >> blockShift; });
    }
    bool isDeep(const Vec3f& cellPoint) const;
    Vec3f leaving(const std::array<float, sums>& light, const Vec3f& incoming, float collisions) const;
    std::int64_t cellIndex(const Vec3i& cell) const;
    bool isClear(const Vec3f& middle, float edge) const;
    void findDepths(const Vec3i& firstCell, Depths& depths) const;
    float extinctionIntegral(const Vec3f& corner) const;
    Vec3f toCells(const Vec3f& point) const { return m_scene.volume->toIndex(point) / m_cellUnits; }
    Vec3f fromCells(const Vec3f& cellPoint) const { return m_scene.volume->toWorld(cellPoint * m_cellUnits); }
    void chooseCells();
    float diffusionLength(float albedo) const;
    void findEnds(const PlacedCamera& camera, const PixelWindow& window);
    void traceToEnds(const PlacedCamera& camera, const PixelWindow& window, int first, int last);
    std::vector<Vec3i> blocksOfEnds() const;
    void allocate(std::vector<Vec3i> blocks);
    void numberBlocks();
    void measureBlock(const Vec3i& block, Depths& depths, float* collisions) const;
    PhotonSource makeSource() const;
    void fill(const std::function<bool(double)>& goOn);
    void tracePhotons(std::uint64_t first, const PhotonSource& source, Deposits& deposits, float unit) const;
    void deposit(const Vec3f& point, const Vec3f& direction, int group, const Vec3f& light, Deposits& deposits) const;
    /// The sums of each cell.
    std::size_t sumsOfCell() const { return m_groups * sums; }

    const RenderScene& m_scene;
    LightCacheSettings m_settings;
    std::size_t m_groups;       // of lights
    float m_cellUnits = 1;      // edge of a cell in units of the bricks
    float m_freePath_m = 0;     // mean free path that most light meets
    std::vector<Vec3f> m_ends;  // of camera paths, m
    SparseIndex m_blocks;       // numbers of the blocks
    Contents m_contents;
    bool m_isComplete = false;
};

}  // namespace firn

#pragma once
// The window of simulated snow that follows a body. Layers of snow that lie at rest wait until the window reaches them,
// and leave the simulation some time after it has passed. The window is a set of blocks of 8 x 8 x 8 cells, those in
// which the solver sorts particles. It depends on the scene alone, so the renderer knows it too.

#include <optional>
#include <string>
#include <vector>

#include "common/body/body.h"

namespace firn {

class MovingWindow {
public:
    /// Without [window], isThere() is false. `bodies` must contain the window's body and the bodies under layers.
    /// Throws Error(Usage) if a body under a layer moves.
    MovingWindow(const Scene& scene, const std::vector<Body>& bodies);

    bool isThere() const { return !m_frames.empty(); }
    /// Whether the snow of a region waits for the window: a layer at rest that is simulated.
    bool covers(const SnowRegion& region) const;

    /// Whether a block overlaps the window in x and z at some time from `frame` - 1 to `frame`; for the start frame, at
    /// that frame.
    bool meets(const Vec3i& block, int frame) const;
    /// The first frame that meets a block; INT_MAX if there is none until the scene's end.
    int firstFrame(const Vec3i& block) const;
    /// Whether the trail has passed a block: no frame in the last trail_s, up to `frame`, meets it.
    bool isPast(const Vec3i& block, int frame) const;
    /// For each frame, the share of a region's columns of blocks that it meets or has met within the trail.
    std::vector<double> shares(const Box3d& region) const;
    /// The last frame in which the window returns to snow that has left the simulation; INT_MIN if there is none.
    int returnFrame() const;

    /// The cells of blocks that a frame may meet: lowest and highest x and z.
    struct Cells {
        int x0, x1, z0, z1;
    };
    Cells cells(int frame) const;

    /// The block of a cell: its lowest node is the lowest base node of the particles in it.
    static Vec3i blockOf(const Vec3i& cell);

private:
    int frameCount() const { return static_cast<int>(m_frames.size()); }

    double m_dx = 0;
    int m_startFrame = 0;
    int m_trailFrames = 0;
    std::vector<Box3d> m_frames;  // from the start frame on
};

/// What the user should look at: layers that do not wait for the window, and snow that it comes back to.
std::vector<std::string> remarksOf(const MovingWindow& window, const Scene& scene);

/// Numbers of the places in the regions that wait for a window, and in those with a source. A place keeps its number
/// for the whole shot, whenever it is filled. Numbers of other simulated particles count upwards from 0, these
/// downwards from the highest.
class PlaceNumbers {
public:
    /// Throws Error(Usage) when 32 bits are not enough.
    PlaceNumbers(const Scene& scene, const MovingWindow& window);

    /// Of the place `number` (Seed::number) of a region.
    std::uint32_t of(std::size_t region, std::uint64_t number) const
    {
        return ~static_cast<std::uint32_t>(m_before[region] + number);
    }
    /// The region and the number there of a particle; nothing if it is none of these.
    struct Place {
        std::size_t region;
        std::uint64_t number;
    };
    std::optional<Place> placeOf(std::uint32_t id) const;

    /// How many numbers the regions take.
    std::uint64_t count() const { return m_before.back(); }

private:
    std::vector<std::uint64_t> m_before;  // places of all earlier regions
};

}  // namespace firn

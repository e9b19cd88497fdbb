#include "render/wide_tracking.h"

#include "render/lane_tracker.h"
#include "render/tracking.h"

namespace firn {

namespace {

/// Delta tracking: the result is the distance to a real collision.
struct FlightRule {
    static constexpr float start = infinity;

    static Ints collide(Ints collides, Floats t, Floats share, Floats u, Floats& distance)
    {
        const Ints isReal = collides & (u < share);
        distance = select(isReal, t, distance);
        return isReal;
    }
};

/// Ratio tracking: the result is an estimate of transmittance.
struct TransmittanceRule {
    static constexpr float start = 1;

    static Ints collide(Ints collides, Floats, Floats share, Floats u, Floats& transmittance)
    {
        constexpr float threshold = 0.1f;
        const Floats left = transmittance * larger(Floats{}, 1.f - share);
        const Ints isLow = left < threshold, survives = u * threshold < left;
        const Floats afterRoulette = select(survives, floats(threshold), Floats{});
        transmittance = select(collides, select(isLow, afterRoulette, left), transmittance);
        return collides & isLow & ~survives;
    }
};

/// The part of a ray within a homogeneous volume and before t_max.
RayInterval clipToMedium(const Volume& volume, const RayBatch& rays, int i)
{
    return clip({rays.origin[i], rays.direction[i]}, volume.indexMin(), volume.indexMax(), rays.t_max[i]);
}

}  // namespace

void sampleFlights(const Volume& volume, const RayBatch& rays, Column<float>& distances)
{
    if (!volume.isHomogeneous()) return LaneTracker<FlightRule>(volume.bricks(), rays, distances).run();
    for (int i = 0; i < rays.count; ++i) {
        const auto [t0, t1] = clipToMedium(volume, rays, i);
        const float t = t0 + rays.depth[i] / volume.constant();
        distances[i] = t < t1 ? t : infinity;
    }
}

void estimateTransmittances(const Volume& volume, const RayBatch& rays, Column<float>& transmittances)
{
    if (!volume.isHomogeneous()) return LaneTracker<TransmittanceRule>(volume.bricks(), rays, transmittances).run();
    for (int i = 0; i < rays.count; ++i) {
        const auto [t0, t1] = clipToMedium(volume, rays, i);
        transmittances[i] = std::exp(-volume.constant() * std::max(0.0f, t1 - t0));
    }
}

}  // namespace firn

#include "render/roulette_factor.h"

#include <limits>
#include <vector>

#include "common/image/luminance.h"
#include "render/camera.h"
#include "render/radiance.h"

namespace firn {

namespace {

constexpr std::uint64_t pilotSeed = 0x726f756c65747465ULL;
constexpr int pilotRays = 1024;     // two paths each
constexpr double costOfStart = 36;  // of a path without scatterings: as much as these (radiance_bench)
constexpr int leastBounces = 32;    // with fewer, roulette changes little
constexpr float factors[] = {0.125f, 0.25f, 0.5f, 1};

}  // namespace

double pathCostOfVariance(const RenderScene& scene, const PlacedCamera& camera, float factor)
{
    struct Found {
        double luminance;
        int collisions;
    };
    RenderScene with = scene;
    with.roulette_factor = factor;
    std::vector<Found> found(std::size_t{2} * pilotRays);
    tracePathsInParallel(
        with, 2 * pilotRays,
        [&](int path) {
            Sampler place(pilotSeed, static_cast<std::uint32_t>(path / 2), 2);
            const Vec2f u = place.uniform2();
            return PathStart{
                camera.ray(u.x() * camera.width(), u.y() * camera.height(), place),
                Sampler(pilotSeed, static_cast<std::uint32_t>(path / 2), static_cast<std::uint32_t>(path % 2))};
        },
        [&](int path, const PathResult& result) {
            found[static_cast<std::size_t>(path)] = {static_cast<double>(luminance(result.radiance)),
                                                     result.collisions};
        });
    double squares = 0, cost = 0;
    for (std::size_t i = 0; i < found.size(); i += 2) {
        const double difference = found[i].luminance - found[i + 1].luminance;
        squares += 0.5 * difference * difference;
        cost += 2 * costOfStart + found[i].collisions + found[i + 1].collisions;
    }
    return squares / pilotRays * cost / (2 * pilotRays);
}

float rouletteFactor(const RenderScene& scene, const PlacedCamera& camera)
{
    const bool isShort = scene.max_bounces > 0 && scene.max_bounces < leastBounces;
    if (scene.volume == nullptr || isShort) return 1;
    float best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (const float factor : factors) {
        const double found = pathCostOfVariance(scene, camera, factor);
        if (found < least) {
            least = found;
            best = factor;
        }
    }
    return best;
}

}  // namespace firn

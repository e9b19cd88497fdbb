#include "render/playblast/powder_haze.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

struct SeenPuff {
    DrawnPoint middle;
    float radius;  // pixels
    float depth;   // optical, in the middle
};

std::vector<SeenPuff> seenPuffs(const PowderPuffs& puffs, const std::vector<float>& extinction, const PinholeEye& eye)
{
    std::vector<SeenPuff> seen;
    for (std::size_t i = 0; i < puffs.size(); ++i) {
        const Vec3f picture = eye.toPicture(puffs.position_m[i].cast<float>());
        const float radius_m = puffs.radius_m[i];
        if (picture.z() < PinholeEye::nearest_m + radius_m || !(radius_m > 0)) continue;
        const DrawnPoint middle = PinholeEye::drawn(picture);
        const float perMass = extinction[std::min<std::size_t>(puffs.material[i], extinction.size() - 1)];
        // The mean of 1 - (d / radius)^2 over the disc is 1/2.
        const float depth = 2 * perMass * puffs.mass_kg[i] / (static_cast<float>(pi) * radius_m * radius_m);
        seen.push_back({middle, std::max(0.5f, radius_m * eye.scale() * middle.nearness), depth});
    }
    return seen;
}

void addTo(std::vector<float>& haze, const SeenPuff& puff, const DepthPicture& picture, int firstRow, int endRow)
{
    const auto pixel = [](float coordinate, int end) {
        return static_cast<int>(std::clamp(std::floor(coordinate), 0.0f, static_cast<float>(end)));
    };
    const int x0 = pixel(puff.middle.x - puff.radius, picture.width()),
              x1 = pixel(puff.middle.x + puff.radius + 1, picture.width()),
              y0 = std::max(firstRow, pixel(puff.middle.y - puff.radius, picture.height())),
              y1 = std::min(endRow, pixel(puff.middle.y + puff.radius + 1, picture.height()));
    const float inverse = 1 / (puff.radius * puff.radius);
    for (int y = y0; y < y1; ++y) {
        const float dy = static_cast<float>(y) + 0.5f - puff.middle.y;
        for (int x = x0; x < x1; ++x) {
            const float dx = static_cast<float>(x) + 0.5f - puff.middle.x, share = 1 - inverse * (dx * dx + dy * dy);
            if (share > 0 && puff.middle.nearness > picture.nearness(x, y))
                haze[static_cast<std::size_t>(y * picture.width() + x)] += puff.depth * share;
        }
    }
}

}  // namespace

std::vector<float> powderHaze(const PowderPuffs& puffs, const std::vector<float>& extinction_m2_per_kg,
                              const PinholeEye& eye, const DepthPicture& picture)
{
    const std::vector<SeenPuff> seen = seenPuffs(puffs, extinction_m2_per_kg, eye);
    std::vector<float> haze(static_cast<std::size_t>(picture.width()) * static_cast<std::size_t>(picture.height()), 0);
    // Each thread has rows of its own and goes over all puffs, so sums have one order.
    const int parts = std::max(1, tbb::this_task_arena::max_concurrency());
    tbb::parallel_for(0, parts, [&](int part) {
        const int firstRow = picture.height() * part / parts, endRow = picture.height() * (part + 1) / parts;
        for (const SeenPuff& puff : seen) addTo(haze, puff, picture, firstRow, endRow);
    });
    return haze;
}

}  // namespace firn

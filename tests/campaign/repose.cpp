// The angle of a heap of snow on flat ground around the y axis, as scenes/repose.toml sieves it.
//
//     ninja -C build repose && build/tests/campaign/repose CACHE FRAME ...
//
// Space is divided into columns of dx x dx, and columns into rings of width dx around the axis. The height of a column
// is that of its highest particle, the height of a ring the median of its columns. The angle is that of a straight line
// through the rings between 20 and 80 % of the greatest height (least squares). Prints for each frame: the angle, the
// greatest height, the radius at 20 % of it, the share of the mass within that radius, and the speed that 99 % of that
// mass does not exceed.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"

namespace {

using namespace firn;

struct Heap {
    double angle_deg = 0, height_m = 0, radius_m = 0, share = 0, speed_m_s = 0;
};

double quantile(std::vector<double> values, double share)
{
    if (values.empty()) return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double radiusOf(const Vec3d& x) { return std::hypot(x.x(), x.z()); }

/// Of rings around the axis, from inside out. Columns without particles count as ground.
std::vector<double> ringHeights(const ParticleFrame& frame)
{
    std::map<std::pair<int, int>, double> columns;
    double radius = 0;
    for (const Vec3d& x : frame.position_m) {
        double& top = columns[{static_cast<int>(std::floor(x.x() / frame.dx_m)),
                               static_cast<int>(std::floor(x.z() / frame.dx_m))}];
        top = std::max(top, x.y());
        radius = std::max(radius, radiusOf(x));
    }
    std::vector<std::vector<double>> rings(static_cast<std::size_t>(radius / frame.dx_m) + 1);
    const int reach = static_cast<int>(rings.size());
    for (int i = -reach; i < reach; ++i) {
        for (int k = -reach; k < reach; ++k) {
            const auto ring = static_cast<std::size_t>(std::hypot(i + 0.5, k + 0.5));
            if (ring >= rings.size()) continue;
            const auto column = columns.find({i, k});
            rings[ring].push_back(column == columns.end() ? 0 : column->second);
        }
    }
    std::vector<double> heights;
    heights.reserve(rings.size());
    for (const auto& ring : rings) heights.push_back(quantile(ring, 0.5));
    return heights;
}

Heap measure(const ParticleFrame& frame)
{
    const std::vector<double> heights = ringHeights(frame);
    Heap heap;
    heap.height_m = *std::ranges::max_element(heights);
    double n = 0, r = 0, h = 0, rr = 0, rh = 0;
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const double radius = (static_cast<double>(i) + 0.5) * frame.dx_m;
        if (heights[i] >= 0.2 * heap.height_m) heap.radius_m = std::max(heap.radius_m, radius);
        if (heights[i] < 0.2 * heap.height_m || heights[i] > 0.8 * heap.height_m) continue;
        n += 1;
        r += radius;
        h += heights[i];
        rr += radius * radius;
        rh += radius * heights[i];
    }
    const double slope = (n * rh - r * h) / (n * rr - r * r);
    heap.angle_deg = std::atan(-slope) * 180 / M_PI;
    std::vector<double> speeds;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (radiusOf(frame.position_m[i]) <= heap.radius_m)
            speeds.push_back(static_cast<double>(frame.velocity_m_s[i].norm()));
    heap.share = static_cast<double>(speeds.size()) / static_cast<double>(frame.size());
    heap.speed_m_s = quantile(speeds, 0.99);
    return heap;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: repose CACHE FRAME ...\n");
        return 2;
    }
    try {
        std::printf("frame  angle, deg  height, m  radius, m  share  speed, m/s\n");
        for (int i = 2; i < argc; ++i) {
            for (const int number : parseFrames(argv[i])) {
                const Heap heap = measure(readPointsFile(CacheLayout{argv[1]}.framePath(number)));
                std::printf("%5d  %10.1f  %9.3f  %9.3f  %5.2f  %10.3f\n", number, heap.angle_deg, heap.height_m,
                            heap.radius_m, heap.share, heap.speed_m_s);
            }
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "repose: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}

#include "common/body/ground_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace firn {
namespace {

struct Sample {
    Vec3d root;
    double low;  // of the lowest sole point
};

std::vector<Sample> sampleClip(const Clip& clip, const std::vector<SolePoint>& points)
{
    const int count = std::min(clip.frames(), 4000);
    std::vector<Sample> samples;
    std::vector<Pose> poses;
    for (int s = 0; s < count; ++s) {
        clip.pose(clip.duration_s() * s / std::max(count - 1, 1), poses);
        double low = std::numeric_limits<double>::infinity();
        for (const SolePoint& point : points)
            low = std::min(low, poses[point.joint].toWorld(point.local).y() - point.radius_m);
        samples.push_back({poses[0].translation, low});
    }
    return samples;
}

double lowerTwentieth(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 20];
}

/// Slope along `direction`: the median of the slopes between the lows of all pairs of half-metre stretches (Theil and
/// Sen).
double slopeAlong(const std::vector<Sample>& samples, const Vec3d& direction)
{
    constexpr double stretch_m = 0.5;
    std::map<long, std::vector<double>> stretches;
    for (const Sample& s : samples) stretches[std::lround(s.root.dot(direction) / stretch_m)].push_back(s.low);
    std::vector<std::pair<double, double>> lows;
    lows.reserve(stretches.size());
    for (const auto& [index, values] : stretches)
        lows.emplace_back(stretch_m * static_cast<double>(index), lowerTwentieth(values));
    std::vector<double> slopes;
    for (std::size_t i = 0; i < lows.size(); ++i)
        for (std::size_t j = i + 1; j < lows.size(); ++j)
            slopes.push_back((lows[j].second - lows[i].second) / (lows[j].first - lows[i].first));
    if (slopes.empty()) return 0;
    std::nth_element(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2), slopes.end());
    return slopes[slopes.size() / 2];
}

}  // namespace

Ground fitGround(const Clip& clip, const std::vector<SolePoint>& points)
{
    const std::vector<Sample> samples = sampleClip(clip, points);
    Ground ground;
    Vec3d way = samples.back().root - samples.front().root;
    way.y() = 0;
    if (way.norm() > 1.5) {
        const double slope = slopeAlong(samples, way.normalized());
        if (std::abs(slope) < std::tan(2 * pi / 180)) ground.slope = slope * way.normalized();
    }
    std::vector<double> lows;
    lows.reserve(samples.size());
    for (const Sample& s : samples) lows.push_back(s.low - ground.slope.dot(s.root));
    ground.height_m = lowerTwentieth(lows);
    return ground;
}

}  // namespace firn

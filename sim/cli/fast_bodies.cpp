#include "sim/cli/fast_bodies.h"

#include <algorithm>
#include <cstdio>

#include "common/error.h"

namespace firn {

namespace {

constexpr double fast_m_s = 100;
constexpr int perFrame = 4, mostTimes = 384;

/// Some in each frame, and the middle between two keys, which may be much closer than frames.
std::vector<double> timesOf(const Scene& scene, const Body& body)
{
    const double first_s = scene.timeOfFrame(scene.start_frame), last_s = scene.timeOfFrame(scene.end_frame);
    const int count = std::min(perFrame * (scene.end_frame - scene.start_frame), mostTimes);
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(std::max(0, count)));
    for (int i = 0; i < count; ++i) times.push_back(first_s + (i + 0.5) * (last_s - first_s) / count);
    const auto spec = std::ranges::find(scene.bodies, body.name, &BodySpec::name);
    if (spec == scene.bodies.end()) return times;
    for (std::size_t i = 1; i < spec->keys.size(); ++i) {
        const double middle_s = 0.5 * (spec->keys[i - 1].time_s + spec->keys[i].time_s);
        if (middle_s > first_s && middle_s < last_s) times.push_back(middle_s);
    }
    return times;
}

double fastest(const Scene& scene, const Body& body)
{
    const std::vector<double> times = timesOf(scene, body);
    double speed = 0;
    for (const auto& piece : body.pieces) {
        if (piece->isStatic()) continue;
        for (const double time_s : times) speed = std::max(speed, piece->maxSpeed(time_s));
    }
    return speed;
}

}  // namespace

std::vector<std::string> remarksOnFastBodies(const Scene& scene, const std::vector<Body>& bodies)
{
    std::vector<std::string> remarks;
    for (const Body& body : bodies) {
        const double speed = fastest(scene, body);
        if (speed <= fast_m_s) continue;
        char text[32];
        std::snprintf(text, sizeof text, "%.3g m/s", speed);
        remarks.push_back("body " + quotedName(body.name) + " moves with up to " + text +
                          ", which takes many substeps. Are its keys, its files and its scale right?");
    }
    return remarks;
}

}  // namespace firn

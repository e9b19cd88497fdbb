#include "sim/cli/fast_bodies.h"

#include <algorithm>
#include <cstdio>

#include "common/error.h"

namespace firn {

namespace {

constexpr double fast_m_s = 100;
constexpr int perFrame = 4, mostTimes = 384;

double fastest(const Scene& scene, const Body& body)
{
    const double first_s = scene.timeOfFrame(scene.start_frame), last_s = scene.timeOfFrame(scene.end_frame);
    const int count = std::min(perFrame * (scene.end_frame - scene.start_frame), mostTimes);
    double speed = 0;
    for (const auto& piece : body.pieces) {
        if (piece->isStatic()) continue;
        for (int i = 0; i < count; ++i)
            speed = std::max(speed, piece->maxSpeed(first_s + (i + 0.5) * (last_s - first_s) / count));
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

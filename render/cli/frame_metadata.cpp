#include "render/cli/frame_metadata.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "common/instruction_set.h"
#include "render/camera.h"
#include "render/matte.h"
#include "render/seen_surface.h"
#include "render/snow_optics.h"

namespace firn {

namespace {

template <class... Numbers>
std::string format(const char* text, Numbers... numbers)
{
    std::array<char, 80> line;
    std::snprintf(line.data(), line.size(), text, numbers...);
    return line.data();
}

/// The texts of the regions; one text if they are the same.
template <class Text>
std::string eachOnce(const std::vector<SnowOptics>& optics, const Text& textOf)
{
    std::string all;
    bool differ = false;
    for (const SnowOptics& of : optics) {
        differ |= textOf(of) != textOf(optics.front());
        all += (all.empty() ? "" : "; ") + textOf(of);
    }
    return differ ? all : textOf(optics.front());
}

}  // namespace

Metadata shotMetadata(const Scene& scene, const PlacedCamera& camera, int frame, double voxel_m)
{
    const Render& render = scene.render;
    const double time_s = scene.timeOfFrame(frame);
    const std::vector<SnowOptics> optics = snowOptics(scene);
    Metadata metadata = {
        {"firn.program", std::string("firn-render " FIRN_VERSION)},
        {"firn.instructions", std::string(instructionSet)},
        {"firn.scene", scene.name},
        {"firn.frame", frame},
        {"firn.time_s", static_cast<float>(time_s)},
        {"firn.fps", static_cast<float>(scene.fps)},
        {"firn.filter_radius_px", static_cast<float>(render.filter_radius_px)},
        {"firn.max_bounces", render.max_bounces},
        {"firn.extinction_m2_per_kg",
         eachOnce(optics, [](const SnowOptics& of) { return format("%.6g", of.extinction_m2_per_kg); })},
        {"firn.albedo", eachOnce(optics,
                                 [](const SnowOptics& of) {
                                     const Vec3d& a = of.albedo;
                                     return format("%.6g %.6g %.6g", a.x(), a.y(), a.z());
                                 })},
        {"firn.anisotropy", static_cast<float>(render.anisotropy)},
        {"firn.voxel_m", static_cast<float>(voxel_m)},
        {"firn.view", render.view},
        {"firn.exposure", static_cast<float>(render.exposure)},
        {"firn.focal_length_mm", static_cast<float>(cameraAt(scene.camera, time_s).focal_length_mm)},
        {"firn.sensor_width_mm", static_cast<float>(scene.camera.sensor_width_mm)},
        {"worldToCamera", camera.worldToCamera()},
        {"worldToNDC", camera.worldToNdc()},
        {"framesPerSecond", static_cast<float>(scene.fps)},
    };
    if (!camera.lens().isPinhole()) {
        metadata["firn.f_stop"] = static_cast<float>(scene.camera.f_stop);
        metadata["firn.focus_distance_m"] = static_cast<float>(camera.lens().focus_m);
    }
    if (scene.camera.lens_shift_x != 0 || scene.camera.lens_shift_y != 0) {
        metadata["firn.lens_shift_x"] = static_cast<float>(scene.camera.lens_shift_x);
        metadata["firn.lens_shift_y"] = static_cast<float>(scene.camera.lens_shift_y);
    }
    if (scene.camera.shutter_deg > 0) {
        metadata["firn.shutter_deg"] = static_cast<float>(scene.camera.shutter_deg);
        metadata["firn.shutter_offset_deg"] = static_cast<float>(scene.camera.shutter_offset_deg);
    }
    if (render.mattes) {
        std::vector<std::string> names = {snowMatte};
        for (const BodySpec& body : scene.bodies)
            if (body.visible && !body.holdout && !body.shadow_catcher) names.push_back(body.name);
        for (const auto& [key, value] : matteMetadata(names)) metadata[key] = value;
    }
    return metadata;
}

bool hasMattes(const Metadata& metadata)
{
    const auto first = metadata.lower_bound(matteAttributes);
    return first != metadata.end() && first->first.starts_with(matteAttributes);
}

void addSampleMetadata(Metadata& metadata, const FrameState& state, const std::vector<SampleRange>& samples)
{
    const PathCounts& counts = state.film.counts;
    const double paths = static_cast<double>(std::max<std::uint64_t>(1, counts.paths));
    std::set<std::uint64_t> seeds;
    std::string seedText;
    for (const SampleRange& range : samples) {
        if (seeds.insert(range.seed).second) seedText += (seedText.empty() ? "" : " ") + std::to_string(range.seed);
    }
    metadata["firn.seed"] = seedText;
    metadata["firn.spp"] = state.spp();
    metadata["firn.samples"] = textOf(samples);
    metadata["firn.collisions_per_path"] = static_cast<float>(static_cast<double>(counts.collisions) / paths);
    metadata["firn.capped_share"] = static_cast<float>(state.capped() / paths);
    const double noise = state.film.noise();
    if (std::isfinite(noise)) metadata["firn.noise"] = static_cast<float>(noise);
}

}  // namespace firn

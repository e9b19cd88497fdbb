#pragma once
// One picture: the samples of all pixels, traced in parallel tiles. With a fixed number of samples or a noise target
// the picture has the same bits for any number of threads. A time limit changes nothing but the number of samples.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/image/image.h"
#include "render/camera.h"
#include "render/film.h"
#include "render/radiance.h"

namespace firn {

struct FrameSettings {
    int width = 960;  // of the whole picture
    int height = 540;
    std::optional<PixelWindow> crop;
    int spp = 64;             // samples per pixel; with a noise or time target, at most max_spp
    double noise_target = 0;  // stop when Film::noise() is below; 0 = none
    double time_limit_s = 0;  // stop before a pass that would end later; 0 = none
    int max_spp = 65536;
    double filter_radius_px = 1;
    std::uint64_t seed = 0;
};

struct FrameResult {
    Image image;
    Planes half;  // Film::half()
    int spp = 0;
    std::uint64_t collisions = 0;  // scatterings in the snow, over all paths
    std::uint64_t paths = 0;
    double capped = 0;                // paths that max_bounces ended, each as often as PathResult::weight says
    std::string transport = "paths";  // or "cached": paths ended on a light cache
    double noise = 0;                 // Film::noise(), infinite with one sample per pixel
    double seconds = 0;
};

/// The crop, or the whole picture. Throws Error(Usage) when the crop leaves the picture.
PixelWindow windowOf(const FrameSettings& settings);

/// Any thread calls `goOn` with the share of the work that is done, from 0 to 1; where several targets can stop the
/// frame, the nearest one counts. When `goOn` returns false, rendering stops and nothing is returned. Throws as
/// windowOf does.
std::optional<FrameResult> renderFrame(const RenderScene& scene, const PinholeCamera& camera,
                                       const FrameSettings& settings, const std::function<bool(double)>& goOn);

}  // namespace firn

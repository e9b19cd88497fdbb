#pragma once
// One picture: the samples of all pixels, traced in parallel tiles. With a fixed number of samples or a noise target
// the picture has the same bits for any number of threads, and after an interruption. A time limit changes nothing but
// the number of samples.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "common/image/image.h"
#include "render/camera.h"
#include "render/film.h"

namespace firn {

struct RenderScene;

/// What a picture shows while the shutter is open.
struct FrameView {
    /// Of parts of that time of equal length: at least one. Rays carry their position in their part.
    std::vector<const RenderScene*> slices;
    MovingCamera camera;
    bool is_instant;  // all paths have the same time

    /// Without motion blur. The scene must outlive the view.
    FrameView(const RenderScene& scene, const PlacedCamera& at) : slices{&scene}, camera(at), is_instant(true) {}
    FrameView(std::vector<const RenderScene*> scenes, MovingCamera moving)
        : slices(std::move(scenes)), camera(std::move(moving)), is_instant(false)
    {
    }
};

struct FrameSettings {
    int width = 960;  // of the whole picture
    int height = 540;
    std::optional<PixelWindow> crop;
    int first_sample = 0;     // number of the first sample of a pixel; even
    int spp = 64;             // samples per pixel, counted from first_sample; not used with a target: see max_spp
    double noise_target = 0;  // stop when the noise is below; 0 = none
    double time_limit_s = 0;  // stop before a pass that would end later; 0 = none
    int max_spp = 65536;
    double filter_radius_px = 1;
    std::uint64_t seed = 0;
    FilmLayers layers = {};

    bool hasTarget() const { return noise_target > 0 || time_limit_s > 0; }
};

/// A picture in the making. Rendering may stop at any time and go on from here.
struct FrameState {
    Film film;
    std::vector<std::int32_t> wanted;  // samples per pixel at the end of the pass; see adaptive_sampling.h
    double seconds = 0;                // of tracing
    bool is_complete = false;

    /// Of a picture without samples. Throws as windowOf does.
    explicit FrameState(const FrameSettings& settings);
    /// Of samples that are there already.
    explicit FrameState(Film begun);

    /// Paths per pixel, rounded.
    int spp() const;
    /// Number of paths that max_bounces ended, weighted by PathResult::weight.
    double capped() const;
};

struct FrameHooks {
    /// Called by any thread with the share of the work that is done, from 0 to 1; where several targets can stop the
    /// frame, the nearest one counts. False stops.
    std::function<bool(double)> go_on;
    /// Called by one thread when no other adds samples. The frame goes on from here if it is interrupted later.
    std::function<void()> checkpoint = {};
    double checkpoint_s = 0;  // seconds between calls of checkpoint; 0 = none
    /// Called by one thread between passes, when no other adds samples, to show what is there. With it, a fixed number
    /// of samples is traced in passes that double it, from two on. The picture has the same bits.
    std::function<void()> show = {};
    /// The noise that noise_target is about. None = Film::noise().
    std::function<double(const Film&)> noise = {};
};

/// The crop, or the whole picture. Throws Error(Usage) when the crop leaves the picture.
PixelWindow windowOf(const FrameSettings& settings);

/// Adds samples to the state until the frame is complete. Returns false if it was stopped.
bool renderFrame(const FrameView& view, const FrameSettings& settings, FrameState& state, const FrameHooks& hooks);

}  // namespace firn

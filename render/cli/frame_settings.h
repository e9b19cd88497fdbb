#pragma once
// From the options of a command and the scene to what is rendered: shared by the commands frames and check.

#include <map>
#include <string>
#include <vector>

#include "render/cli/frames_options.h"
#include "render/frame.h"

namespace firn {

struct LightCacheSettings;
struct PictureLayout;

/// The scene with the options of the command line about pictures. Throws Error(Usage).
LoadedScene sceneOf(const FramesJob& job);

/// Throws Error(Usage) for a crop or samples that the picture does not have.
FrameSettings settingsOf(const FramesJob& job, const Scene& scene);

/// The seed of a frame's random numbers: render.seed, or with render.vary_seed another one for each frame.
std::uint64_t seedOf(int frame, const Render& render);

/// The frames of --frames, or else from the first that the cache has or lists to the last, without those outside the
/// scene. Throws Error(Usage) for frames that the scene does not have, and Error(File) for frames that the cache does
/// not have.
std::vector<int> availableFrames(const FramesJob& job, const Scene& scene);

/// The options that decide about the bits of a frame and are no values of its scene, for messages. `denoiser`: its
/// name.
std::map<std::string, std::string> optionTexts(const FramesJob& job, const std::string& denoiser);

/// The frames that the job writes: `frames`, with --skip-existing without those whose picture and preview exist. A
/// picture that is cut, of another frame, of another take, of another simulation or of other snow does not count.
/// `rest`: restChecksum().
std::vector<int> writtenFrames(const FramesJob& job, const PictureLayout& layout, const std::vector<int>& frames,
                               const std::string& rest);

/// "the cache has frames 1-3 of 1-12", where --frames is not given and the scene has more frames; otherwise "".
std::string missingFramesText(const FramesJob& job, const Scene& scene, const std::vector<int>& available);

/// The pixels that the light cache is made for. Parts of a picture have the cache of the whole picture, so that they
/// add up to one run.
PixelWindow cacheWindow(const FramesJob& job, const FrameSettings& settings);

/// Its photons are those of the scene, or as many per pixel as a quarter of the paths, within limits.
LightCacheSettings lightCacheSettings(const Render& render, const FrameSettings& settings, const PixelWindow& window);

}  // namespace firn

#pragma once
// The work of firn-render playblast.

#include "common/error.h"
#include "render/cli/frames_options.h"

namespace firn {

struct PlayblastJob {
    FramesJob frames;             // its options about the cache, frames, size and folder; the others are not used
    std::string color = "plain";  // snowColorByName()
    double fastest_m_s = 0;       // PlayblastSettings
    bool follow = false;          // draw the frames of a run that goes on, until it ends
};

/// For each frame draws OUT/<shot>.####.png, and writes the page OUT/playblast.html, which shows them and plots the
/// statistics of the cache. Earlier pictures and pages of this command are replaced, other files are not. Returns Done,
/// or Stopped after a signal. Throws as renderFrames().
ExitCode drawPlayblast(const PlayblastJob& job);

}  // namespace firn

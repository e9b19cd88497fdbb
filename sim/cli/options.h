#pragma once
// The options of firn-sim's commands.

#include <filesystem>
#include <string>
#include <vector>

#include "common/io/progress.h"
#include "common/scene/load.h"

namespace firn {

struct RunOptions {
    std::filesystem::path shot;
    std::filesystem::path out;
    std::string frames;  // "": all of the scene
    SceneOptions scene;
    bool resume = false;
    bool force = false;
    bool is_take = false;  // of a wedge, which has no --resume: the advice in messages differs
    bool dump_config = false;
    int threads = 0;                       // 0: as the scene says, or else as the machine grants
    int checkpoint_every = 1;              // frames
    std::filesystem::path playblast = {};  // folder of pictures that firn-render draws meanwhile; "": none
    ProgressMode progress = ProgressMode::Auto;
};

struct WedgeOptions {
    RunOptions run;                 // of every take; out: the folder of their folders
    std::vector<std::string> vary;  // "solver.dx=0.02,0.01"; empty: the takes of the scene
    int index = 0;                  // only this take, from 1; 0: all
    bool list = false;
    bool count = false;
};

struct CheckOptions {
    std::filesystem::path shot;
    std::string frames;  // "": all of the scene
    SceneOptions scene;
    int threads = 0;
    bool json = false;
};

struct ReportOptions {
    std::vector<std::filesystem::path> folders;  // one or two
    std::filesystem::path out;                   // "": report.html in the first
    int previews = 8;                            // greatest number of pictures of each
};

struct InfoOptions {
    std::filesystem::path path;
    bool json = false;
};

}  // namespace firn

#pragma once
// What a run begins with, and what decides it.

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/cache_folder.h"
#include "sim/cli/restore.h"

namespace firn {

struct StartRules {
    bool resume = false;
    bool force = false;
    bool is_take = false;     // of a wedge: the advice in messages differs
    std::vector<int> frames;  // to be written, ascending
    bool are_chosen = false;  // by --frames
};

struct Start {
    std::optional<RunCheckpoint> checkpoint;  // empty: simulate from the first frame
    LostFiles lost;                           // what must be restored, or written for the first time
    std::string unmet;                        // why wanted frames cannot be made: the run ends with this as Error(File)
    bool is_damaged = false;                  // files that are not wanted now stay damaged
    bool over = false;                        // an old cache is in the folder and must be removed
    bool complete = false;                    // nothing is left to simulate but what is damaged
};

}  // namespace firn

#pragma once
// A take: the name of a variation of a shot, and what it changes.

#include <string>
#include <vector>

namespace firn {

/// A variation of a shot.
struct Take {
    std::string name;              // also of its folder
    std::vector<std::string> set;  // what it changes, as --set does: "solver.dx=0.02"

    bool operator==(const Take&) const = default;
};

}  // namespace firn

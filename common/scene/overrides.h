#pragma once
// The layers above the file: quality, environment, command line.

#include <set>
#include <string>
#include <vector>

#include "common/scene/builder.h"

namespace firn {

/// One key that a `[quality.…]` table of a file overrides.
struct QualityKey {
    std::string quality;  // "draft", "preview", "final"
    std::string dotted;
    const toml::node* value;  // lives as long as the parsed file
    Source source;
    Origin where;
};

struct Qualities {
    std::set<std::string> names;  // of the tables there are
    std::vector<QualityKey> keys;
};

/// Adds `[quality]` of a file; `"solver.dx" = 0.03`, `solver.dx = 0.03` and nested tables mean the same.
void readQuality(const toml::table& file, const Source& source, Qualities& qualities);

/// Applies the tables of one quality; where the file has none, the built-in one (final: as written; preview: dx × 1.5,
/// spp / 4; draft: dx × 2.5, spp / 16, half the size). The tables of the other qualities are checked too.
void applyQuality(Builder& builder, const Qualities& qualities, const std::string& quality);

/// FIRN_SOLVER_DX=0.02 sets solver.dx: FIRN_ and the dotted key, upper case, all but letters and digits as "_".
/// Variables that start like a table of the scene but mean no key are errors; other FIRN_ variables are not looked at.
void applyEnvironment(Builder& builder);

/// Each "solver.dx=0.02". Text may stand without quotes where a key takes text.
void applySet(Builder& builder, const std::vector<std::string>& settings);

}  // namespace firn

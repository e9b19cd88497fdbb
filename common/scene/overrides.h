#pragma once
// The layers that overwrite the file: quality, environment, command line.

#include <set>
#include <string>
#include <vector>

#include "common/scene/builder.h"

namespace firn {

/// One key of a `[quality.…]` table of a file.
struct QualityKey {
    std::string quality;  // "draft", "preview", "final"
    std::string dotted;
    const toml::node* value;  // lives as long as the parsed file
    Source source;
    Origin where;
};

struct Qualities {
    std::set<std::string> names;  // of the tables that the files have
    std::vector<QualityKey> keys;
};

/// Adds the `[quality]` tables of a file. `"solver.dx" = 0.03`, `solver.dx = 0.03` and nested tables mean the same.
void readQuality(const toml::table& file, const Source& source, Qualities& qualities);

/// Applies the tables of one quality. If the files have none for it, applies the built-in one (final: as written;
/// preview: dx × 1.5, spp / 4; draft: dx × 2.5, spp / 16, half the size). The tables of the other qualities are only
/// checked.
void applyQuality(SceneBuilder& builder, const Qualities& qualities, const std::string& quality);

/// FIRN_SOLVER_DX=0.02 sets solver.dx. The name of a variable is FIRN_ and the dotted key in upper case, with "_" for
/// every character that is no letter or digit. A variable that starts like a table of the scene (FIRN_SOLVER_) but
/// names no key is an error; other FIRN_ variables are ignored.
void applyEnvironment(SceneBuilder& builder);

/// Applies settings such as "solver.dx=0.02". Text needs no quotes if the key takes text. Errors begin with `giver` and
/// the setting.
void applySet(SceneBuilder& builder, const std::vector<std::string>& settings, const std::string& giver);

}  // namespace firn

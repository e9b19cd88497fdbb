#pragma once
// What a film holds beside what every film has.

#include <string>
#include <vector>

namespace firn {

struct FilmLayers {
    std::vector<std::string> light_groups = {};  // lightGroups() in light_groups.h
    bool has_shadows = false;                    // a body is a shadow catcher

    bool operator==(const FilmLayers&) const = default;
};

}  // namespace firn

#pragma once
// Differences between the values that an existing picture or film was made with and the present ones.

#include <map>
#include <string>

#include "common/scene/scene.h"

namespace firn {

/// Values of a scene and options, as text by key.
using Values = std::map<std::string, std::string>;

/// The values of scene text (pictureText) that decide about a picture: pictureKeys(). None if it cannot be read, as
/// text of another version.
Values sceneValues(const std::string& text);

/// "camera.position: [0, 0, 1] in the picture, [0, 0, 2] now; 2 more values differ", where the places are "in the
/// picture" and "now". "" if none differs or one of the two has no values. `scene` names its parts; may be null.
std::string difference(const Values& before, const Values& now, const Scene* scene, const std::string& placeBefore,
                       const std::string& placeNow = "now");

}  // namespace firn

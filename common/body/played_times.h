#pragma once
// Whether what a file plays covers the shot.

#include <string>

#include "common/scene/scene.h"

namespace firn {

/// "0.25 s"
std::string secondsText(double seconds);

/// "0.25 m"
std::string lengthText(double length_m);

/// Says that a clip, capture or sequence, which plays from `first_s` to `last_s` of scene time, does not cover the
/// shot, and what the user can do. "" if it does, or if it is repeated. `asSequence`: it is one file per frame.
std::string timesRemark(const Scene& scene, const BodySpec& spec, double first_s, double last_s, bool asSequence);

}  // namespace firn

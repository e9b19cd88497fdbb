#pragma once
// What no single key can tell: whether the scene as a whole makes sense.

#include "common/scene/builder.h"

namespace firn {

/// A sun and a sky for a scene that names no light.
void addDefaultLights(Builder& builder);

/// Gives "snow1", "body2", … to what has no name.
void nameNameless(Builder& builder);

/// What an animation key does not give is as in the key before it, in the first as in the body or camera.
void fillAnimationKeys(Builder& builder);

/// Snow and render presets, for what nothing else gave.
void applyPresets(Builder& builder);

/// Completes and checks the paths of referenced files. Throws Error(File, or Usage for paths outside).
void resolveFiles(Builder& builder, bool allow_outside);

/// Throws Error(Usage) that names the place of the key to blame.
void checkScene(const Builder& builder);

}  // namespace firn

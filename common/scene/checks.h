#pragma once
// Steps that follow after all layers of a scene are read: complete what is missing, and check the scene as a whole.

#include "common/scene/builder.h"

namespace firn {

/// A sun and a sky for a scene that names no light.
void addDefaultLights(SceneBuilder& builder);

/// Sets the angles of suns that a date gives, so that a dump shows them.
void placeSuns(SceneBuilder& builder);

/// Replaces all lights by ready-made ones if render.lighting says so. Throws Error(Usage) where a light was set on the
/// command line or by the environment, which would have no effect.
void replaceLights(SceneBuilder& builder);

/// Names every unnamed snow region, body and light: "snow1", "body2", …
void nameNameless(SceneBuilder& builder);

/// Fills in what an animation key leaves out: from the key before it, or for the first key from the body or camera.
void fillAnimationKeys(SceneBuilder& builder);

/// Fills in the values of snow and render presets where no layer gave a value.
void applyPresets(SceneBuilder& builder);

/// Makes the paths of referenced files complete and checks that the files exist. Throws Error(File), or Error(Usage)
/// for a path outside the scene's folder.
void resolveFiles(SceneBuilder& builder, bool allowOutside);

/// Checks what no single key can tell, such as min below max. Throws Error(Usage) at the place of the wrong key.
void checkScene(const SceneBuilder& builder);

}  // namespace firn

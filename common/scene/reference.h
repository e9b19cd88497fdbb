#pragma once
// The reference page of the scene file, docs/scene.md.

#include <string>

namespace firn {

/// The whole page as Markdown, made from the tables of keys and presets.
std::string sceneReference();

/// The scene that the page opens with.
std::string exampleScene();

}  // namespace firn

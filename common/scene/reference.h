#pragma once
// The reference page of the scene file, docs/scene.md.

#include <string>

namespace firn {

/// The whole page as Markdown, made from the tables of keys and presets.
std::string sceneReference();

/// The scene at the beginning of the page.
std::string exampleScene();

}  // namespace firn

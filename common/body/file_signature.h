#pragma once
// What kind of file the first bytes of an animated mesh say it is.

#include <filesystem>
#include <string>

namespace firn {

/// Throws Error(File) for a file that is empty or cut, or whose content does not match its extension .glb, .gltf or
/// .fbx. The message begins with `source`.
void checkSignature(const std::filesystem::path& file, const std::string& source);

}  // namespace firn

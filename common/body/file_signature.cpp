#include "common/body/file_signature.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "common/error.h"
#include "common/io/extension.h"

namespace firn {

namespace {

enum class Content { Glb, Gltf, Fbx, Other };

/// Names of the formats, by Content.
constexpr const char* nameOf[] = {"binary glTF (.glb)", "glTF text (.gltf)", "FBX (.fbx)"};

Content contentOf(const std::string& start)
{
    if (start.starts_with("glTF")) return Content::Glb;
    if (start.starts_with("Kaydara FBX Binary") || start.find("FBX") != std::string::npos) return Content::Fbx;
    const std::size_t text = start.find_first_not_of(" \t\r\n");
    const bool isJson =
        text != std::string::npos && (start[text] == '{' || start.compare(text, 3, "\xEF\xBB\xBF") == 0);
    return isJson ? Content::Gltf : Content::Other;
}

Content expectedOf(const std::filesystem::path& file)
{
    const std::string extension = lowerExtension(file);
    return extension == ".glb" ? Content::Glb : extension == ".gltf" ? Content::Gltf : Content::Fbx;
}

/// The length that the header of a binary glTF states, in bytes; 0 without one.
std::uintmax_t statedLength(const std::string& start)
{
    std::uint32_t length = 0;
    if (start.size() >= 12) std::memcpy(&length, start.data() + 8, sizeof length);
    return length;
}

}  // namespace

void checkSignature(const std::filesystem::path& file, const std::string& source)
{
    std::ifstream in(file, std::ios::binary);
    std::string start(512, '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(in.gcount()));
    const auto fail = [&](const std::string& what) { throw Error(ExitCode::File, source + ": " + what); };
    if (start.empty()) fail("the file is empty");
    const Content expected = expectedOf(file), found = contentOf(start);
    const std::string wanted = nameOf[static_cast<int>(expected)];
    if (found == Content::Other)
        fail("the file begins with \"" + clampText(start.substr(0, 16)) + "\"; expected " + wanted);
    if (found != expected) fail("the file is " + std::string(nameOf[static_cast<int>(found)]) + "; expected " + wanted);
    const std::uintmax_t size = std::filesystem::file_size(file);
    if (found == Content::Glb && statedLength(start) > size)
        fail("the file is cut: it has " + std::to_string(size) + " of " + std::to_string(statedLength(start)) +
             " bytes");
}

}  // namespace firn

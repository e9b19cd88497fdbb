// Writes what report_page_test.py looks at: two takes of four frames under the folder given, and values.json with what
// their files hold. Names and texts are such as would break out of a page that does not escape them.

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/image/exr.h"

namespace {

using namespace firn;
namespace fs = std::filesystem;

constexpr int width = 160, height = 90;
constexpr const char* nasty =
    "</script><script>window.isBroken = true</script>\"'<img src=x onerror=\"isBroken = 1\">{{data}}";

/// Ramps; 0.3 more within `patch`, `offset` more everywhere. Standard errors of 0.01.
Image ramps(bool hasPatch, float offset)
{
    Image image(width, height);
    for (const char* name : {"R", "G", "B"}) image.add(name);
    for (const char* name : {"stderr.R", "stderr.G", "stderr.B"})
        image.add(name).pixels.assign(image.pixelCount(), 0.01f);
    image.add("samples", true).pixels.assign(image.pixelCount(), 100000);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
            const bool isInPatch = hasPatch && x >= 100 && x < 120 && y >= 30 && y < 50;
            const float more = offset + (isInPatch ? 0.3f : 0);
            image.find("R")->pixels[i] = 1.5f * static_cast<float>(x) / width + more;
            image.find("G")->pixels[i] = 1.5f * static_cast<float>(y) / height + more;
            image.find("B")->pixels[i] = 0.25f + more;
        }
    }
    return image;
}

void write(const fs::path& path, Image image, const std::string& scene)
{
    image.metadata["firn.note"] = nasty + path.parent_path().string();
    image.metadata["firn.view"] = std::string("filmic");
    image.metadata[sceneAttribute] = scene;
    writeExr(path, image);
}

nlohmann::json valuesOf(const fs::path& path)
{
    const Image image = readExr(path);
    nlohmann::json values;
    for (const char* channel : {"R", "G", "B"}) values[channel] = image.at(channel).pixels;
    return values;
}

void writeAll(const fs::path& folder)
{
    const fs::path a = folder / "<script>isBroken='a'", b = folder / "b\"'&lt;{{script}}";
    fs::create_directories(a);
    fs::create_directories(b);
    const std::string scene = std::string("[solver]\ndx = 0.01\n\n[render]\nname = ") + nasty + "\n";
    const std::string changed = std::string("[solver]\ndx = 0.02\n\n[render]\nname = ") + nasty + "\n";
    nlohmann::json values = {{"width", width}, {"height", height}, {"a", a.string()}, {"b", b.string()}};
    for (int frame = 1001; frame <= 1004; ++frame) {
        const std::string name = "shot." + std::to_string(frame) + ".exr";
        write(a / name, ramps(false, 0), scene);
        write(b / name, ramps(frame == 1002, frame == 1004 ? 0.1f : 0), changed);
        values["frames"][std::to_string(frame)] = {{"a", valuesOf(a / name)}, {"b", valuesOf(b / name)}};
    }
    fs::resize_file(b / "shot.1003.exr", 1000);
    std::ofstream(folder / "values.json") << values;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) return 2;
    try {
        writeAll(argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

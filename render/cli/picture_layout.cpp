#include "render/cli/picture_layout.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "common/cache/checkpoint.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// Names of the files that statistics list. Lines that cannot be read are passed over.
std::set<std::string> listedPictures(const fs::path& folder)
{
    std::set<std::string> names;
    for (const fs::path& path : pictureStatistics(folder)) {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            const auto json = tryParseJson(line);
            if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) continue;
            for (const auto& file : json["files"]) {
                if (file.is_object()) names.insert(file.value("path", ""));
            }
        }
    }
    return names;
}

}  // namespace

fs::path PictureLayout::exrPath(int frame) const { return framePath(folder / (scene + ".####.exr"), frame); }

fs::path PictureLayout::pngPath(int frame) const { return framePath(folder / (scene + ".####.png"), frame); }

fs::path PictureLayout::filmPath(int frame) const { return framePath(folder / (scene + ".####.film"), frame); }

std::vector<fs::path> pictureStatistics(const fs::path& folder)
{
    std::vector<fs::path> paths;
    for (const char* name : {"render_stats.jsonl", "stats.jsonl"}) {
        if (fs::exists(folder / name)) paths.push_back(folder / name);
    }
    return paths;
}

bool isFirnPicture(const fs::path& exr)
{
    try {
        return readExrMetadata(exr).contains("firn.program");
    } catch (const Error&) {
        return false;
    }
}

void requireOwnPictures(const PictureLayout& layout, const std::vector<int>& frames)
{
    const std::set<std::string> listed = listedPictures(layout.folder);
    const auto refuse = [](const fs::path& path) {
        throw Error(ExitCode::File, path.string() +
                                        " exists, and nothing shows that firn-render wrote it. "
                                        "Rendering would replace it: move it away, or choose another --out");
    };
    for (const int frame : frames) {
        if (fs::exists(layout.filmPath(frame)) && !isCheckpoint(layout.filmPath(frame))) refuse(layout.filmPath(frame));
        for (const fs::path& path : {layout.exrPath(frame), layout.pngPath(frame)}) {
            if (!fs::exists(path) || listed.contains(path.filename().string())) continue;
            if (isFirnPicture(layout.exrPath(frame))) continue;
            refuse(path);
        }
    }
}

}  // namespace firn

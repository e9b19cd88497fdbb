#include "render/cli/picture_layout.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "common/cache/checkpoint.h"
#include "common/cli/program.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/own_file.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

bool isStatisticsLine(const nlohmann::json& json)
{
    return json.is_object() && json.contains("files") && json["files"].is_array();
}

/// Whether the file is empty or has a line of statistics. Others may be damaged.
bool isOwnStatistics(const fs::path& path)
{
    std::ifstream in(path);
    bool isEmpty = true;
    for (std::string line; std::getline(in, line); isEmpty = false)
        if (isStatisticsLine(tryParseJson(line))) return true;
    return isEmpty;
}

/// Whether the file is what a full disk or a broken copy leaves of a picture: nothing, or its beginning.
bool isRestOfPicture(const fs::path& path)
{
    if (fs::is_empty(path)) return true;
    if (path.extension() == ".png") return beginsWith(path, pngSignature) && !isUncutPng(path);
    return beginsWith(path, exrSignature) && !isUncutExr(path);
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

ListedPictures::ListedPictures(const fs::path& folder)
{
    for (const fs::path& path : pictureStatistics(folder)) {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            const auto json = tryParseJson(line);
            if (!isStatisticsLine(json)) continue;
            for (const auto& file : json["files"]) {
                if (file.is_object()) m_checksums[file.value("path", "")].insert(file.value("checksum", ""));
            }
        }
    }
}

bool ListedPictures::hasName(const fs::path& picture) const
{
    return m_checksums.contains(picture.filename().string());
}

bool ListedPictures::isOther(const std::filesystem::path& picture) const
{
    return hasName(picture) && std::filesystem::exists(picture) && !has(picture);
}

bool ListedPictures::has(const fs::path& picture) const
{
    const auto found = m_checksums.find(picture.filename().string());
    if (found == m_checksums.end()) return false;
    try {
        return found->second.contains(checksum(readFile(picture)));
    } catch (const Error&) {
        return false;  // such as a folder of this name
    }
}

std::map<int, std::set<std::string>> listedNames(const fs::path& folder)
{
    std::map<int, std::set<std::string>> names;
    for (const fs::path& path : pictureStatistics(folder)) {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            const auto json = tryParseJson(line);
            if (!isStatisticsLine(json) || !json.contains("frame") || !json["frame"].is_number_integer()) continue;
            for (const auto& file : json["files"]) {
                const bool isNamed = file.is_object() && file.contains("path") && file["path"].is_string();
                if (isNamed) names[json["frame"].get<int>()].insert(file["path"].get<std::string>());
            }
        }
    }
    return names;
}

std::optional<Image> readUndamaged(const fs::path& exr)
{
    try {
        return readExr(exr);
    } catch (const Error& error) {
        warn(error.what());
        return std::nullopt;
    }
}

bool isFirnPicture(const fs::path& exr)
{
    try {
        return readExrHeader(exr).metadata.contains("firn.program");
    } catch (const Error&) {
        return false;
    }
}

void requireUsableName(const std::string& scene)
{
    if (scene.find_first_of("#%$") == std::string::npos) return;
    throw Error(ExitCode::Usage, "the scene is called '" + clampText(scene) +
                                     "', after its file. Pictures are named after it, so its name must not contain "
                                     "'#', '%' or '$', which stand for numbers of frames: rename the file");
}

void requireOwnPictures(const PictureLayout& layout, const std::vector<int>& frames)
{
    const ListedPictures listed(layout.folder);
    const auto isRest = [&](const fs::path& path) { return listed.hasName(path) && isRestOfPicture(path); };
    const auto refuse = [&](const fs::path& path) {
        const std::string found = listed.hasName(path)
                                      ? "is not the picture that firn-render wrote under this name, or it is damaged"
                                      : std::string(foreignText);
        throw Error(ExitCode::File, path.string() + " " + found +
                                        ". Rendering would replace it: move it away, or choose another --out");
    };
    if (!isOwnStatistics(layout.statsPath())) refuse(layout.statsPath());
    for (const int frame : frames) {
        const fs::path film = layout.filmPath(frame), exr = layout.exrPath(frame), png = layout.pngPath(frame);
        for (const fs::path& path : {film, exr, png}) requireReadable(path);
        if (fs::exists(film) && !isCheckpoint(film)) refuse(film);
        if (fs::exists(exr) && !isFirnPicture(exr) && !listed.has(exr) && !isRest(exr)) refuse(exr);
        if (fs::exists(png) && !isMarked(png, previewMark) && !listed.has(png) && !isRest(png)) refuse(png);
    }
}

}  // namespace firn

#include "render/cli/picture_folders.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "render/cli/differing_pictures.h"
#include "render/cli/layer_view.h"
#include "render/cli/picture_layout.h"
#include "render/cli/picture_traits.h"
#include "render/cli/sequences.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// Times of the frames in the folder's statistics. They are only shown, so lines that cannot be read are left out.
std::map<int, double> frameTimes(const fs::path& folder)
{
    std::map<int, double> times;
    for (const fs::path& path : pictureStatistics(folder)) {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            const auto json = tryParseJson(line);
            if (!json.is_object() || !json.contains("frame") || !json.contains("time_s")) continue;
            if (!json["frame"].is_number_integer() || !json["time_s"].is_number()) continue;
            times[json["frame"].get<int>()] = json["time_s"].get<double>();
        }
    }
    return times;
}

/// Adds the EXR files of the frames whose previews are missing.
void addWithoutPreview(fs::path pattern, std::map<int, fs::path>& pictures)
{
    pattern.replace_extension(".exr");
    const auto found = sequences(pattern.parent_path(), ".exr");
    const auto frames = found.find(pattern);
    if (frames == found.end()) return;
    for (const int frame : frames->second) pictures.emplace(frame, framePath(pattern, frame));
}

PictureFolder readFolder(const fs::path& folder)
{
    PictureFolder result{folder, "", {}, "", {}, frameTimes(folder)};
    for (const char* extension : {".png", ".exr"}) {
        const auto found = sequences(folder, extension);
        if (found.size() > 1) {
            throw Error(ExitCode::File, folder.string() + ": holds several sequences, " +
                                            found.begin()->first.filename().string() + " and " +
                                            std::next(found.begin())->first.filename().string() +
                                            ": move one of them to a folder of its own");
        }
        for (const auto& [pattern, frames] : found) {
            for (const int frame : frames) result.pictures[frame] = framePath(pattern, frame);
        }
        if (found.empty()) continue;
        addWithoutPreview(found.begin()->first, result.pictures);
        break;
    }
    return result;
}

fs::path exrOf(fs::path picture) { return picture.replace_extension(".exr"); }

std::map<int, fs::path> exrsOf(const PictureFolder& folder)
{
    std::map<int, fs::path> exrs;
    for (const auto& [frame, picture] : folder.pictures) exrs.emplace(frame, exrOf(picture));
    return exrs;
}

/// takeText() of the take of the first picture that tells how it was made, "" if it is of no take. None if no EXR
/// tells.
std::optional<std::string> takeOfPictures(const PictureFolder& folder)
{
    for (const auto& [frame, picture] : folder.pictures) {
        const std::optional<Image> header = knownHeader(exrOf(picture));
        if (!header) continue;
        const PictureTraits traits = traitsOf(*header);
        if (!traits.values.empty()) return traits.take;
    }
    return std::nullopt;
}

/// Adds the settings of the folder's take: those that its pictures were made with, if they tell them.
void labelTake(PictureFolder& folder, const Take& take)
{
    folder.take = takeText(take);
    const auto shown = takeOfPictures(folder);
    for (const std::string& setting : shown ? takeOfText(*shown).set : take.set)
        folder.settings.push_back(shortSetting(setting));
}

/// Adds the subfolders that hold pictures.
void addSubfolders(const fs::path& folder, std::vector<PictureFolder>& result)
{
    std::vector<PictureFolder> found;
    if (const auto wedge = readWedge(folder)) {
        for (const Take& take : wedge->takes) {
            if (!fs::is_directory(folder / take.name)) {
                warn("warning: " + folder.string() + " has no folder for take '" + take.name +
                     "', which wedge.json lists: it is left out");
                continue;
            }
            found.push_back(readFolder(folder / take.name));
            labelTake(found.back(), take);
        }
    } else {
        std::vector<fs::path> paths;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            if (entry.is_directory()) paths.push_back(entry.path());
        }
        std::sort(paths.begin(), paths.end());
        for (const fs::path& path : paths) found.push_back(readFolder(path));
    }
    std::erase_if(found, [](const PictureFolder& take) { return take.pictures.empty(); });
    if (found.empty()) {
        throw Error(ExitCode::File, folder.string() + ": holds no pictures name.####.png or name.####.exr");
    }
    result.insert(result.end(), found.begin(), found.end());
}

/// The parts of the path, without "." and empty ones.
std::vector<std::string> partsOf(const fs::path& path)
{
    std::vector<std::string> parts;
    for (const fs::path& part : path.lexically_normal()) {
        if (!part.empty() && part != ".") parts.push_back(part.string());
    }
    return parts;
}

/// A title is the path without the first and the last parts that all paths have in common.
void titleFolders(std::vector<PictureFolder>& folders)
{
    if (folders.size() < 2) return;
    std::vector<std::vector<std::string>> paths;
    paths.reserve(folders.size());
    for (const PictureFolder& folder : folders) paths.push_back(partsOf(folder.path));
    const auto haveCommon = [&](auto part) {
        return std::all_of(paths.begin(), paths.end(), [&](const auto& path) {
            return path.size() > 1 && paths[0].size() > 1 && part(path) == part(paths[0]);
        });
    };
    while (haveCommon([](const auto& path) { return path.front(); })) {
        for (auto& path : paths) path.erase(path.begin());
    }
    while (haveCommon([](const auto& path) { return path.back(); })) {
        for (auto& path : paths) path.pop_back();
    }
    for (std::size_t i = 0; i < folders.size(); ++i) {
        for (const std::string& part : paths[i]) folders[i].title += (folders[i].title.empty() ? "" : "/") + part;
    }
}

/// Warns of pictures that the statistics list and that are not there, and of previews that are missing where other
/// frames have theirs.
void warnOfMissing(const PictureFolder& folder)
{
    std::vector<int> missing, unseen;
    for (const auto& [frame, names] : listedNames(folder.path))
        if (!folder.pictures.contains(frame)) missing.push_back(frame);
    for (const auto& [frame, picture] : folder.pictures)
        if (picture.extension() == ".exr") unseen.push_back(frame);
    const std::string start = "warning: " + folder.path.string() + ": ";
    if (!missing.empty()) warn(start + "pictures of " + framesText(missing) + " are listed, but missing");
    if (!unseen.empty() && unseen.size() < folder.pictures.size())
        warn(start + "previews of " + framesText(unseen) + " are missing: their EXR is shown instead");
}

}  // namespace

std::vector<PictureFolder> pictureFolders(const std::vector<fs::path>& given)
{
    std::vector<PictureFolder> result;
    for (const fs::path& folder : given) {
        PictureFolder itself = readFolder(folder);
        if (itself.pictures.empty()) {
            addSubfolders(folder, result);
        } else {
            result.push_back(std::move(itself));
        }
    }
    titleFolders(result);
    return result;
}

void warnOfOthers(const PictureFolder& folder)
{
    const ListedPictures listed(folder.path);
    std::map<std::string, std::vector<int>> ofOtherTakes;
    for (const auto& [frame, picture] : folder.pictures) {
        if (listed.isOther(picture))
            warn("warning: " + picture.string() + " is not the picture that was rendered: it was damaged or changed");
        const fs::path exr = exrOf(picture);
        if (!fs::exists(exr)) continue;
        const std::optional<Image> header = knownHeader(exr);
        if (!header) {
            warn("warning: " + exr.string() + " is damaged or cannot be read");
            continue;
        }
        warnOfOtherFrame(exr, header->metadata, frame);
        const PictureTraits shown = traitsOf(*header);
        if (!folder.take.empty() && !shown.values.empty() && shown.take != folder.take)
            ofOtherTakes[shown.take].push_back(frame);
    }
    for (const auto& [take, frames] : ofOtherTakes)
        warn("warning: " + folder.path.string() + ": pictures of " + framesText(frames) + " were made " +
             (take.empty() ? "without a take" : "as take '" + clampText(take, 200) + "'") + "; wedge.json has '" +
             clampText(folder.take, 200) + "'");
    warnOfMissing(folder);
    if (const std::vector<int> frames = differingPreviews(folder.pictures); !frames.empty())
        warn("warning: " + folder.path.string() + ": previews of " + framesText(frames) +
             " are of the other kind (noisy or denoised) than the first");
    const DifferingPictures differing = differingPictures(exrsOf(folder));
    if (!differing.frames.empty())
        warn("warning: " + folder.path.string() + ": pictures that were made with other values: " +
             framesText(differing.frames) + " (" + differing.difference + ")");
}

void warnOfUnlikeTakes(const std::vector<PictureFolder>& folders)
{
    std::map<fs::path, const PictureFolder*> firsts;  // by the folder of the wedge
    for (const PictureFolder& folder : folders) {
        if (folder.take.empty()) continue;
        const PictureFolder& first = *firsts.emplace(folder.path.parent_path(), &folder).first->second;
        const Take a = takeOfText(first.take), b = takeOfText(folder.take);
        const std::string differs = differenceOfTakes(a, exrsOf(first), b, exrsOf(folder));
        if (!differs.empty())
            warn("warning: " + folder.path.parent_path().string() + ": the pictures of takes '" + a.name + "' and '" +
                 b.name + "' differ in more than the takes: " + differs);
    }
}

Rgb8Image readPreview(const fs::path& path)
{
    if (path.extension() == ".exr") return viewLayer(readExr(path), {}).pixels;
    try {
        return decodePng(readFile(path), path.string());
    } catch (const Error& error) {
        if (!fs::exists(exrOf(path)) || !isUncutExr(exrOf(path))) throw;
        warn("warning: " + std::string(error.what()) + "; its EXR is shown instead");
        return readPreview(exrOf(path));
    }
}

}  // namespace firn

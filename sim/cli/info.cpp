#include "sim/cli/info.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "common/cli/option_values.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/progress.h"
#include "sim/cli/describe_cache.h"
#include "sim/cli/restore.h"

namespace firn {
namespace {

using Json = nlohmann::ordered_json;

bool isMissing(const Json& file) { return file.value("missing", false); }
bool isUnreadable(const Json& file) { return file.value("unreadable", false); }

/// Prints what is wrong with a file.
void printDamage(const Json& file)
{
    const std::string name = file.at("name"), damage = file.at("damage");
    if (isMissing(file)) {
        std::printf("  MISSING  %s\n", name.c_str());
    } else if (isUnreadable(file)) {
        std::printf("  UNREADABLE  %s: %s\n", name.c_str(), damage.c_str());
    } else if (!damage.empty()) {
        std::printf("  DAMAGED  %s: %s\n", name.c_str(), damage.c_str());
    }
}

/// "no file is damaged; all frames are there", "no frame is missing, but 1 file is damaged", "1 file is missing, 2
/// files are DAMAGED, 1 file cannot be read; frames 4-12 not simulated yet".
std::string stateText(const Json& cache)
{
    int missing = 0, damaged = 0, unreadable = 0;
    const auto count = [&](const Json& file) {
        if (isMissing(file)) {
            ++missing;
        } else if (isUnreadable(file)) {
            ++unreadable;
        } else if (!file.at("damage").get<std::string>().empty()) {
            ++damaged;
        }
    };
    for (const Json& frame : cache.at("frames")) {
        for (const Json& file : frame.at("files")) count(file);
    }
    for (const char* kind : {"checkpoints", "others", "strays"}) {
        for (const Json& file : cache.at(kind)) count(file);
    }
    const auto files = [](int number) { return std::to_string(number) + (number == 1 ? " file is " : " files are "); };
    if (damaged && !unreadable && cache.at("complete")) return "no frame is missing, but " + files(damaged) + "damaged";
    std::string text = missing ? files(missing) + "missing" : "";
    if (damaged) text += (missing ? ", " : "") + files(damaged) + "DAMAGED";
    if (unreadable) {
        text += text.empty() ? "" : ", ";
        text += std::to_string(unreadable) + (unreadable == 1 ? " file" : " files") + " cannot be read";
    }
    if (cache.at("lacks_lines")) text += std::string(text.empty() ? "" : ", ") + "stats.jsonl lacks lines";
    if (text.empty()) text = "no file is damaged";
    const std::string unlisted = cache.at("unlisted"), open = cache.at("not_simulated");
    if (!unlisted.empty()) text += "; " + framesText(unlisted) + " without a line in stats.jsonl";
    if (!open.empty()) text += "; " + framesText(open) + " not simulated yet";
    return cache.at("complete") && !unreadable ? text + "; all frames are there" : text;
}

/// Whether a run would make the file anew.
bool isFaulty(const Json& file)
{
    return isMissing(file) || (!isUnreadable(file) && !file.at("damage").get<std::string>().empty());
}

std::string folderOf(const Json& cache) { return cache.at("path"); }

/// Frames with files that are missing or damaged.
std::vector<int> faultyFrames(const Json& cache)
{
    std::vector<int> faulty;
    for (const Json& frame : cache.at("frames"))
        if (std::ranges::any_of(frame.at("files"), isFaulty)) faulty.push_back(frame.at("frame"));
    return faulty;
}

/// "'firn-sim run ... --resume' restores missing and damaged frames", for frames that a run of the scene of the first
/// frame makes. Where the scene changed between frames, only those before the change are such, and, if
/// `haveCheckpoints`, those that have a checkpoint of their own.
void printAdviceOnFrames(const Json& cache, std::vector<int> frames, const std::string& does, bool haveCheckpoints)
{
    if (cache.at("scenes") == 1) {
        std::printf("  %s %s\n", restoreCommand(folderOf(cache), "").c_str(), does.c_str());
        return;
    }
    const int first = cache.at("frames").front().at("frame"), end = cache.at("first_scene_end");
    std::vector<int> later(std::ranges::upper_bound(frames, end), frames.end());
    frames.resize(frames.size() - later.size());
    for (const Json& checkpoint : cache.at("checkpoints")) {
        const int frame = checkpoint.at("frame");
        if (!haveCheckpoints || isFaulty(checkpoint) || frame <= end) continue;
        const std::vector<int> after(std::ranges::lower_bound(later, frame), later.end());
        if (after.empty()) continue;
        later.resize(later.size() - after.size());
        std::printf("  with the scene of frame %d, %s %s\n", frame,
                    restoreCommand(folderOf(cache), formatFrames(after)).c_str(), does.c_str());
    }
    if (!frames.empty())
        std::printf("  with the scene of frame %d, %s %s\n", first,
                    restoreCommand(folderOf(cache), formatFrames(frames)).c_str(), does.c_str());
    if (!later.empty())
        std::printf("  the scene changed after frame %d, so --resume cannot make %s again: copy frames from a backup\n",
                    end, framesText(later).c_str());
}

/// Whether a file must be moved away before the cache is continued.
bool hasForeign(const Json& cache)
{
    const auto isForeign = [](const Json& file) { return file.at("foreign").get<bool>(); };
    const auto hasOne = [&](const Json& files) { return std::ranges::any_of(files, isForeign); };
    return hasOne(cache.at("checkpoints")) || !cache.at("strays").empty() ||
           std::ranges::any_of(cache.at("frames"), [&](const Json& frame) { return hasOne(frame.at("files")); });
}

bool hasUnreadable(const Json& cache)
{
    return std::ranges::any_of(cache.at("others"), isUnreadable) ||
           std::ranges::any_of(cache.at("frames"),
                               [](const Json& frame) { return std::ranges::any_of(frame.at("files"), isUnreadable); });
}

/// About what a cache has beside frames and checkpoints.
void printAdviceOnOthers(const Json& others, const std::string& command)
{
    for (const Json& file : others) {
        if (!isFaulty(file)) continue;
        const std::string name = file.at("name");
        const std::string before = isMissing(file) ? "" : name + " was changed: move it away, then ";
        std::printf("  %s%s writes %s\n", before.c_str(), command.c_str(),
                    isMissing(file) ? name.c_str() : "a new one");
    }
}

constexpr const char* simulatesAgainText =
    "  no checkpoint can be read, so --resume simulates the earlier frames again before it continues";

/// What to do about files that are damaged or missing.
void printAdvice(const Json& cache)
{
    if (cache.at("lines_are_foreign")) {
        std::puts(
            "  copy the stats.jsonl of this cache from a backup, or, if the frames are from elsewhere, move them all "
            "away: what is said of frames and checkpoints follows from stats.jsonl");
        return;
    }
    if (cache.at("lacks_lines")) {
        std::puts("  --resume needs the lines of all frames before its checkpoint: copy stats.jsonl from a backup");
        return;
    }
    const std::vector<int> faulty = faultyFrames(cache);
    const std::string restores = "restores missing and damaged frames";
    if (cache.at("lacks_checkpoint") && cache.at("scenes") != 1) {
        std::puts(
            "  no checkpoint can be read, so --resume cannot simulate the other frames: copy one from a backup, "
            "or start over with --force");
        if (!faulty.empty()) printAdviceOnFrames(cache, faulty, restores, true);
        return;
    }
    if (cache.at("lacks_checkpoint")) std::puts(simulatesAgainText);
    if (hasUnreadable(cache))
        std::puts("  first make the files readable, and move away what is not a file: --resume refuses both");
    if (hasForeign(cache)) std::puts("  first move away the files that are said to be from elsewhere");
    if (!faulty.empty()) printAdviceOnFrames(cache, faulty, restores, true);
    printAdviceOnOthers(cache.at("others"), restoreCommand(folderOf(cache), ""));
    const auto isDamagedOwn = [](const Json& file) { return isFaulty(file) && !file.at("foreign").get<bool>(); };
    if (!std::ranges::any_of(cache.at("checkpoints"), isDamagedOwn)) return;
    if (cache.at("lacks_checkpoint")) return;
    const auto isEmpty = [&](const char* frames) { return cache.at(frames).get<std::string>().empty(); };
    if (!isEmpty("not_simulated") || !isEmpty("unlisted")) {
        std::puts(std::ranges::all_of(cache.at("checkpoints"), isFaulty)
                      ? simulatesAgainText
                      : "  --resume continues from the newest checkpoint that is not damaged");
    } else if (faulty.empty()) {
        std::puts("  no frame is left to simulate, so damaged checkpoints may be deleted");
    }
}

/// "0.25"; "" without a number.
std::string numberText(const Json& number)
{
    if (!number.is_number()) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%g", number.get<double>());
    return text;
}

/// "  snow 'slush'  preset slush, 550 kg/m3, grains of 1 mm, wetness 0.6".
void printRegions(const Json& cache)
{
    for (const Json& region : cache.at("regions")) {
        std::string text;
        const auto add = [&](const char* key, const std::string& before, const std::string& after) {
            const Json found = region.value(key, Json());
            const std::string value = found.is_string() ? found.get<std::string>() : numberText(found);
            if (!value.empty()) text += (text.empty() ? "  " : ", ") + before + value + after;
        };
        add("preset", "preset ", "");
        add("density_kg_m3", "", " kg/m3");
        add("grain_radius_mm", "grains of ", " mm");
        add("wetness", "wetness ", "");
        std::printf("  snow %s%s\n", quotedName(region.at("name").get<std::string>()).c_str(), text.c_str());
    }
}

void printInstructions(const Json& cache)
{
    std::set<std::string> used;
    for (const Json& frame : cache.at("frames")) used.insert(frame.at("instructions").get<std::string>());
    used.erase("");
    if (used.empty()) return;
    const std::vector<std::string> names(used.begin(), used.end());
    std::printf("  simulated with %s instructions\n", clampText(listText(names, "and"), 60).c_str());
}

void printFolder(const Json& cache)
{
    std::vector<int> frames;
    for (const Json& frame : cache.at("frames")) {
        const auto isSnow = [](const Json& file) {
            return !isMissing(file) && file.at("name").get<std::string>().starts_with("snow.");
        };
        if (std::ranges::any_of(frame.at("files"), isSnow)) frames.push_back(frame.at("frame"));
        for (const Json& file : frame.at("files")) printDamage(file);
    }
    for (const char* kind : {"checkpoints", "others", "strays"}) {
        for (const Json& file : cache.at(kind)) printDamage(file);
    }
    const std::size_t checkpoints = cache.at("checkpoints").size();
    std::printf("%s: %s, %s, %zu %s; %s\n", cache.at("path").get<std::string>().c_str(),
                frames.empty() ? "no frames" : framesText(frames).c_str(),
                formatBytes(cache.at("bytes").get<double>()).c_str(), checkpoints,
                checkpoints == 1 ? "checkpoint" : "checkpoints", stateText(cache).c_str());
    printInstructions(cache);
    const int scenes = cache.at("scenes");
    if (scenes > 1)
        std::printf("  the frames are of %d different scenes: the scene changes after %s\n", scenes,
                    framesText(parseFrames(cache.at("scene_ends").get<std::string>())).c_str());
    printAdvice(cache);
    if (const std::string leftOut = cache.at("left_out"); !leftOut.empty()) {
        const bool hasOneScene = cache.at("scenes") == 1;
        std::printf("  --frames left out %s%s\n", framesText(leftOut).c_str(),
                    hasOneScene ? ("; " + restoreCommand(folderOf(cache), "") + " writes them").c_str() : "");
        if (!hasOneScene)
            printAdviceOnFrames(cache, parseFrames(leftOut), "writes those that --frames left out", false);
    }
    for (const Json& note : cache.at("notes")) std::printf("  note: %s\n", note.get<std::string>().c_str());
    printRegions(cache);
}

void printEntries(const Json& object)
{
    for (const auto& [key, value] : object.items()) {
        std::printf("  %-14s %s\n", key.c_str(),
                    value.is_string() ? value.get<std::string>().c_str() : jsonText(value).c_str());
    }
}

}  // namespace

ExitCode info(const InfoOptions& options)
{
    const Json result = describeCache(options.path);
    if (options.json) {
        std::cout << jsonText(result, 2) << std::endl;
    } else if (result.at("kind") == "cache") {
        printFolder(result);
    } else {
        printEntries(result);
    }
    return result.value("whole", true) ? ExitCode::Done : ExitCode::File;
}

}  // namespace firn

#include "sim/cli/wedge.h"

#include <algorithm>
#include <iostream>
#include <map>

#include "common/cache/lock.h"
#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/io/checked_file.h"
#include "common/scene/builder.h"
#include "common/scene/dump.h"
#include "common/scene/hash.h"
#include "sim/cli/forecast.h"
#include "sim/cli/own_files.h"
#include "sim/cli/resume.h"
#include "sim/cli/run.h"
#include "sim/cli/wedge_takes.h"

namespace firn {

namespace {

SceneOptions sceneOf(const WedgeOptions& options, const Take& take)
{
    SceneOptions scene = options.run.scene;
    scene.take_set = take.set;
    return scene;
}

RunOptions runOf(const WedgeOptions& options, const Take& take)
{
    RunOptions run = options.run;
    run.out = options.run.out / take.name;
    run.scene = sceneOf(options, take);
    run.resume = !options.run.force;
    run.is_take = true;
    return run;
}

/// The takes of --vary, or else those of the scene.
std::vector<Take> takesOf(const WedgeOptions& options)
{
    if (!options.vary.empty()) return combinations(options.vary);
    std::vector<Take> takes = loadScene(options.run.shot, options.run.scene).takes;
    if (takes.empty()) {
        throw Error(ExitCode::Usage, options.run.shot.string() + " has no [[take]]: give --vary KEY=VALUE,VALUE");
    }
    return takes;
}

std::string keyOf(const std::string& setting) { return setting.substr(0, setting.find('=')); }

/// The settings of a take by their keys with indices, so that two names of one key are the same. Throws Error(Usage) if
/// a take sets a key twice.
std::map<std::string, std::string> settingsByKey(const Scene& scene, const Take& take)
{
    std::map<std::string, std::string> result;
    for (const std::string& setting : take.set) {
        const auto [same, isNew] = result.emplace(numberedPath(scene, keyOf(setting)), setting);
        if (!isNew)
            throw Error(ExitCode::Usage, "take '" + take.name + "' sets one key twice: " + clampText(same->second) +
                                             " and " + clampText(setting));
    }
    return result;
}

/// Throws Error(Usage) if a take sets a key twice, or one that --set sets too: the value of the take would replace it.
void requireEachKeyOnce(const WedgeOptions& options, const std::vector<Take>& takes)
{
    const Scene scene = loadScene(options.run.shot, options.run.scene).scene;
    for (const Take& take : takes) {
        const auto settings = settingsByKey(scene, take);
        for (const std::string& option : options.run.scene.set)
            if (settings.contains(numberedPath(scene, keyOf(option))))
                throw Error(ExitCode::Usage, "--set " + clampText(option) + ": take '" + take.name + "' sets " +
                                                 clampText(keyOf(option)) +
                                                 " too, and its value counts. Remove the option, or change the takes");
    }
}

/// Otherwise takes are printed, and no folder is looked at.
bool isSimulated(const WedgeOptions& options) { return !options.list && !options.count; }

struct FirstTake {
    std::string name, settings;
};

void warnOfSameSnow(const FirstTake& a, const FirstTake& b)
{
    warn("warning: takes '" + a.name + "' and '" + b.name + "' simulate the same snow: " +
         (a.settings == b.settings ? "their settings are the same"
                                   : "their settings differ only in keys that firn-render reads"));
}

/// The folder of a take in a folder of pictures has no cache, and no wedge.
void requireNoPicturesOfTake(const std::filesystem::path& folder)
{
    if (std::filesystem::exists(wedgePath(folder))) refuseMixedFolder(folder, "a wedge");
    if (!std::filesystem::exists(folder / pictureRecordName) || CacheLayout{folder}.isUsed()) return;
    throw Error(ExitCode::Usage, folder.string() + " holds pictures: choose another --out");
}

void requireContinuableTake(const RunOptions& run, const Scene& scene, const std::vector<int>& frames)
{
    requireNoDeadLink(run.out);
    requireNoPicturesOfTake(run.out);
    if (!std::filesystem::exists(run.out)) return;
    if (!std::filesystem::is_directory(run.out))
        throw Error(ExitCode::File, run.out.string() + " is a file; expected a folder for the take: move it away");
    requireContinuable(CacheFolder(run.out), scene, identityOf(scene), {run.resume, run.force, run.is_take, frames});
}

/// Loads the scene of each take and counts its particles, so that no error is found only after other takes have
/// simulated for hours. Warns of takes that give the same simulation.
void checkTakes(const WedgeOptions& options, const std::vector<Take>& takes)
{
    std::map<std::string, FirstTake> firsts;  // by checksum of what is simulated
    for (const Take& take : takes) {
        try {
            const LoadedScene loaded = loadScene(options.run.shot, sceneOf(options, take));
            const Scene& scene = loaded.scene;
            const std::vector<int> frames = framesToWrite(scene, options.run.frames);
            requireMemory(scene, countedForecast(scene, frames));
            if (isSimulated(options)) {
                requireOwnFiles(CacheLayout{options.run.out / take.name});
                requireContinuableTake(runOf(options, take), scene, frames);
            }
            const auto [first, isNew] = firsts.emplace(sceneHash(scene), FirstTake{take.name, dumpValues(loaded)});
            if (!isNew) warnOfSameSnow(first->second, {take.name, dumpValues(loaded)});
        } catch (const Error& error) {
            throw Error(error.code(), "take '" + take.name + "': " + error.what());
        }
    }
}

void requireNoCache(const CacheLayout& layout)
{
    requireNoStrayWedge(layout.folder);
    if (layout.isUsed()) refuseMixedFolder(layout.folder, "a cache");
    if (std::filesystem::exists(layout.folder / pictureRecordName))
        refuseMixedFolder(layout.folder, "pictures of one cache");
}

/// In the folder's turn, where no run can begin: trying the lock would disturb it.
void requireNoRun(const CacheLayout& layout)
{
    requireNoCache(layout);
    if (FolderLock::isHeld(layout.folder)) refuseMixedFolder(layout.folder, "a cache");
}

void list(const std::vector<Take>& takes)
{
    for (std::size_t i = 0; i < takes.size(); ++i) {
        std::cout << i + 1 << "  " << takes[i].name;
        for (const std::string& setting : takes[i].set) std::cout << "  " << clampText(setting);
        std::cout << "\n";
    }
}

/// Of folders that hold a cache and are no take of the wedge: commands that read wedge.json pass over them.
void warnOfUnlisted(const std::filesystem::path& folder)
{
    const std::optional<Wedge> wedge = readWedge(folder);
    if (!wedge) return;
    for (const std::string& name : cacheFolders(folder)) {
        if (std::ranges::any_of(wedge->takes, [&](const Take& take) { return take.name == name; })) continue;
        warn("warning: " + (folder / name).string() +
             " holds a cache, but no take of this name is listed in wedge.json: other commands pass over it. Repeat "
             "firn-sim wedge with this take to list it");
    }
}

ExitCode simulate(const WedgeOptions& options, const std::vector<Take>& takes)
{
    ExitCode result = ExitCode::Done;
    for (std::size_t i = 0; i < takes.size(); ++i) {
        if (options.index > 0 && i + 1 != static_cast<std::size_t>(options.index)) continue;
        std::cerr << "take " << i + 1 << "/" << takes.size() << ": " << takes[i].name << std::endl;
        try {
            const ExitCode code = run(runOf(options, takes[i]));
            if (code != ExitCode::Done) return code;
        } catch (const Error& error) {
            if (error.code() != ExitCode::Diverged) throw;
            warn("take '" + takes[i].name + "': " + error.what());
            result = ExitCode::Diverged;
        }
    }
    return result;
}

}  // namespace

ExitCode wedge(const WedgeOptions& options)
{
    const std::vector<Take> takes = takesOf(options);
    requireEachKeyOnce(options, takes);
    if (options.index > 0 && static_cast<std::size_t>(options.index) > takes.size()) {
        const std::string count = std::to_string(takes.size());
        throw Error(ExitCode::Usage, "--index " + std::to_string(options.index) + ": there " +
                                         (takes.size() == 1 ? "is 1 take" : "are " + count + " takes, counted from 1"));
    }
    if (isSimulated(options)) {
        if (options.run.out.empty()) throw Error(ExitCode::Usage, "--out DIR is required");
        requireNoCache(CacheLayout{options.run.out});
    }
    checkTakes(options, takes);
    if (options.count) {
        std::cout << takes.size() << std::endl;
    } else if (options.list) {
        list(takes);
    } else {
        claimWedgeFolder(
            options.run.out, {options.run.scene.quality, options.run.scene.set, takes}, options.run.force,
            "If only lights, camera or pictures have changed, move wedge.json away and repeat the command: "
            "it keeps finished caches. With --force, wedge.json lists only these takes, which are simulated "
            "anew; the folders of other takes stay, but belong to no wedge",
            [&] { requireNoRun(CacheLayout{options.run.out}); });
        warnOfUnlisted(options.run.out);
        return simulate(options, takes);
    }
    return ExitCode::Done;
}

}  // namespace firn

#include "render/cli/frame_takes.h"

#include <algorithm>
#include <utility>

#include "common/cli/program.h"
#include "common/error.h"
#include "render/cli/frame_settings.h"
#include "render/cli/path_keys.h"
#include "render/cli/value_difference.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

using Settings = std::vector<std::string>;

Settings joined(Settings first, const Settings& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// What decides about the pictures of the job's scene with these settings.
std::string textWith(FramesJob job, Settings settings)
{
    job.scene_options.set = std::move(settings);
    return pictureText(sceneOf(job));
}

/// The wedge that the folder lies in. None if its list cannot be read, which is not the matter of its takes.
std::optional<Wedge> wedgeAround(const fs::path& folder)
{
    try {
        return readWedge(folder.parent_path());
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

FramesJob jobOf(const FramesJob& job, const Wedge& wedge, const Take& take)
{
    FramesJob result = job;
    result.cache = job.cache / take.name;
    result.out = job.out / take.name;
    result.scene_options.set = joined(joined(wedge.set, take.set), job.scene_options.set);
    if (job.scene_options.quality.empty()) result.scene_options.quality = wedge.quality;
    return result;
}

FramesJob namedJobOf(const FramesJob& job, const Wedge& wedge, const Take& take)
{
    FramesJob result = jobOf(job, wedge, take);
    const Settings& given = job.scene_options.set;
    const bool isOverridden = !given.empty() && textWith(result, result.scene_options.set) !=
                                                    textWith(result, joined(joined(wedge.set, given), take.set));
    result.take = takeText(isOverridden ? Take{take.name, joined(take.set, given)} : take);
    return result;
}

std::string takeOfCache(const FramesJob& job)
{
    fs::path folder = fs::absolute(job.cache).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // it ended with a slash
    const auto wedge = wedgeAround(folder);
    if (!wedge) return "";
    const auto take = std::ranges::find(wedge->takes, folder.filename().string(), &Take::name);
    if (take == wedge->takes.end()) return "";
    FramesJob ofTake = job;
    if (job.scene_options.quality.empty()) ofTake.scene_options.quality = wedge->quality;
    const std::string now = textWith(job, job.scene_options.set);
    const std::string wanted = textWith(ofTake, joined(joined(wedge->set, job.scene_options.set), take->set));
    if (now == wanted) return takeText(*take);
    warn("warning: " + job.cache.string() + " is the cache of take '" + take->name +
         "', and its pictures will not be of that take: " +
         difference(sceneValues(wanted), sceneValues(now), nullptr, "in the take", "now") +
         ". To render takes with their settings, give --cache " + folder.parent_path().string());
    return "";
}

}  // namespace firn

#include "common/scene/identity.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "common/cache/checkpoint.h"
#include "common/error.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/scene/builder.h"
#include "common/scene/hash.h"

namespace firn {

SceneIdentity identityOf(const Scene& scene) { return {"Firn " FIRN_VERSION, sceneHash(scene), simulationKeys(scene)}; }

SceneIdentity identityIn(const std::string& checkpointHeader)
{
    const nlohmann::json header = parseJson(checkpointHeader);
    return {header.at("program").get<std::string>(), header.at("scene_hash").get<std::string>(),
            header.at("scene_keys").get<std::map<std::string, std::string>>()};
}

std::optional<SceneIdentity> cachedIdentity(const CacheLayout& layout, const std::string& hash)
{
    for (const int frame : layout.checkpoints()) {
        try {
            const SceneIdentity identity = identityIn(readCheckpointHeader(layout.checkpointPath(frame)));
            if (identity.hash == hash && hashOf(identity.keys) == hash) return identity;
        } catch (const Error&) {  // the checkpoint is damaged
        } catch (const nlohmann::json::exception&) {
        }
    }
    return std::nullopt;
}

namespace {

constexpr const char* sequenceMark = "sequence ";

/// The files of a sequence by their numbers: "sequence 1 63025f7d 2 7c3d01aa", as hash.cpp writes it.
std::map<int, std::string> filesOf(const std::string& sequence)
{
    std::map<int, std::string> files;
    std::istringstream in(sequence.substr(std::string_view(sequenceMark).size()));
    int number = 0;
    for (std::string sum; in >> number >> sum;) files[number] = sum;
    return files;
}

/// "files 6-7 of 12 have changed, files 13-14 are new"
std::string changedFiles(const std::string& before, const std::string& now)
{
    const std::map<int, std::string> old = filesOf(before), present = filesOf(now);
    std::vector<int> changed, added, gone;
    for (const auto& [number, sum] : present) {
        const auto found = old.find(number);
        if (found == old.end()) added.push_back(number);
        if (found != old.end() && found->second != sum) changed.push_back(number);
    }
    for (const auto& [number, sum] : old)
        if (!present.contains(number)) gone.push_back(number);
    std::string text;
    const auto add = [&](const std::vector<int>& numbers, const std::string& one, const std::string& many) {
        if (numbers.empty()) return;
        text += (text.empty() ? "" : ", ") + std::string(numbers.size() == 1 ? "file " : "files ") +
                formatFrames(numbers) + " " + (numbers.size() == 1 ? one : many);
    };
    add(changed, "has changed", "have changed");
    add(added, "is new", "are new");
    add(gone, "is gone", "are gone");
    return text + ", of " + std::to_string(present.size()) + " now";
}

}  // namespace

std::vector<std::string> differences(const SceneIdentity& cached, const SceneIdentity& wanted, const Scene& scene)
{
    std::vector<std::string> result;
    const auto compare = [&](const std::string& key, const std::string* old, const std::string* now) {
        if (old && now && *old == *now) return;
        if (old && now && old->starts_with(sequenceMark) && now->starts_with(sequenceMark)) {
            result.push_back(namedPath(scene, key) + ": " + changedFiles(*old, *now));
            return;
        }
        const auto text = [](const std::string* value) { return value ? clampText(*value) : "not set"; };
        result.push_back(namedPath(scene, key) + ": " + text(old) + " in the cache, " + text(now) + " now");
    };
    compare("program", &cached.program, &wanted.program);
    auto keys = cached.keys;
    keys.insert(wanted.keys.begin(), wanted.keys.end());
    for (const auto& entry : keys) {
        const auto old = cached.keys.find(entry.first), now = wanted.keys.find(entry.first);
        compare(entry.first, old == cached.keys.end() ? nullptr : &old->second,
                now == wanted.keys.end() ? nullptr : &now->second);
    }
    return result;
}

}  // namespace firn

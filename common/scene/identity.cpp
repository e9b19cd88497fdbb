#include "common/scene/identity.h"

#include <algorithm>
#include <cctype>
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

/// "body.7" of the key "body.7.size"; "" for a key outside of a list.
std::string elementOf(const std::string& key)
{
    const std::size_t list = key.find('.');
    if (list == std::string::npos || !std::isdigit(static_cast<unsigned char>(key[list + 1]))) return "";
    return key.substr(0, key.find('.', list + 1));
}

bool hasElement(const std::map<std::string, std::string>& keys, const std::string& element)
{
    const auto found = keys.lower_bound(element + ".");
    return found != keys.end() && found->first.starts_with(element + ".");
}

/// How the values of a key differ. Null pointers stand for keys that are not set.
std::string differenceText(const std::string* old, const std::string* now)
{
    if (old && now && old->starts_with(sequenceMark) && now->starts_with(sequenceMark)) return changedFiles(*old, *now);
    const auto text = [](const std::string* value) { return value ? clampText(*value) : "not set"; };
    return text(old) + " in the cache, " + text(now) + " now";
}

/// Of a body or region that only the cache or only the scene has, as far as the snow goes. Bodies that snow does not
/// touch and still snow at the end of the list are no part of the simulation.
std::string aloneText(const std::string& element, bool isOld)
{
    if (element.starts_with("body."))
        return isOld ? "only in the cache; now it is not there, or collides = false"
                     : "not in the cache: it was not there, or had collides = false";
    return isOld ? "only in the cache; now it is not there, or still = true"
                 : "not in the cache: it was not there, or had still = true";
}

const std::string* valueIn(const std::map<std::string, std::string>& keys, const std::string& key)
{
    const auto found = keys.find(key);
    return found == keys.end() ? nullptr : &found->second;
}

}  // namespace

std::vector<std::string> differences(const SceneIdentity& cached, const SceneIdentity& wanted, const Scene& scene)
{
    std::vector<std::string> result;
    if (cached.program != wanted.program)
        result.push_back("program: " + differenceText(&cached.program, &wanted.program));
    auto keys = cached.keys;
    keys.insert(wanted.keys.begin(), wanted.keys.end());
    std::string alone;  // the last element that only one of them has
    for (const auto& [key, any] : keys) {
        const std::string element = elementOf(key);
        const bool isOld = hasElement(cached.keys, element), isNew = hasElement(wanted.keys, element);
        const std::string *const old = valueIn(cached.keys, key), *const now = valueIn(wanted.keys, key);
        if (!element.empty() && isOld != isNew) {
            if (element != alone) result.push_back(namedPath(scene, element) + ": " + aloneText(element, isOld));
            alone = element;
        } else if (!old || !now || *old != *now) {
            result.push_back(namedPath(scene, key) + ": " + differenceText(old, now));
        }
    }
    return result;
}

std::string listed(const std::vector<std::string>& differences)
{
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(differences.size(), most); ++i) text += "\n  " + differences[i];
    if (differences.size() > most) text += "\n  and " + std::to_string(differences.size() - most) + " more";
    return text;
}

}  // namespace firn

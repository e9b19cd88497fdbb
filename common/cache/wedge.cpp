#include "common/cache/wedge.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "common/cache/layout.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/folder_turn.h"
#include "common/io/json.h"

namespace firn {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* format = "firn wedge 1";
constexpr std::uint64_t largestFile = 1 << 26;  // bytes
constexpr std::size_t longestName = 100;

Wedge parsed(const Json& json, const std::string& source)
{
    if (json.at("format") != format)
        throw Error(ExitCode::File, source + ": its format is not \"" + std::string(format) + "\"");
    Wedge wedge{json.at("quality").get<std::string>(), json.at("set").get<std::vector<std::string>>(), {}};
    for (const Json& take : json.at("takes")) {
        wedge.takes.push_back({take.at("name").get<std::string>(), take.at("set").get<std::vector<std::string>>()});
        const std::string& name = wedge.takes.back().name;
        if (!isTakeName(name)) {
            throw Error(ExitCode::File, source + ": '" + clampText(name) + "' cannot be the name of a take's folder");
        }
    }
    return wedge;
}

const Take* takeNamed(const Wedge& wedge, const std::string& name)
{
    const auto found = std::ranges::find(wedge.takes, name, &Take::name);
    return found == wedge.takes.end() ? nullptr : &*found;
}

/// Whether takes of both wedges can lie in one folder: a name stands for the same settings in both.
bool areCompatible(const Wedge& a, const Wedge& b)
{
    return a.quality == b.quality && a.set == b.set && std::ranges::all_of(b.takes, [&](const Take& take) {
               const Take* const same = takeNamed(a, take.name);
               return !same || *same == take;
           });
}

bool shareTake(const Wedge& a, const Wedge& b)
{
    return std::ranges::any_of(b.takes, [&](const Take& take) { return takeNamed(a, take.name) != nullptr; });
}

/// The takes of `wedge` that `old` does not have.
std::vector<Take> missingTakes(const Wedge& old, const Wedge& wedge)
{
    std::vector<Take> missing;
    std::ranges::copy_if(wedge.takes, std::back_inserter(missing),
                         [&](const Take& take) { return takeNamed(old, take.name) == nullptr; });
    return missing;
}

}  // namespace

bool isTakeName(const std::string& name)
{
    if (name.empty() || name.size() > longestName || name[0] == '.' || name[0] == '-') return false;
    if (fs::path("") / name == wedgePath("")) return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '+' || c == '-';
    });
}

fs::path wedgePath(const fs::path& folder) { return folder / "wedge.json"; }

namespace {

Json jsonOf(const Take& take) { return {{"name", take.name}, {"set", take.set}}; }

void write(const fs::path& folder, const Json& json) { writeFileChecked(wedgePath(folder), jsonText(json, 2) + "\n"); }

Json readJson(const fs::path& path)
{
    const std::vector<std::byte> bytes = readFile(path, largestFile);
    return parseOrderedJson(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Adds takes to the folder's list. What a user has written beside them stays.
void addTakes(const fs::path& folder, std::span<const Take> takes)
{
    Json json = readJson(wedgePath(folder));
    for (const Take& take : takes) json.at("takes").push_back(jsonOf(take));
    write(folder, json);
}

}  // namespace

void writeWedge(const fs::path& folder, const Wedge& wedge)
{
    Json takes = Json::array();
    for (const Take& take : wedge.takes) takes.push_back(jsonOf(take));
    write(folder, {{"format", format}, {"quality", wedge.quality}, {"set", wedge.set}, {"takes", takes}});
}

std::optional<Wedge> readWedge(const fs::path& folder)
{
    const fs::path path = wedgePath(folder);
    requireNoDeadLink(path);
    if (!fs::exists(path)) return std::nullopt;
    try {
        return parsed(readJson(path), path.string());
    } catch (const nlohmann::json::exception&) {
        throw Error(ExitCode::File,
                    path.string() +
                        ": found no list of takes as firn-sim wedge writes it; the file is damaged, or "
                        "another program wrote it. Move it away and repeat the command that made the folder, which "
                        "keeps what is finished: firn-sim wedge for caches, firn-render frames --resume for pictures. "
                        "Or choose another folder");
    }
}

void requireNoStrayWedge(const fs::path& folder)
{
    const auto wedge = readWedge(folder);
    const auto isHere = [&](const Take& take) { return CacheLayout{folder / take.name}.isUsed(); };
    if (!wedge || !CacheLayout{folder}.isUsed() || std::ranges::any_of(wedge->takes, isHere)) return;
    throw Error(ExitCode::Usage, folder.string() +
                                     " holds a single cache and a wedge.json, which lists the takes of "
                                     "another folder: move wedge.json away");
}

void requireNoWedge(const fs::path& folder)
{
    if (!readWedge(folder)) return;
    requireNoStrayWedge(folder);
    throw Error(ExitCode::Usage, folder.string() + " holds a wedge: give the folder of one of its takes");
}

fs::path wedgeFolderOf(const fs::path& folder)
{
    const fs::path place = fs::absolute(folder / "").lexically_normal().parent_path();
    try {
        const auto wedge = readWedge(place.parent_path());
        const auto isHere = [&](const Take& take) { return take.name == place.filename(); };
        return wedge && std::ranges::any_of(wedge->takes, isHere) ? place.parent_path() : fs::path();
    } catch (const Error&) {
        return {};  // commands of the wedge tell what is wrong
    }
}

void refuseMixedFolder(const fs::path& folder, const std::string& held)
{
    const bool hasList = fs::exists(wedgePath(folder));
    throw Error(ExitCode::Usage, folder.string() + " holds " + held +
                                     ". A wedge and a single cache cannot be in one folder: choose another --out" +
                                     (hasList ? ", or move wedge.json away if it is from another folder" : ""));
}

namespace {

/// What --force does with takes that the folder's list does not have. Where it holds frames of one of them, the list
/// may be that of another folder.
std::string addedAdvice(const fs::path& folder, const Wedge& wedge)
{
    for (const Take& take : wedge.takes)
        if (!CacheLayout{folder / take.name}.frames().empty())
            return "It has frames of take '" + take.name +
                   "', which wedge.json does not list: if it is moved away, the command keeps finished caches. With "
                   "--force, these takes are added to it and simulated anew";
    return "With --force, these takes are added to it";
}

}  // namespace

void claimWedgeFolder(const fs::path& folder, const Wedge& wedge, bool force, const std::string& otherAdvice,
                      const std::function<void()>& requireNoSingle)
{
    prepareFolder(folder);
    const FolderTurn turn(folder);
    requireNoSingle();
    const auto old = readWedge(folder);
    const bool isCompatible = old && areCompatible(*old, wedge);
    if (old && !force && !(isCompatible && shareTake(*old, wedge))) {
        throw Error(ExitCode::Usage, folder.string() +
                                         " holds another wedge (see its wedge.json): choose another --out, or, if "
                                         "wedge.json is from another folder, move it away and repeat the command. " +
                                         (isCompatible ? addedAdvice(folder, wedge) : otherAdvice));
    }
    if (!isCompatible) return writeWedge(folder, wedge);
    const std::vector<Take> added = missingTakes(*old, wedge);
    if (!added.empty()) addTakes(folder, added);
}

std::vector<std::string> cacheFolders(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (it->is_directory(ignored) && !CacheLayout{it->path()}.frames().empty())
            names.push_back(it->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string takeText(const Take& take)
{
    std::string text = take.name;
    for (const std::string& setting : take.set) text += (&setting == take.set.data() ? ": " : "; ") + setting;
    return text;
}

Take takeOfText(const std::string& text)
{
    const std::size_t colon = text.find(": ");
    Take take{text.substr(0, colon), {}};
    for (std::size_t start = colon; start != std::string::npos;) {
        const std::size_t end = text.find("; ", start + 2);
        take.set.push_back(text.substr(start + 2, end == std::string::npos ? end : end - start - 2));
        start = end;
    }
    return take;
}

std::string shortSetting(const std::string& setting)
{
    const std::size_t equals = setting.find('=');
    const std::size_t dot = setting.rfind('.', equals);
    return dot == std::string::npos ? setting : setting.substr(dot + 1);
}

}  // namespace firn

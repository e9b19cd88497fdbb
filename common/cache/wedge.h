#pragma once
// wedge.json: the takes of a wedge, and what each of them changes. Beside it is one folder per take, which holds its
// cache or, in a folder of pictures, its pictures.
//   {"format": "firn wedge 1", "quality": "draft", "set": ["solver.dx=0.02"],
//    "takes": [{"name": "powdery", "set": ["snow.block.material.hardening=5"]}]}

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/take.h"

namespace firn {

struct Wedge {
    std::string quality;           // of every take; "": as the scene says
    std::vector<std::string> set;  // what every take changes
    std::vector<Take> takes;

    bool operator==(const Wedge&) const = default;
};

/// Whether the name is safe for a folder on every file system and leads nowhere else: 1 to 100 letters, digits, '.',
/// '_', '+' and '-', of which '.' and '-' are not the first; "wedge.json" is none.
bool isTakeName(const std::string& name);

std::filesystem::path wedgePath(const std::filesystem::path& folder);

/// Throws Error(File).
void writeWedge(const std::filesystem::path& folder, const Wedge& wedge);

/// Makes the folder and adds the takes to its wedge.json. Two wedges are compatible if they have the same quality and
/// common settings, and a name of a take stands for the same settings in both. Throws Error(Usage) when the folder
/// holds a wedge that is not compatible or has none of the takes. With `force` it does not: then the takes are added to
/// a compatible wedge, and replace the list of another one. `otherAdvice` ends the message about a wedge that is not
/// compatible. Throws Error(File) when wedge.json is not one of Firn's or cannot be written. All this happens in the
/// folder's turn (FolderTurn), after `requireNoSingle`, which throws Error(Usage) if the folder holds a single cache or
/// its pictures.
void claimWedgeFolder(const std::filesystem::path& folder, const Wedge& wedge, bool force,
                      const std::string& otherAdvice, const std::function<void()>& requireNoSingle);

/// Throws Error(Usage) about a folder for a wedge or a single cache that holds the other: `held` tells what. Commands
/// that find wedge.json look for caches and pictures in the takes' folders only.
[[noreturn]] void refuseMixedFolder(const std::filesystem::path& folder, const std::string& held);

/// Throws Error(Usage) about a folder that holds a wedge where the folder of a cache or of its pictures is expected.
void requireNoWedge(const std::filesystem::path& folder);

/// Throws Error(Usage) if the folder itself has the files of a cache and a wedge.json of whose takes it has none: this
/// is then from elsewhere. Throws what readWedge() throws.
void requireNoStrayWedge(const std::filesystem::path& folder);

/// The folder of the wedge that has this folder as the place of a take; empty if there is none.
std::filesystem::path wedgeFolderOf(const std::filesystem::path& folder);

/// Empty when there is no wedge.json. Throws Error(File) when it is damaged or a name would lead out of the folder.
std::optional<Wedge> readWedge(const std::filesystem::path& folder);

/// The names of the subfolders that hold frames of a cache, ascending. None if the folder cannot be read.
std::vector<std::string> cacheFolders(const std::filesystem::path& folder);

/// "soft: snow.block.material.hardening=5; solver.dx=0.02": the name of a take and what it changes, as pictures carry
/// it.
std::string takeText(const Take& take);

/// The take that takeText() made the text of. Settings that contain "; " come apart.
Take takeOfText(const std::string& text);

/// The setting with the last part of its key only: "hardening=5".
std::string shortSetting(const std::string& setting);

}  // namespace firn

#pragma once
// The names of the files in a folder of pictures:
//   <scene>.####.exr    a frame
//   <scene>.####.png    its preview
//   <scene>.preview.png the newest picture, also while it is rendered (--preview)
//   <scene>.####.film   sums of its samples: while it is rendered, and where a run was stopped or asked to keep them
//   <scene>.kept-<key>.####.film   the same, where the place of the film is taken (frame_places.h)
//   render_stats.jsonl  a line per rendered frame; several runs append to it (earlier versions: stats.jsonl)
//   wedge.json          in a folder that holds one such folder per take (common/cache/wedge.h)
// None of them is a name of a cache's (common/cache/layout.h), so pictures may lie in the folder of their cache.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/cache/layout.h"
#include "common/image/image.h"

namespace firn {

struct PictureLayout {
    std::filesystem::path folder;
    std::string scene;  // its name

    std::filesystem::path exrPath(int frame) const;
    std::filesystem::path pngPath(int frame) const;
    std::filesystem::path filmPath(int frame) const;
    std::filesystem::path livePath() const { return folder / (scene + ".preview.png"); }
    std::filesystem::path statsPath() const { return folder / pictureRecordName; }
};

/// The statistics of a folder of pictures that exist: those of this version, and those of earlier ones.
std::vector<std::filesystem::path> pictureStatistics(const std::filesystem::path& folder);

/// The names of the files that the statistics of a folder list, by frame. Lines that cannot be read are passed over.
std::map<int, std::set<std::string>> listedNames(const std::filesystem::path& folder);

/// The files that the statistics of a folder list, with their checksums. Lines that cannot be read are passed over.
class ListedPictures {
public:
    explicit ListedPictures(const std::filesystem::path& folder);

    bool hasName(const std::filesystem::path& picture) const;
    /// Whether the file is one of those that were written under its name. Throws Error(File) if it cannot be read.
    bool has(const std::filesystem::path& picture) const;
    /// Whether the file exists, its name is listed, and it is not one of those that were written under it.
    bool isOther(const std::filesystem::path& picture) const;

private:
    std::map<std::string, std::set<std::string>> m_checksums;  // by name
};

/// Throws Error(Usage) if files of frames cannot be named after the scene.
void requireUsableName(const std::string& scene);

/// The picture. None, after an error message, if it cannot be read: commands for many pictures go on with the others.
std::optional<Image> readUndamaged(const std::filesystem::path& exr);

/// Whether the file is an EXR that says in its metadata that firn-render wrote it.
bool isFirnPicture(const std::filesystem::path& exr);

/// Rendering replaces only pictures that firn-render wrote: files that the folder's statistics list with their
/// checksum, or of which only a cut rest is there; EXR files that say so in their metadata, and PNG files with
/// previewMark. Throws Error(File) that names the first other file which is in the place of a picture of `frames`, or
/// render_stats.jsonl if it does not begin with a line of firn-render's.
void requireOwnPictures(const PictureLayout& layout, const std::vector<int>& frames);

}  // namespace firn

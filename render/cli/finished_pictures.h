#pragma once
// Which frames of a folder of pictures need not be rendered again.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "render/cli/picture_layout.h"

namespace firn {

class FinishedPictures {
public:
    /// Reads the lines of the layout's scene in the folder's statistics. Lines that cannot be read are passed over.
    explicit FinishedPictures(const PictureLayout& layout);

    /// Whether the last run that wrote the frame had this key (FilmHeader::key), and both files still have the
    /// checksums that it wrote.
    bool has(int frame, const std::string& key) const;

    /// Whether the statistics list the frame.
    bool lists(int frame) const { return m_pictures.contains(frame); }

    /// A file of the frame that was finished with this key and has another checksum now; empty without one.
    std::filesystem::path damagedFile(int frame, const std::string& key) const;

    /// Whether the frame has a picture that was finished with another key.
    bool hasOther(int frame, const std::string& key) const;

private:
    struct File {
        std::string name, checksum;
    };
    struct Picture {
        std::string key;
        std::vector<File> files;
    };
    bool isWhole(const File& file) const;
    std::filesystem::path placeOf(const File& file) const;

    std::filesystem::path m_folder;
    std::map<int, Picture> m_pictures;
};

}  // namespace firn

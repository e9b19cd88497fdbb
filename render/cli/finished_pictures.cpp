#include "render/cli/finished_pictures.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/json.h"

namespace firn {

FinishedPictures::FinishedPictures(const PictureLayout& layout) : m_folder(layout.folder)
{
    std::ifstream in(layout.statsPath());
    for (std::string line; std::getline(in, line);) {
        const auto json = tryParseJson(line);
        if (!json.is_object()) continue;
        try {
            Picture picture;
            json.at("key").get_to(picture.key);
            for (const auto& file : json.at("files")) picture.files.push_back({file.at("path"), file.at("checksum")});
            const int frame = json.at("frame").get<int>();
            const auto name = [](const std::filesystem::path& path) { return path.filename(); };
            if (picture.files.empty() || name(picture.files[0].name) != name(layout.exrPath(frame))) continue;
            m_pictures[frame] = picture;
        } catch (const nlohmann::json::exception&) {
            continue;
        }
    }
}

bool FinishedPictures::has(int frame, const std::string& key) const
{
    const auto found = m_pictures.find(frame);
    if (found == m_pictures.end() || found->second.key != key || found->second.files.empty()) return false;
    const std::vector<File>& files = found->second.files;
    return std::all_of(files.begin(), files.end(), [this](const File& file) { return isWhole(file); });
}

std::filesystem::path FinishedPictures::damagedFile(int frame, const std::string& key) const
{
    const auto found = m_pictures.find(frame);
    if (found == m_pictures.end() || found->second.key != key) return {};
    for (const File& file : found->second.files)
        if (std::filesystem::exists(placeOf(file)) && !isWhole(file)) return placeOf(file);
    return {};
}

bool FinishedPictures::hasOther(int frame, const std::string& key) const
{
    const auto found = m_pictures.find(frame);
    return found != m_pictures.end() && found->second.key != key &&
           std::filesystem::exists(placeOf(found->second.files[0]));
}

std::filesystem::path FinishedPictures::placeOf(const File& file) const
{
    return m_folder / std::filesystem::path(file.name).filename();
}

bool FinishedPictures::isWhole(const File& file) const
{
    try {
        return checksum(readFile(placeOf(file))) == file.checksum;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace firn

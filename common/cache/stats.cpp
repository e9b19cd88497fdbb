#include "common/cache/stats.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/error.h"
#include "common/io/checksum.h"
#include "common/io/json.h"

namespace firn {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t largestStatsBytes = static_cast<std::uint64_t>(1) << 30;

}  // namespace

bool StatsLine::lists(const std::filesystem::path& name) const
{
    return std::ranges::find(files, name, &WrittenFile::path) != files.end();
}

const WrittenFile* StatsLine::snowFile() const
{
    const auto isSnow = [](const WrittenFile& file) { return file.path.filename().string().starts_with("snow."); };
    const auto found = std::ranges::find_if(files, isSnow);
    return found == files.end() ? nullptr : &*found;
}

StatsLine parseStatsLine(const std::string& text, const std::string& source)
{
    try {
        const auto json = parseJson(text);
        StatsLine line{json.at("frame").get<int>(), {}, text};
        for (const auto& file : json.at("files")) {
            const fs::path name = file.at("name").get<std::string>();
            if (name != name.filename() || name.empty()) {
                throw Error(ExitCode::File, source + ": file name '" + clampText(name) + "' leaves the folder");
            }
            line.files.push_back({name, file.at("bytes").get<std::uint64_t>(), file.at("checksum").get<std::string>()});
        }
        return line;
    } catch (const nlohmann::json::exception&) {
        throw Error(ExitCode::File, source + ": expected the statistics of a frame as firn-sim writes them, found '" +
                                        clampText(text) + "'");
    }
}

void requireLater(const StatsLine& line, std::optional<int> last, const std::string& source)
{
    if (!last || line.frame > *last) return;
    throw Error(ExitCode::File,
                source + ": frame " + std::to_string(line.frame) + " comes after frame " + std::to_string(*last));
}

std::string otherChecksumText(const std::string& listed, const std::string& found)
{
    return "stats.jsonl lists the checksum " + listed + ", found " + found;
}

FileFault faultOf(const fs::path& folder, const WrittenFile& file)
{
    using enum FileFault::Kind;
    const fs::path path = folder / file.path;
    try {
        requireReadable(path);
        if (!fs::exists(path)) return {Missing, "missing"};
        const std::string found = checksum(readFile(path));
        return found == file.checksum ? FileFault{} : FileFault{Damaged, otherChecksumText(file.checksum, found)};
    } catch (const Error& error) {
        return {Unreadable, error.what()};
    }
}

StatsFile::StatsFile(fs::path path) : m_path(std::move(path))
{
    requireNoDeadLink(m_path);
    if (!fs::exists(m_path)) return;
    const std::vector<std::byte> bytes = readFile(m_path, largestStatsBytes);
    std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    int number = 0;
    for (std::string text; std::getline(in, text);) {
        ++number;
        if (text.empty()) continue;
        const std::string source = m_path.string() + ":" + std::to_string(number);
        const StatsLine line = parseStatsLine(text, source);
        requireLater(line, m_lines.empty() ? std::nullopt : std::optional(m_lines.back().frame), source);
        m_lines.push_back(line);
    }
}

const StatsLine* StatsFile::find(int frame) const
{
    const auto line =
        std::find_if(m_lines.begin(), m_lines.end(), [&](const StatsLine& l) { return l.frame == frame; });
    return line == m_lines.end() ? nullptr : &*line;
}

void StatsFile::insert(const StatsLine& line)
{
    m_lines.insert(std::ranges::upper_bound(m_lines, line.frame, {}, &StatsLine::frame), line);
}

void StatsFile::add(const StatsLine& line)
{
    insert(line);
    save();
}

StatsFile StatsFile::with(const StatsLine& line) const
{
    StatsFile copy = *this;
    copy.insert(line);
    return copy;
}

void StatsFile::addFile(int frame, const WrittenFile& file)
{
    const auto line = std::ranges::find(m_lines, frame, &StatsLine::frame);
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line->text);
    nlohmann::ordered_json& files = json.at("files");
    const nlohmann::ordered_json entry = {
        {"name", file.path.filename().string()}, {"bytes", file.bytes}, {"checksum", file.checksum}};
    files.insert(files.begin(), entry);
    *line = parseStatsLine(jsonText(json), m_path.string());
    save();
}

void StatsFile::keepUntil(int frame)
{
    const auto later =
        std::remove_if(m_lines.begin(), m_lines.end(), [&](const StatsLine& l) { return l.frame > frame; });
    if (later == m_lines.end()) return;
    m_lines.erase(later, m_lines.end());
    save();
}

void StatsFile::save() const
{
    std::string text;
    for (const StatsLine& line : m_lines) text += line.text + "\n";
    writeFileChecked(m_path, text);
}

}  // namespace firn

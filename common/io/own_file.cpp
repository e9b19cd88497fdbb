#include "common/io/own_file.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "common/error.h"
#include "common/io/checked_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t searchedBytes = 65536;  // at either end

std::string part(std::ifstream& in, std::uintmax_t begin, std::uintmax_t size)
{
    std::string text(static_cast<std::size_t>(size), '\0');
    in.seekg(static_cast<std::streamoff>(begin));
    in.read(text.data(), static_cast<std::streamsize>(size));
    return text;
}

}  // namespace

bool isMarked(const fs::path& path, std::string_view mark)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
    const std::uintmax_t size = fs::file_size(path, error);
    std::ifstream in(path, std::ios::binary);
    if (error || !in) return false;
    const std::uintmax_t length = std::min(size, searchedBytes);
    return part(in, 0, length).find(mark) != std::string::npos ||
           part(in, size - length, length).find(mark) != std::string::npos;
}

std::string markOf(std::string_view kind) { return std::string(makerMark) + ": " + std::string(kind); }

void requireReplaceable(const fs::path& path, std::string_view kind)
{
    requireNoDeadLink(path);
    if (!fs::exists(path) || isMarked(path, markOf(kind)) || (isMarked(path) && !isMarked(path, markOf("")))) return;
    if (fs::is_directory(path))
        throw Error(ExitCode::File, path.string() + " is a folder; expected the name of a file");
    throw Error(ExitCode::File, path.string() + " " + std::string(foreignText) + " as a " + std::string(kind) +
                                    ": move it away, or choose another place");
}

}  // namespace firn

#include "common/io/command_text.h"

#include <algorithm>
#include <string_view>

namespace firn {

std::string shellPath(const std::filesystem::path& path)
{
    std::string text = path.string();
    const auto isPlain = [](char c) {
        return std::string_view(" \t\n\"'`$&|;<>()[]{}*?!#~\\").find(c) == std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, isPlain)) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (std::string_view("\"\\`$").find(c) != std::string_view::npos) quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace firn

#include "common/error.h"

namespace firn {

std::string clampText(const std::string& text, std::size_t limit)
{
    std::string result;
    for (const char c : text) {
        if (result.size() >= limit) return result + "...";
        const auto byte = static_cast<unsigned char>(c);
        result += (byte < 0x20 || byte == 0x7f) ? ' ' : c;
    }
    return result;
}

std::string quotedName(const std::string& name) { return "'" + clampText(name) + "'"; }

}  // namespace firn

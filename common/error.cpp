#include "common/error.h"

namespace firn {

namespace {

/// The bytes of the UTF-8 character that begins there; 0 if the bytes are none, or one that controls a terminal.
std::size_t characterAt(const std::string& text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(at);
    if (first < 0x80) return first < 0x20 || first == 0x7f ? 0 : 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || (first == 0xc2 && byte(at + 1) < 0xa0)) return 0;
    for (std::size_t i = at + 1; i < at + length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    return length;
}

}  // namespace

std::string clampText(const std::string& text, std::size_t limit)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (result.size() >= limit) return result + "...";
        const std::size_t length = characterAt(text, at);
        if (length == 0) {
            const auto byte = static_cast<unsigned char>(text[at]);
            result += byte < 0x80 ? ' ' : '?';
            ++at;
        } else {
            result += text.substr(at, length);
            at += length;
        }
    }
    return result;
}

std::string quotedName(const std::string& name) { return "'" + clampText(name) + "'"; }

}  // namespace firn

#include "common/page/page.h"

#include <zlib.h>

#include <cassert>
#include <nlohmann/json.hpp>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/json.h"
#include "common/io/own_file.h"

namespace firn {

extern const std::string_view pageForm, pageElements;  // page.html, elements.js

std::string escapeHtml(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string scriptJson(const nlohmann::ordered_json& json)
{
    // These characters occur only within strings, where their escapes mean the same.
    std::string result;
    for (const char c : jsonText(json)) {
        switch (c) {
            case '<':
                result += "\\u003c";
                break;
            case '>':
                result += "\\u003e";
                break;
            case '&':
                result += "\\u0026";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string base64(std::span<const std::byte> bytes)
{
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned>(bytes[i + k]) : 0u);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            result += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
        }
    }
    return result;
}

std::vector<std::byte> deflated(std::span<const std::byte> bytes)
{
    uLongf size = compressBound(uLong(bytes.size()));
    std::vector<std::byte> result(size);
    const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()), uLong(bytes.size()), 6);
    if (status != Z_OK) throw Error(ExitCode::Failed, "compressing a page's data: zlib says " + std::to_string(status));
    result.resize(size);
    return result;
}

std::string makePage(const PageParts& parts)
{
    return fillPage(pageForm, {{"kind", std::string(parts.kind)},
                               {"pictures", parts.has_files ? "data: 'self' file:" : "data:"},
                               {"title", escapeHtml(parts.title)},
                               {"style", std::string(parts.style)},
                               {"body", std::string(parts.body)},
                               {"data", parts.data},
                               {"payload", parts.payload},
                               {"script", std::string(pageElements) + std::string(parts.script)}});
}

void requireReplaceablePage(const std::filesystem::path& path, std::string_view kind)
{
    // The first versions wrote no mark and no kind, later ones wrote the mark only.
    const std::string_view unmarked = pageForm.substr(0, pageForm.find("<meta name=\"generator\""));
    const std::string beforeKind(pageForm.substr(0, pageForm.find("{{kind}}")));
    if (std::filesystem::is_directory(path) || !beginsWith(path, unmarked)) return requireReplaceable(path, "page");
    if (!beginsWith(path, beforeKind) || beginsWith(path, beforeKind + std::string(kind) + '"')) return;
    throw Error(ExitCode::File, path.string() + " " + std::string(foreignText) + " as a page of " + std::string(kind) +
                                    ": move it away, or choose another place");
}

std::string fillPage(std::string_view form, const std::map<std::string, std::string>& parts)
{
    std::string result;
    while (true) {
        const std::size_t begin = form.find("{{");
        result += form.substr(0, begin);
        if (begin == std::string_view::npos) return result;
        const std::size_t end = form.find("}}", begin);
        assert(end != std::string_view::npos);
        result += parts.at(std::string(form.substr(begin + 2, end - begin - 2)));
        form.remove_prefix(end + 2);
    }
}

}  // namespace firn

#pragma once
// HTML pages that consist of one file. The build embeds their sources (firn_embed). Data are escaped, so that nothing
// in them can become markup.

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firn {

/// Text for the content of elements and for quoted attributes.
std::string escapeHtml(std::string_view text);

/// JSON that may stand in a script element: no <, > or &. Bytes that are not UTF-8 become U+FFFD.
std::string scriptJson(const nlohmann::ordered_json& json);

std::string base64(std::span<const std::byte> bytes);

/// zlib's format, which browsers know as "deflate".
std::vector<std::byte> deflated(std::span<const std::byte> bytes);

/// The parts of a page: `kind` is the command that makes it, such as "firn-sim report"; `body` is markup, `script` runs
/// after elements.js and finds `data` (from scriptJson) in the element "data", `payload` is further markup, for data
/// that are not JSON.
struct PageParts {
    std::string_view kind;
    std::string title;
    std::string_view style, body, script;
    std::string data;
    std::string payload;
    bool has_files = false;  // the page shows pictures in files beside it
};
std::string makePage(const PageParts& parts);

/// Throws Error(File) when `path` exists and is not a page of this kind. Earlier versions did not write the kind; their
/// pages are accepted.
void requireReplaceablePage(const std::filesystem::path& path, std::string_view kind);

/// Replaces each {{name}} of `form` by the part of that name, which must exist. Inserted text is not searched again.
std::string fillPage(std::string_view form, const std::map<std::string, std::string>& parts);

}  // namespace firn

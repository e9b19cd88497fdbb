#pragma once
// JSON text is read and written here. Each file that called the parser of nlohmann-json itself would compile it again.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace firn {

/// The value of a JSON text. Throws nlohmann::json::parse_error if the text is damaged.
nlohmann::json parseJson(std::string_view text);

/// Like parseJson; the members of objects keep the order of the text.
nlohmann::ordered_json parseOrderedJson(std::string_view text);

/// The value of a JSON text; a value of type `discarded` if the text is damaged.
nlohmann::json tryParseJson(std::string_view text);

/// The text of a value, in one line or indented by `indent` spaces. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::json& json, int indent = -1);
std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace firn

#include "common/io/json.h"

#include <nlohmann/json.hpp>

namespace firn {

using nlohmann::json;
using nlohmann::ordered_json;

json parseJson(std::string_view text) { return json::parse(text); }
ordered_json parseOrderedJson(std::string_view text) { return ordered_json::parse(text); }
json tryParseJson(std::string_view text) { return json::parse(text, nullptr, /*allow_exceptions*/ false); }

std::string jsonText(const json& value, int indent)
{
    return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string jsonText(const ordered_json& value, int indent)
{
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace firn

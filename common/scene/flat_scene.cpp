#include "common/scene/flat_scene.h"

#include "common/scene/keys.h"
#include "common/scene/text_file.h"

namespace firn {

namespace {

using Values = std::map<std::string, std::string>;

/// TOML text of a value that is no table.
std::string textOf(const toml::node& node)
{
    if (const auto* text = node.as_string()) return quotedText(text->get());
    if (const auto* number = node.as_floating_point()) return numberText(number->get());
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
    std::string list;
    if (const auto* array = node.as_array()) {
        for (const toml::node& element : *array) list += (list.empty() ? "" : ", ") + textOf(element);
    }
    return "[" + list + "]";  // no scene has dates or times
}

void add(const toml::node& node, const std::string& key, Values& values)
{
    const std::string prefix = key.empty() ? "" : key + ".";
    if (const toml::table* table = node.as_table()) {
        for (const auto& [name, value] : *table) add(value, prefix + std::string(name.str()), values);
        return;
    }
    const toml::array* array = node.as_array();
    if (array != nullptr && array->is_array_of_tables()) {
        for (std::size_t i = 0; i < array->size(); ++i) add((*array)[i], prefix + std::to_string(i), values);
        return;
    }
    values[key] = textOf(node);
}

}  // namespace

Values flatScene(const std::string& toml, const std::string& name)
{
    Values values;
    add(parseToml(toml, {name}), "", values);
    return values;
}

}  // namespace firn

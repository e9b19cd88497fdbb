#include "common/scene/takes.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "common/cache/wedge.h"

namespace firn {

namespace {

/// The value as TOML, numbers in their shortest form.
std::string tomlText(const toml::node& value)
{
    if (const auto number = value.value_exact<double>()) {
        char text[40];
        return {text, std::to_chars(text, text + sizeof text, *number).ptr};
    }
    std::ostringstream text;
    value.visit([&](const auto& node) { text << node; });
    return text.str();
}

/// Adds a setting such as "solver.dx=0.02" for each value of the table and of the tables inside it.
void addSettings(const toml::table& table, const std::string& path, const Source& source, SceneBuilder& trial,
                 Take& take)
{
    for (const auto& [name, node] : table) {
        if (path.empty() && name.str() == "name") continue;
        const std::string dotted = join(path, name.str());
        if (const auto* inner = node.as_table()) {
            addSettings(*inner, dotted, source, trial, take);
        } else {
            trial.set(dotted, node, source, source.at(name.source()));
            take.set.push_back(dotted + "=" + tomlText(node));
        }
    }
}

std::string nameOf(const toml::table& take, const Source& source, const std::vector<Take>& others)
{
    const toml::node* node = take.get("name");
    if (!node) fail(source.at(take.source()), "a [[take]] has no 'name'");
    const auto name = node->value_exact<std::string>();
    const Origin where = source.at(node->source());
    if (!name || !isTakeName(*name)) {
        fail(where,
             "'name' of a take must be usable as a folder's name: at most 100 letters, digits, '.', '_', '+' or '-', "
             "and neither '.' nor '-' first");
    }
    const bool isRepeated = std::ranges::any_of(others, [&](const Take& other) { return other.name == *name; });
    if (isRepeated) fail(where, "a second [[take]] is named '" + *name + "'; names must be unique");
    return *name;
}

}  // namespace

std::vector<Take> readTakes(const toml::table& file, const Source& source, const SceneBuilder& builder)
{
    std::vector<Take> takes;
    const toml::node* list = file.get("take");
    if (!list) return takes;
    if (!list->is_array_of_tables())
        fail(source.at(list->source()), "'take' is not a list of tables, expected [[take]]");
    for (const toml::node& node : *list->as_array()) {
        const toml::table& table = *node.as_table();
        Take take{nameOf(table, source, takes), {}};
        SceneBuilder trial = builder;
        trial.place = "in [[take]], which holds keys of the scene such as solver.dx = 0.02";
        addSettings(table, "", source, trial, take);
        takes.push_back(std::move(take));
    }
    return takes;
}

}  // namespace firn

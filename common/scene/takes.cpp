#include "common/scene/takes.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "common/cache/wedge.h"

namespace firn {

namespace {

/// As TOML; numbers as short as they go.
std::string valueText(const toml::node& value)
{
    if (const auto number = value.value_exact<double>()) {
        char text[40];
        return {text, std::to_chars(text, text + sizeof text, *number).ptr};
    }
    std::ostringstream text;
    value.visit([&](const auto& node) { text << node; });
    return text.str();
}

/// Adds "solver.dx=0.02" for each value of the table and those in it.
void addSettings(const toml::table& table, const std::string& path, const Source& source, Builder& trial,
                 Take& take)
{
    for (const auto& [name, node] : table) {
        if (path.empty() && name.str() == "name") continue;
        const std::string dotted = join(path, name.str());
        if (const auto* inner = node.as_table()) {
            addSettings(*inner, dotted, source, trial, take);
        } else {
            trial.set(dotted, node, source, source.at(name.source()));
            take.set.push_back(dotted + "=" + valueText(node));
        }
    }
}

std::string nameOf(const toml::table& take, const Source& source, const std::vector<Take>& others)
{
    const toml::node* node = take.get("name");
    if (!node) fail(source.at(take.source()), "a take without 'name'");
    const auto name = node->value_exact<std::string>();
    const Origin where = source.at(node->source());
    if (!name || !isTakeName(*name)) {
        fail(where, "'name' of a take is for a folder: expected letters, digits, '.', '_', '+' and '-'");
    }
    const bool isTaken = std::ranges::any_of(others, [&](const Take& other) { return other.name == *name; });
    if (isTaken) fail(where, "there is a take '" + *name + "' already");
    return *name;
}

}  // namespace

std::vector<Take> readTakes(const toml::table& file, const Source& source, const Builder& builder)
{
    std::vector<Take> takes;
    const toml::node* list = file.get("take");
    if (!list) return takes;
    if (!list->is_array_of_tables()) fail(source.at(list->source()), "'take' is no list of tables, expected [[take]]");
    for (const toml::node& node : *list->as_array()) {
        const toml::table& table = *node.as_table();
        Take take{nameOf(table, source, takes), {}};
        Builder trial = builder;
        addSettings(table, "", source, trial, take);
        takes.push_back(std::move(take));
    }
    return takes;
}

}  // namespace firn

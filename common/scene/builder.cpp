#include "common/scene/builder.h"

#include <charconv>

#include "common/io/suggest.h"

namespace firn {

namespace {

std::vector<std::string_view> namesIn(const Table& table)
{
    std::vector<std::string_view> names;
    for (const Key& k : table.keys) names.push_back(k.name);
    for (const Child& c : table.children) names.push_back(c.name);
    if (&table == &sceneTable()) names.insert(names.end(), {"include", "quality", "take"});
    return names;
}

/// Keys of the top level that apply() leaves to its caller.
bool isForCaller(std::string_view name) { return name == "include" || name == "quality" || name == "take"; }

std::string titleOf(const Table& table)
{
    return table.title.empty() ? "at the top level" : "in " + std::string(table.title);
}

/// Adds "in [render]" for `table` and each table inside it that has a key of this name.
void collectTitles(const Table& table, std::string_view name, std::vector<std::string>& titles)
{
    if (table.key(name)) titles.push_back(titleOf(table));
    for (const Child& child : table.children) collectTitles(child.table(), name, titles);
}

/// `place`: what messages call the scene's own table.
[[noreturn]] void failUnknown(const Origin& where, std::string_view name, const Table& table, const std::string& place)
{
    const std::string message =
        "unknown key '" + clampText(std::string(name), 60) + "' " + (table.title.empty() ? place : titleOf(table));
    if (isForCaller(name)) fail(where, message + "; it is allowed at the top level of a scene file only");
    std::vector<std::string> titles;
    collectTitles(sceneTable(), name, titles);
    if (titles.size() == 1) fail(where, message + "; it belongs " + titles[0]);
    if (titles.size() == 2) fail(where, message + "; it belongs " + titles[0] + " or " + titles[1]);
    fail(where, message + didYouMean(name, namesIn(table)));
}

/// The index of the element that `segment` names, by number or by name.
std::size_t elementIndex(const Child& child, void* parent, std::string_view segment, const Origin& where)
{
    const std::size_t size = child.size(parent);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
    if (error == std::errc() && end == segment.data() + segment.size() && index < size) return index;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < size; ++i) {
        names.push_back(elementName(child, child.at(parent, i)));
        if (names.back() == segment) return i;
        if (names.back().empty()) names.back() = std::to_string(i);
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string title(child.table().title);
    fail(where, "there is no " + title + " named '" + clampText(std::string(segment), 60) + "'" +
                    (size == 0 ? "; the scene has no " + title : didYouMean(segment, known)));
}

/// The index of the element that has the same name as `text`; appends an element if there is none.
std::size_t findOrAppend(const Child& child, void* parent, const toml::table& text)
{
    const auto name = text["name"].value<std::string_view>();
    const std::size_t size = child.size(parent);
    for (std::size_t i = 0; name && !name->empty() && i < size; ++i)
        if (elementName(child, child.at(parent, i)) == *name) return i;
    child.append(parent);
    return size;
}

}  // namespace

std::string Origin::place() const
{
    if (line > 0) return source + ":" + std::to_string(line) + ":" + std::to_string(column);
    return column > 0 ? source + ": column " + std::to_string(column) : source;
}

std::string Origin::brief() const
{
    const std::string text = clampText(source, 500);
    return line > 0 ? text + ":" + std::to_string(line) : text;
}

void fail(const Origin& origin, const std::string& message, ExitCode code)
{
    throw Error(code, clampText(origin.place(), 500) + ": " + clampText(message, 1500));
}

Origin Source::at(const toml::source_region& region) const
{
    if (has_lines) return {name, region.begin.line, region.begin.column};
    return {name, 0, static_cast<unsigned>(std::max(0, static_cast<int>(region.begin.column) - column_shift))};
}

std::string join(std::string_view path, std::string_view name)
{
    return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
}

std::string nth(std::string_view list, std::size_t i) { return join(list, std::to_string(i)); }

std::string elementName(const Child& child, void* element)
{
    const Key* key = child.table().key("name");
    return key ? *std::get<std::string*>(key->field(element)) : "";
}

std::string namedPath(Scene scene, std::string_view path)
{
    const Table* table = &sceneTable();
    void* object = &scene;
    std::string result;
    const auto next = [&] {
        const std::string_view segment = path.substr(0, path.find('.'));
        path.remove_prefix(std::min(path.size(), segment.size() + 1));
        return segment;
    };
    while (!path.empty()) {
        const std::string_view segment = next();
        result = join(result, segment);
        const Child* child = table->child(segment);
        if (!child || path.empty()) continue;
        std::size_t index = 0;
        if (child->isList()) {
            const std::string_view number = next();
            std::from_chars(number.data(), number.data() + number.size(), index);
            const std::string numbered = join(result, number);
            if (index >= child->size(object)) return path.empty() ? numbered : join(numbered, path);
            const std::string name = elementName(*child, child->at(object, index));
            result = join(result, name.empty() ? number : name);
        }
        object = child->at(object, index);
        table = &child->table();
    }
    return result;
}

void SceneBuilder::apply(const toml::table& text, const Source& source)
{
    applyTable(text, source, sceneTable(), &scene, "");
}

void SceneBuilder::applyTable(const toml::table& text, const Source& source, const Table& table, void* object,
                              const std::string& path)
{
    for (const auto& [name, node] : text) {
        if (path.empty() && isForCaller(name.str())) continue;
        const std::string keyPath = join(path, name.str());
        if (const Key* key = table.key(name.str())) {
            writeValue({keyPath, &table, key, object, &scene}, node, source);
            origins[keyPath] = source.at(name.source());
        } else if (const Child* child = table.child(name.str())) {
            applyChild(node, source, *child, object, keyPath);
        } else {
            failUnknown(source.at(name.source()), name.str(), table, place);
        }
    }
}

void SceneBuilder::applyChild(const toml::node& node, const Source& source, const Child& child, void* parent,
                              const std::string& path)
{
    const Origin where = source.at(node.source());
    const std::string title(child.table().title);
    if (child.isList()) {
        const toml::array* list = node.as_array();
        if (!list)
            fail(where, shown(path) + " is one table, expected a list: write " + title + " with double brackets");
        return applyList(*list, source, child, parent, path);
    }
    const toml::table* table = node.as_table();
    if (!table && node.is_array())
        fail(where, shown(path) + " is a list, expected one table: write " + title + " with single brackets");
    if (!table) fail(where, shown(path) + " is a value, expected the table " + title);
    origins[path] = where;
    applyTable(*table, source, child.table(), child.at(parent, 0), path);
}

void SceneBuilder::applyList(const toml::array& list, const Source& source, const Child& child, void* parent,
                             const std::string& path)
{
    const bool named = child.table().key("name") != nullptr;
    const std::size_t most = named ? 500 : 100000;  // limits the work on malicious scenes
    if (list.size() + (named ? child.size(parent) : 0) > most)
        fail(source.at(list.source()), shown(path) + " has " + std::to_string(list.size()) +
                                           " elements, expected at most " + std::to_string(most));
    if (!named) {
        child.clear(parent);
        std::erase_if(origins, [&](const auto& entry) { return entry.first.starts_with(path + "."); });
    }
    for (const toml::node& node : list) {
        const Origin where = source.at(node.source());
        const toml::table* text = node.as_table();
        if (!text)
            fail(where,
                 shown(path) + " contains a value, expected only tables: write " + std::string(child.table().title));
        const std::size_t index = findOrAppend(child, parent, *text);
        const std::string elementPath = join(path, std::to_string(index));
        if (named && origins.contains(elementPath) && origins[elementPath].source == source.name)
            fail(where, "a second " + std::string(child.table().title) + " is named '" +
                            elementName(child, child.at(parent, index)) + "'; the first one is at " +
                            origins[elementPath].place() + "; names must be unique");
        origins[elementPath] = where;
        void* const element = child.at(parent, index);
        if (const toml::node* name = text->get("name"); named && name)  // first: messages call the element by it
            writeValue({join(elementPath, "name"), &child.table(), child.table().key("name"), element, &scene}, *name,
                       source);
        applyTable(*text, source, child.table(), element, elementPath);
    }
}

std::string numberedPath(const Scene& scene, const std::string& key)
{
    SceneBuilder builder;
    builder.scene = scene;
    try {
        return builder.find(key, {}).path;
    } catch (const Error&) {
        return key;
    }
}

Address SceneBuilder::find(std::string_view dotted, const Origin& where)
{
    const Table* table = &sceneTable();
    void* object = &scene;
    std::string path;
    while (true) {
        const std::string_view segment = dotted.substr(0, dotted.find('.'));
        const bool isLast = segment.size() == dotted.size();
        const std::string_view rest = isLast ? "" : dotted.substr(segment.size() + 1);
        path = join(path, segment);
        if (const Key* key = table->key(segment)) {
            const bool hasEntries = std::holds_alternative<std::map<std::string, double>*>(key->field(object));
            if (!isLast && !hasEntries)
                fail(where, shown(path) + " is a value and has no key '" + std::string(rest) + "'");
            return {path, table, key, object, &scene, std::string(rest)};
        }
        const Child* child = table->child(segment);
        if (!child) failUnknown(where, segment, *table, place);
        if (isLast && child->isList())
            fail(where, shown(path) + " is a list of tables. One key of one table can be set, such as " +
                            shown(path + ".0.…") + "; tables are added in the scene file, or in one that includes it");
        if (isLast) fail(where, shown(path) + " is a table, expected one of its keys, such as " + shown(path + ".…"));
        dotted = rest;
        std::size_t index = 0;
        if (child->isList()) {
            const std::string_view element = dotted.substr(0, dotted.find('.'));
            index = elementIndex(*child, object, element, where);
            path = join(path, std::to_string(index));
            if (element.size() == dotted.size())
                fail(where, shown(path) + " is a table, expected one of its keys, such as " + shown(path + ".…"));
            dotted = dotted.substr(element.size() + 1);
        }
        object = child->at(object, index);
        table = &child->table();
    }
}

void SceneBuilder::set(std::string_view dotted, const toml::node& value, const Source& source, const Origin& where)
{
    const Address address = find(dotted, where);
    writeValue(address, value, source);
    origins[address.path] = where;
}

Origin SceneBuilder::originOf(std::string path) const
{
    while (true) {
        if (const auto found = origins.find(path); found != origins.end()) return found->second;
        const auto dot = path.rfind('.');
        if (dot == std::string::npos) break;
        path.resize(dot);
    }
    return {scene.file.string()};
}

}  // namespace firn

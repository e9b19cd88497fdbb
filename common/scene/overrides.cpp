#include "common/scene/overrides.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "common/io/suggest.h"
#include "common/scene/text_file.h"

namespace firn {

namespace {

const std::vector<std::string_view> qualityNames{"draft", "preview", "final"};

void flatten(const toml::table& table, const std::string& path, const std::string& quality, const Source& source,
             std::vector<QualityKey>& keys)
{
    for (const auto& [name, node] : table) {
        const std::string dotted = join(path, name.str());
        if (const auto* inner = node.as_table())
            flatten(*inner, dotted, quality, source, keys);
        else
            keys.push_back({quality, dotted, &node, source, source.at(name.source())});
    }
}

void applyBuiltIn(SceneBuilder& builder, const std::string& quality)
{
    const bool isDraft = quality == "draft";
    if (!isDraft && quality != "preview") return;
    Scene& scene = builder.scene;
    const Origin origin{"quality " + quality};
    scene.solver.dx *= isDraft ? 2.5 : 1.5;
    scene.render.spp = std::max(1, scene.render.spp / (isDraft ? 16 : 4));
    builder.origins["solver.dx"] = builder.origins["render.spp"] = origin;
    if (!isDraft) return;
    scene.render.width = std::max(1, scene.render.width / 2);
    scene.render.height = std::max(1, scene.render.height / 2);
    builder.origins["render.width"] = builder.origins["render.height"] = origin;
}

bool takesText(const Address& address)
{
    const Field field = address.key->field(address.object);
    return std::holds_alternative<std::string*>(field) || std::holds_alternative<FreeText*>(field) ||
           std::holds_alternative<std::filesystem::path*>(field) || std::holds_alternative<ChoiceField>(field) ||
           std::holds_alternative<FramesField>(field);
}

std::string trimmed(const std::string& text)
{
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// Whether the text begins with a letter and is no value of TOML.
bool isWord(const std::string& text)
{
    static const std::vector<std::string_view> values{"true", "false", "inf", "nan"};
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
           std::ranges::find(values, text) == values.end();
}

/// Sets a key from text that is not in a file: TOML, or a word without quotes. A key that takes no text refuses the
/// word and names what it expects.
void setFromText(SceneBuilder& builder, const std::string& dotted, const std::string& text,
                 const std::string& sourceName, std::size_t valueColumn)
{
    const Origin where{sourceName, 0, 1};
    const Address address = builder.find(dotted, where);
    constexpr std::string_view prefix = "v = ";
    const bool isBare = (takesText(address) && text.find_first_of("\"'") == std::string::npos) || isWord(trimmed(text));
    if (isBare) return builder.set(dotted, toml::value<std::string>(trimmed(text)), {sourceName, false, 0}, where);
    // The value begins at column prefix.size() + 1 of the parsed text, and at column valueColumn of the user's text.
    const Source source{sourceName, false, static_cast<int>(prefix.size()) + 1 - static_cast<int>(valueColumn)};
    const toml::table parsed = parseToml(std::string(prefix) + text, source);
    if (parsed.size() != 1) fail(where, "expected one value, found more than one line");
    builder.set(dotted, *parsed.get("v"), source, where);
}

std::string variableName(const std::string& dotted)
{
    std::string name = "FIRN_" + dotted;
    for (char& c : name) {
        const auto byte = static_cast<unsigned char>(c);
        c = std::isalnum(byte) ? static_cast<char>(std::toupper(byte)) : '_';
    }
    return name;
}

/// Adds every dotted key of the scene under its variable's name. Elements of lists appear by index and by name.
void collectKeys(const Table& table, void* object, const std::string& path, std::map<std::string, std::string>& keys)
{
    for (const Key& key : table.keys) keys.emplace(variableName(join(path, key.name)), join(path, key.name));
    for (const Child& child : table.children) {
        const std::string childPath = join(path, child.name);
        if (!child.isList()) collectKeys(child.table(), child.at(object, 0), childPath, keys);
        for (std::size_t i = 0; child.isList() && i < child.size(object); ++i) {
            void* element = child.at(object, i);
            const std::string name = elementName(child, element);
            collectKeys(child.table(), element, join(childPath, std::to_string(i)), keys);
            if (!name.empty()) collectKeys(child.table(), element, join(childPath, name), keys);
        }
    }
}

bool startsLikeTable(std::string_view variable)
{
    return std::ranges::any_of(sceneTable().children, [&](const Child& child) {
        return variable.starts_with(variableName(std::string(child.name)) + "_");
    });
}

/// The environment's variables that start with FIRN_, sorted by name.
std::map<std::string, std::string> firnVariables()
{
    std::map<std::string, std::string> variables;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (text.starts_with("FIRN_") && equals != std::string_view::npos)
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

}  // namespace

void readQuality(const toml::table& file, const Source& source, Qualities& qualities)
{
    const toml::node* quality = file.get("quality");
    if (!quality) return;
    if (!quality->is_table()) fail(source.at(quality->source()), "'quality' is not a table, expected [quality.draft]");
    for (const auto& [name, node] : *quality->as_table()) {
        if (std::ranges::find(qualityNames, name.str()) == qualityNames.end())
            fail(source.at(name.source()), "unknown quality '" + clampText(std::string(name.str()), 60) + "'" +
                                               didYouMean(name.str(), qualityNames));
        const auto* table = node.as_table();
        if (!table) fail(source.at(node.source()), "'quality." + std::string(name.str()) + "' is not a table");
        qualities.names.emplace(name.str());
        flatten(*table, "", std::string(name.str()), source, qualities.keys);
    }
}

void applyQuality(SceneBuilder& builder, const Qualities& qualities, const std::string& quality)
{
    if (!quality.empty() && std::ranges::find(qualityNames, quality) == qualityNames.end())
        fail({"--quality " + quality}, "unknown quality" + didYouMean(quality, qualityNames));
    SceneBuilder trial = builder;
    for (const QualityKey& key : qualities.keys)
        (key.quality == quality ? builder : trial).set(key.dotted, *key.value, key.source, key.where);
    if (!qualities.names.contains(quality)) applyBuiltIn(builder, quality);
}

void applyEnvironment(SceneBuilder& builder)
{
    const auto variables = firnVariables();
    if (variables.empty()) return;
    std::map<std::string, std::string> keys;
    collectKeys(sceneTable(), &builder.scene, "", keys);
    for (const auto& [name, text] : variables) {
        const auto key = keys.find(name);
        if (key != keys.end()) {
            setFromText(builder, key->second, text, name + "=" + text, name.size() + 2);
        } else if (startsLikeTable(name)) {
            std::vector<std::string_view> known;
            known.reserve(keys.size());
            for (const auto& [variable, dotted] : keys) known.push_back(variable);
            fail({name}, "the scene has no key of this name" + didYouMean(name, known));
        }
    }
}

void applySet(SceneBuilder& builder, const std::vector<std::string>& settings, const std::string& giver)
{
    for (const std::string& setting : settings) {
        const std::string source = giver + setting;
        const auto equals = setting.find('=');
        const std::string dotted = trimmed(setting.substr(0, equals));
        if (equals == std::string::npos || dotted.empty()) fail({source}, "expected key=value, such as solver.dx=0.02");
        setFromText(builder, dotted, setting.substr(equals + 1), source, equals + 2);
    }
}

}  // namespace firn

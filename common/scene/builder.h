#pragma once
// Builds a scene from its layers (included file, file, quality, environment, command line). A later layer overwrites an
// earlier one. For each value that is written the builder stores where it came from, for error messages and the dump.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "common/error.h"
#include "common/scene/keys.h"
#include "common/scene/scene.h"
#include "common/scene/toml.h"

namespace firn {

/// The place that a value came from.
struct Origin {
    std::string source;  // a file, "--set solver.dx=1", "FIRN_SOLVER_DX", "preset powder", …
    unsigned line = 0;   // 0 if the source has no lines
    unsigned column = 0;

    /// "shot.toml:12:3".
    std::string place() const;
    /// "shot.toml:12", always one line, for the dump.
    std::string brief() const;
};

/// Throws Error with the place in front of the message.
[[noreturn]] void fail(const Origin& origin, const std::string& message, ExitCode code = ExitCode::Usage);

/// The text that one layer was parsed from.
struct Source {
    std::string name;
    bool has_lines = true;  // true for a file, false for one line of text such as "--set solver.dx=1"
    int column_shift = 0;   // of one line of text: parsed column minus the column that the user sees

    Origin at(const toml::source_region& region) const;
};

/// The member of the scene that a dotted key such as "snow.bed.material.hardening" names.
struct Address {
    std::string path;  // the same key with indices: "snow.0.material.hardening"
    const Table* table = nullptr;
    const Key* key = nullptr;
    void* object = nullptr;  // the struct that has the key
    const Scene* scene = nullptr;
    std::string entry = {};  // in a table of numbers: the name of one number; "" = the whole table
};

/// A path as people write it, with names instead of indices where elements have one: "snow.0.preset" ->
/// "snow.bed.preset".
std::string namedPath(Scene scene, std::string_view path);

/// The same with indices: "snow.bed.preset" -> "snow.0.preset". Text that is no key of the scene stays as it is.
std::string numberedPath(const Scene& scene, const std::string& key);

class SceneBuilder {
public:
    Scene scene;
    std::map<std::string, Origin> origins;   // by path; tables and list elements have one too
    std::string place = "at the top level";  // what messages call the scene's own table

    /// Writes all values of a file. The caller handles `include`, `quality` and `take` of the top level.
    void apply(const toml::table& text, const Source& source);
    /// Writes the value of one key, given by its dotted name.
    void set(std::string_view dotted, const toml::node& value, const Source& source, const Origin& where);
    /// Throws Error(Usage) at `where` if there is no such key; the message names the nearest one.
    Address find(std::string_view dotted, const Origin& where);
    /// The origin of a path; if it has none, that of the nearest table around it; if there is none, the file.
    Origin originOf(std::string path) const;
    bool isGiven(const std::string& path) const { return origins.contains(path); }

private:
    std::string shown(std::string_view path) const { return "'" + namedPath(scene, path) + "'"; }
    void applyTable(const toml::table& text, const Source& source, const Table& table, void* object,
                    const std::string& path);
    void applyChild(const toml::node& node, const Source& source, const Child& child, void* parent,
                    const std::string& path);
    void applyList(const toml::array& list, const Source& source, const Child& child, void* parent,
                   const std::string& path);
};

/// "snow.0" + "preset" -> "snow.0.preset".
std::string join(std::string_view path, std::string_view name);
/// "snow.2" for the list "snow".
std::string nth(std::string_view list, std::size_t i);

/// Checks the type and range of a value and writes it. Throws Error(Usage).
void writeValue(const Address& address, const toml::node& value, const Source& source);

/// The name of an element of a list such as [[snow]]; "" if it has none.
std::string elementName(const Child& child, void* element);

}  // namespace firn

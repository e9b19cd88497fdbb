#pragma once
// Puts the layers of a scene on top of each other: each value written remembers where it came from.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "common/error.h"
#include "common/scene/keys.h"
#include "common/scene/scene.h"
#include "common/scene/toml.h"

namespace firn {

/// Where a value came from.
struct Origin {
    std::string source;  // a file, "--set solver.dx=1", "FIRN_SOLVER_DX", "preset powder", …
    unsigned line = 0;   // 0 where the source has no lines
    unsigned column = 0;

    /// "shot.toml:12:3".
    std::string place() const;
    /// "shot.toml:12" in one line, for the dump.
    std::string brief() const;
};

[[noreturn]] void fail(const Origin& origin, const std::string& message, ExitCode code = ExitCode::Usage);

/// One parsed layer: where its nodes come from.
struct Source {
    std::string name;
    bool has_lines = true;  // a file; otherwise columns count from `column_shift`
    int column_shift = 0;

    Origin at(const toml::source_region& region) const;
};

/// What a dotted key such as "snow.bed.material.hardening" means in a scene.
struct Address {
    std::string path;  // with indices: "snow.0.material.hardening"
    const Table* table = nullptr;
    const Key* key = nullptr;
    void* object = nullptr;  // the struct that has the key
    std::string entry = {};  // of a table of numbers: the one number meant, "" = the whole
};

class Builder {
public:
    Scene scene;
    std::map<std::string, Origin> origins;  // by path; also of tables and list elements

    /// Writes what a file says. Keys `include`, `quality` and `take` of the top level are left to the caller.
    void apply(const toml::table& text, const Source& source);
    /// Writes one key by its dotted name.
    void set(std::string_view dotted, const toml::node& value, const Source& source, const Origin& where);
    /// Throws Error at `where` with the nearest name if no such key exists.
    Address find(std::string_view dotted, const Origin& where);
    /// The origin of a path, else of the nearest table around it, else of the file.
    Origin originOf(std::string path) const;
    bool isGiven(const std::string& path) const { return origins.contains(path); }

private:
    void applyTable(const toml::table& text, const Source& source, const Table& table, void* object,
                    const std::string& path);
    void applyChild(const toml::node& node, const Source& source, const Child& child, void* parent,
                    const std::string& path);
    void applyList(const toml::array& list, const Source& source, const Child& child, void* parent,
                   const std::string& path);
};

/// "snow.0" + "preset" -> "snow.0.preset".
std::string join(std::string_view path, std::string_view name);

/// Writes one value after checking its type and range.
void writeValue(const Address& address, const toml::node& value, const Source& source);

/// The name of an element of a list such as [[snow]]; empty where there is none.
std::string elementName(const Child& child, void* element);

}  // namespace firn

#pragma once
// What a scene file may say: every key is declared once, in a table per struct (keys_*.cpp). The parser, the checks of
// type and range, the dump, the simulation's checksum and docs/scene.md are all made from these tables.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/math.h"

namespace firn {

/// Which numbers a key takes; for vectors each component, for named numbers each value.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_excluded = false;

    bool contains(double value) const { return (low_excluded ? value > low : value >= low) && value <= high; }
};

constexpr Range anyValue() { return {}; }
constexpr Range above(double low) { return {low, std::numeric_limits<double>::infinity(), true}; }
constexpr Range atLeast(double low) { return {low, std::numeric_limits<double>::infinity(), false}; }
constexpr Range between(double low, double high) { return {low, high, false}; }
constexpr Range aboveUpTo(double low, double high) { return {low, high, true}; }
constexpr Range coordinate_m() { return between(-1e5, 1e5); }
constexpr Range length_m() { return aboveUpTo(0, 1e5); }
constexpr Range lengthOrZero_m() { return between(0, 1e5); }
constexpr Range angle_deg() { return between(-36000, 36000); }
constexpr Range time_s() { return between(-1e6, 1e6); }

/// An enum member, seen as the position in its key's list of choices.
struct ChoiceField {
    void* member;
    int (*get)(const void* member);
    void (*set)(void* member, int choice);
};

/// "first-last", two members of one struct.
struct FramesField {
    int* first;
    int* last;
};

using Field = std::variant<double*, int*, std::uint64_t*, bool*, std::string*, std::filesystem::path*, Vec3d*,
                           std::map<std::string, double>*, ChoiceField, FramesField>;

enum class Affects { Simulation, Picture };  // Picture: also what only names or schedules things

struct Key {
    std::string_view name;
    Field (*field)(void* object);
    std::string_view unit;  // "" where there is none
    Range range;
    Affects affects;
    std::string_view meaning;
    std::string_view only = {};                  // shapes or kinds it has a meaning for, separated by spaces; "" = all
    std::vector<std::string_view> choices = {};  // enums, and text of which only some values are known
};

struct Table;

/// A table inside a table: one (`[camera]`) or a list (`[[snow]]`).
struct Child {
    std::string_view name;
    const Table& (*table)();
    std::size_t (*size)(void* parent);
    void* (*at)(void* parent, std::size_t index);
    void* (*append)(void* parent);  // null unless a list
    void (*clear)(void* parent);    // null unless a list

    bool isList() const { return append != nullptr; }
};

struct Table {
    std::string_view title;  // as written in a scene: "[[snow]]"; "" for the top level
    std::string_view meaning;
    void* defaults;             // a default-constructed struct, never changed
    std::string_view selector;  // the key that `Key::only` speaks of; "" where there is none
    std::vector<Key> keys;
    std::vector<Child> children = {};

    const Key* key(std::string_view name) const;
    const Child* child(std::string_view name) const;
};

const Table& sceneTable();
const Table& snowTable();
const Table& snowMaterialTable();
const Table& snowNoiseTable();
const Table& snowCrustTable();
const Table& bodyTable();
const Table& bodyKeyTable();
const Table& cameraTable();
const Table& cameraKeyTable();
const Table& lightTable();
const Table& solverTable();
const Table& renderTable();

/// The key's value in `object` as TOML text that reads back to the same bits; paths relative to `folder`.
std::string valueText(const Key& key, void* object, const std::filesystem::path& folder);
/// "number", "array of 3 numbers", "text", … as the reference and the errors call it.
std::string typeText(const Key& key, void* object);
/// "above 0", "0 to 1", "'box', 'sphere' or 'mesh'"; "" when everything of the type is allowed.
std::string rangeText(const Key& key);
/// Copies a value between members of the same type.
void copyValue(const Field& from, const Field& to);
/// Whether the key has a meaning in `object`, given the shape or kind chosen there.
bool applies(const Table& table, const Key& key, void* object);
/// A double as TOML text: shortest that reads back to the same bits, always a float.
std::string numberText(double value);
/// Text as a TOML basic string, with quotes.
std::string quotedText(std::string_view text);

template <class Member>
struct MemberOf;
template <class S, class T>
struct MemberOf<T S::*> {
    using Struct = S;
    using Type = T;
};

/// The accessor of a member for the tables.
template <auto Member>
Field fieldOf(void* object)
{
    using S = typename MemberOf<decltype(Member)>::Struct;
    using T = typename MemberOf<decltype(Member)>::Type;
    T* member = &(static_cast<S*>(object)->*Member);
    if constexpr (std::is_enum_v<T>) {
        return ChoiceField{member, [](const void* m) { return static_cast<int>(*static_cast<const T*>(m)); },
                           [](void* m, int choice) { *static_cast<T*>(m) = static_cast<T>(choice); }};
    } else {
        return member;
    }
}

template <auto Member>
Child childOf(std::string_view name, const Table& (*table)())
{
    using S = typename MemberOf<decltype(Member)>::Struct;
    return {name,
            table,
            [](void*) { return std::size_t{1}; },
            [](void* parent, std::size_t) -> void* { return &(static_cast<S*>(parent)->*Member); },
            nullptr,
            nullptr};
}

template <auto Member>
Child listOf(std::string_view name, const Table& (*table)())
{
    using S = typename MemberOf<decltype(Member)>::Struct;
    return {name,
            table,
            [](void* parent) { return (static_cast<S*>(parent)->*Member).size(); },
            [](void* parent, std::size_t index) -> void* { return &(static_cast<S*>(parent)->*Member)[index]; },
            [](void* parent) -> void* { return &(static_cast<S*>(parent)->*Member).emplace_back(); },
            [](void* parent) { (static_cast<S*>(parent)->*Member).clear(); }};
}

}  // namespace firn

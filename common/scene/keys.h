#pragma once
// The keys of a scene file. Each key is declared once, in one table per struct (keys_*.cpp). The parser, the checks of
// type and range, the dump, the simulation's checksum and docs/scene.md all use these tables.

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
#include "common/scene/free_text.h"

namespace firn {

/// The numbers that a key accepts: for a vector each component, for a table of numbers each value.
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

/// A member of an enum type, accessed as an index into its key's list of choices.
struct ChoiceField {
    void* member;
    int (*get)(const void* member);
    void (*set)(void* member, int choice);
};

/// A frame range "first-last", which is two members of one struct.
struct FramesField {
    int* first;
    int* last;
};

using Field = std::variant<double*, int*, std::uint64_t*, bool*, std::string*, FreeText*, std::filesystem::path*,
                           Vec3d*, std::map<std::string, double>*, ChoiceField, FramesField>;

/// What a key changes. SimulationIfSet is for keys whose default does what a program without the key did: with the
/// default they are no part of a scene's identity (hash.h), so caches of that program stay valid. Picture also stands
/// for keys that change no result, such as names and threads.
enum class Affects { Simulation, SimulationIfSet, Picture };

struct Key {
    std::string_view name;
    Field (*field)(void* object);
    std::string_view unit;  // "" if it has none
    Range range;
    Affects affects;
    std::string_view meaning;
    std::string_view only = {};                  // shapes or kinds that use it, separated by spaces; "" = all
    std::vector<std::string_view> choices = {};  // the allowed values of an enum, or of text with a fixed set of values
};

struct Table;

/// A table inside a table: a single one (`[camera]`) or a list (`[[snow]]`).
struct Child {
    std::string_view name;
    const Table& (*table)();
    std::size_t (*size)(void* parent);
    void* (*at)(void* parent, std::size_t index);
    void* (*append)(void* parent);  // null if it is not a list
    void (*clear)(void* parent);    // null if it is not a list

    bool isList() const { return append != nullptr; }
};

struct Table {
    std::string_view title;  // as written in a scene, "[[snow]]"; "" for the top level
    std::string_view meaning;
    void* defaults;             // a default-constructed struct, never changed
    std::string_view selector;  // the key whose values `Key::only` lists; "" if there is none
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
const Table& snowSeamsTable();
const Table& snowLookTable();
const Table& snowMaskTable();
const Table& snowPatchesTable();
const Table& bodyTable();
const Table& bodyKeyTable();
const Table& bodyPlaceTable();
const Table& bodyPathTable();
const Table& bodyPictureTable();
const Table& cameraTable();
const Table& cameraKeyTable();
const Table& cameraAnimationTable();
const Table& lightTable();
const Table& solverTable();
const Table& airTable();
const Table& windowTable();
const Table& renderTable();

/// The key's value in `object` as TOML text, which reads back to the same bits. Paths are relative to `folder`.
std::string valueText(const Key& key, void* object, const std::filesystem::path& folder);
/// The type's name in the reference and in errors: "number", "array of 3 numbers", "text", …
std::string typeText(const Key& key, void* object);
/// "above 0", "0 to 1", "'box', 'sphere' or 'mesh'"; "" if every value of the type is allowed.
std::string rangeText(const Key& key);
/// " (m)", or "" if the key has no unit.
std::string unitText(const Key& key);
/// Copies a value between members of the same type.
void copyValue(const Field& from, const Field& to);
/// Whether `object` uses the key, which depends on the shape or kind of `object`.
bool applies(const Table& table, const Key& key, void* object);
/// The shapes or kinds that use the key, separated by commas.
std::string onlyList(const Key& key);
/// A double as TOML float: the shortest text that reads back to the same bits.
std::string numberText(double value);
/// Text as a TOML basic string in quotes.
std::string quotedText(std::string_view text);

template <class Member>
struct MemberOf;
template <class S, class T>
struct MemberOf<T S::*> {
    using Struct = S;
    using Type = T;
};

/// The accessor of a member, for use in the tables.
template <auto member>
Field fieldOf(void* object)
{
    using S = typename MemberOf<decltype(member)>::Struct;
    using T = typename MemberOf<decltype(member)>::Type;
    T* value = &(static_cast<S*>(object)->*member);
    if constexpr (std::is_enum_v<T>) {
        return ChoiceField{value, [](const void* m) { return static_cast<int>(*static_cast<const T*>(m)); },
                           [](void* m, int choice) { *static_cast<T*>(m) = static_cast<T>(choice); }};
    } else {
        return value;
    }
}

template <auto member>
Child childOf(std::string_view name, const Table& (*table)())
{
    using S = typename MemberOf<decltype(member)>::Struct;
    return {name,
            table,
            [](void*) { return std::size_t{1}; },
            [](void* parent, std::size_t) -> void* { return &(static_cast<S*>(parent)->*member); },
            nullptr,
            nullptr};
}

template <auto member>
Child listOf(std::string_view name, const Table& (*table)())
{
    using S = typename MemberOf<decltype(member)>::Struct;
    return {name,
            table,
            [](void* parent) { return (static_cast<S*>(parent)->*member).size(); },
            [](void* parent, std::size_t index) -> void* { return &(static_cast<S*>(parent)->*member)[index]; },
            [](void* parent) -> void* { return &(static_cast<S*>(parent)->*member).emplace_back(); },
            [](void* parent) { (static_cast<S*>(parent)->*member).clear(); }};
}

}  // namespace firn

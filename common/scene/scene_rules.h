#pragma once
// What the checks of a scene have in common (checks.h): how they fail, and the rules that hold for several tables.

#include <set>
#include <string>

#include "common/scene/builder.h"

namespace firn {

struct SceneRules {
    const SceneBuilder& builder;

    [[noreturn]] void fault(const std::string& path, const std::string& message) const
    {
        fail(builder.originOf(path), message);
    }

    std::string shown(const std::string& path) const { return "'" + namedPath(builder.scene, path) + "'"; }

    /// Refuses keys that the chosen shape or kind does not use: the user surely meant something else.
    void used(const Table& table, void* object, const std::string& path, const std::string& name) const;

    template <class List>
    void names(const List& list, const std::string& word) const
    {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!seen.insert(list[i].name).second)
                fault(nth(word, i) + ".name",
                      "a second [[" + word + "]] is named '" + list[i].name + "'; names must be unique");
    }

    template <class Keys>
    void times(const Keys& keys, const std::string& path) const
    {
        for (std::size_t i = 1; i < keys.size(); ++i)
            if (keys[i].time_s <= keys[i - 1].time_s)
                fault(nth(path + ".key", i) + ".time_s",
                      shown(nth(path + ".key", i) + ".time_s") + " is " + numberText(keys[i].time_s) +
                          ", expected more than " + numberText(keys[i - 1].time_s) + ", the time of the key before it");
    }

    /// Refuses a shape that needs a file but has none.
    template <class Spec>
    void file(const Table& table, Spec& spec, const std::string& path) const
    {
        if (spec.file.empty() && applies(table, *table.key("file"), &spec))
            fault(path, "'" + spec.name + "' needs a file");
    }

    /// The body that a key names.
    const BodySpec& named(const std::string& name, const std::string& path) const;

    /// Whether a body's file has nodes.
    static bool hasNodes(const BodySpec& spec);

    /// Refuses nodes of parents that have none, and characters without the joint that carries. `name`: of the body or
    /// light at `path`.
    void carried(const std::string& name, const std::string& parent, const std::string& node,
                 const std::string& path) const;
};

/// Of one region of snow, one body and one light. Throw Error(Usage) at the place of the wrong key.
void checkSnow(const SceneBuilder& builder, const SnowRegion& region, const std::string& path);
void checkBody(const SceneBuilder& builder, const BodySpec& spec, const std::string& path);
void checkLight(const SceneBuilder& builder, const LightSpec& spec, const std::string& path);

}  // namespace firn

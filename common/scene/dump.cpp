// The resolved scene as text.

#include "common/scene/dump.h"

#include "common/scene/keys.h"
#include "common/scene/load.h"

namespace firn {

namespace {

constexpr std::size_t comment_column = 48;

struct Writer {
    const std::map<std::string, std::string>& origins;
    std::filesystem::path folder;
    bool has_comments;
    std::string text = {};

    void line(const Key& key, const std::string& value, const std::string& path)
    {
        std::string statement = std::string(key.name) + " = " + value;
        if (!has_comments) {
            text += statement + "\n";
            return;
        }
        if (statement.size() < comment_column) statement.resize(comment_column, ' ');
        const auto origin = origins.find(path.empty() ? std::string(key.name) : path + "." + std::string(key.name));
        text += statement + "  # " + (origin == origins.end() ? "default" : origin->second) + "\n";
    }

    void table(const Table& table_, void* object, const std::string& path)
    {
        for (const Key& key : table_.keys) {
            const std::string value = valueText(key, object, folder);
            const bool is_empty = value == quotedText("") || value == "{ }";
            if (applies(table_, key, object) && !is_empty) line(key, value, path);
        }
        for (const Child& child : table_.children) {
            for (std::size_t i = 0; i < child.size(object); ++i) {
                text += "\n" + std::string(child.table().title) + "\n";
                std::string child_path = path.empty() ? std::string(child.name) : path + "." + std::string(child.name);
                if (child.isList()) child_path += "." + std::to_string(i);
                table(child.table(), child.at(object, i), child_path);
            }
        }
    }
};

std::string textOf(const LoadedScene& loaded, bool has_comments)
{
    Scene copy = loaded.scene;  // the accessors take what they may change
    Writer writer{loaded.origins, copy.file.parent_path().lexically_normal(), has_comments};
    writer.table(sceneTable(), &copy, "");
    return writer.text;
}

}  // namespace

std::string LoadedScene::dump() const
{
    return "# The resolved scene. Paths are relative to the folder of " + quotedText(scene.file.string()) + ".\n" +
           textOf(*this, true);
}

std::string dumpValues(const LoadedScene& loaded) { return textOf(loaded, false); }

}  // namespace firn

// The resolved scene as text.

#include "common/scene/dump.h"

#include "common/scene/keys.h"
#include "common/scene/load.h"

namespace firn {

namespace {

constexpr std::size_t commentColumn = 48;

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
        if (statement.size() < commentColumn) statement.resize(commentColumn, ' ');
        const auto origin = origins.find(path.empty() ? std::string(key.name) : path + "." + std::string(key.name));
        text += statement + "  # " + (origin == origins.end() ? "default" : origin->second) + "\n";
    }

    void table(const Table& declared, void* object, const std::string& path)
    {
        for (const Key& key : declared.keys) {
            const std::string value = valueText(key, object, folder);
            const bool isEmpty = value == quotedText("") || value == "{ }";
            if (applies(declared, key, object) && !isEmpty) line(key, value, path);
        }
        for (const Child& child : declared.children) {
            for (std::size_t i = 0; i < child.size(object); ++i) {
                text += "\n" + std::string(child.table().title) + "\n";
                std::string childPath = path.empty() ? std::string(child.name) : path + "." + std::string(child.name);
                if (child.isList()) childPath += "." + std::to_string(i);
                table(child.table(), child.at(object, i), childPath);
            }
        }
    }
};

std::string textOf(const LoadedScene& loaded, bool withComments)
{
    Scene copy = loaded.scene;  // the accessors need a scene that is not const
    Writer writer{loaded.origins, copy.file.parent_path().lexically_normal(), withComments};
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

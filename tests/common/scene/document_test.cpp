#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <sstream>

#include "common/scene/keys.h"
#include "common/scene/presets.h"
#include "common/scene/reference.h"
#include "tests/common/scene/scene_text.h"
#include "tests/text_of.h"

using namespace firn;

namespace {

void forEachTable(const Table& table, const std::function<void(const Table&)>& visit)
{
    visit(table);
    for (const Child& child : table.children) forEachTable(child.table(), visit);
}

}  // namespace

TEST_CASE("docs/scene.md is up to date with the declarations", "[scene]")
{
    const std::filesystem::path page = std::filesystem::path(FIRN_SOURCE_FOLDER) / "docs/scene.md";
    if (std::getenv("FIRN_UPDATE_DOCS")) {
        std::filesystem::create_directories(page.parent_path());
        writeFileChecked(page, sceneReference());
    }
    INFO("docs/scene.md is stale; this writes it again:  FIRN_UPDATE_DOCS=1 build/tests/common/test_common '[scene]'");
    CHECK((textOf(page) == sceneReference()));
}

TEST_CASE("Every key and preset is on the page under its table, with a meaning", "[scene]")
{
    const std::string page = sceneReference();
    int keys = 0;
    forEachTable(sceneTable(), [&](const Table& table) {
        const std::string title = table.title.empty() ? "### Top level" : "### `" + std::string(table.title) + "`";
        const auto begin = page.find(title + "\n");
        INFO(title);
        REQUIRE(begin != std::string::npos);
        const std::string section = page.substr(begin, page.find("\n#", begin + 3) - begin);
        for (const Key& key : table.keys) {
            INFO(key.name);
            CHECK(section.find("\n| `" + std::string(key.name) + "` |") != std::string::npos);
            CHECK(key.meaning.size() > 5);
            ++keys;
        }
    });
    CHECK(keys > 100);
    for (const auto name : snowPresetNames())
        CHECK(page.find("\n| `" + std::string(name) + "` |") != std::string::npos);
    for (const auto name : renderPresetNames())
        CHECK(page.find("\n| `" + std::string(name) + "` |") != std::string::npos);
}

TEST_CASE("The page has every value of a snow preset that differs from its default", "[scene]")
{
    const std::string page = sceneReference();
    for (SnowPreset preset : snowPresets()) {
        const auto begin = page.find("\n| `" + std::string(preset.name) + "` | ");
        REQUIRE(begin != std::string::npos);
        const std::string row = page.substr(begin, page.find('\n', begin + 1) - begin);
        const auto check = [&](const Table& table, void* object) {
            for (const Key& key : table.keys) {
                const std::string value = valueText(key, object, {});
                INFO(preset.name << " " << key.name << " " << value);
                CHECK((value == valueText(key, table.defaults, {}) || row.find(value) != std::string::npos));
            }
        };
        check(snowMaterialTable(), &preset.material);
        check(snowNoiseTable(), &preset.noise);
        check(snowCrustTable(), &preset.crust);
        check(snowSeamsTable(), &preset.seams);
    }
}

TEST_CASE("No name is declared twice in a table, and keys of some shapes list known shapes only", "[scene]")
{
    forEachTable(sceneTable(), [](const Table& table) {
        for (const Key& key : table.keys) {
            INFO(table.title << " " << key.name);
            CHECK(table.key(key.name) == &key);
            if (key.only.empty()) continue;
            const Key* selector = table.key(table.selector);
            REQUIRE(selector);
            std::istringstream words{std::string(key.only)};
            for (std::string word; words >> word;) CHECK(std::ranges::count(selector->choices, word) == 1);
        }
    });
}

namespace {

/// The largest run of bytes of a struct that belongs to no key and no table.
template <class Struct>
std::size_t largestGap(const Table& table)
{
    const auto* begin = static_cast<const char*>(table.defaults);
    std::vector<bool> isDeclared(sizeof(Struct));
    const auto mark = [&](const void* member, std::size_t size) {
        const auto at = static_cast<std::size_t>(static_cast<const char*>(member) - begin);
        REQUIRE(at + size <= sizeof(Struct));
        for (std::size_t i = at; i < at + size; ++i) {
            CHECK_FALSE(isDeclared[i]);
            isDeclared[i] = true;
        }
    };
    for (const Key& key : table.keys) {
        INFO(key.name);
        const Field field = key.field(table.defaults);
        std::visit(
            [&](const auto& member) {
                using Member = std::decay_t<decltype(member)>;
                if constexpr (std::is_same_v<Member, ChoiceField>) mark(member.member, sizeof(int));
                if constexpr (std::is_pointer_v<Member>) mark(member, sizeof(*member));
            },
            field);
    }
    std::size_t largest = 0;
    std::size_t gap = 0;
    for (const bool declared : isDeclared) largest = std::max(largest, gap = declared ? 0 : gap + 1);
    return largest;
}

}  // namespace

TEST_CASE("Every member of the structs has one key", "[scene]")
{
    // Gaps below 8 bytes are padding. Tables and lists inside a struct are gaps of their own size.
    CHECK(largestGap<SnowMaterial>(snowMaterialTable()) < 8);
    CHECK(largestGap<SnowNoise>(snowNoiseTable()) < 8);
    CHECK(largestGap<SnowCrust>(snowCrustTable()) < 8);
    CHECK(largestGap<SnowSeams>(snowSeamsTable()) < 8);
    CHECK(largestGap<SnowMask>(snowMaskTable()) == sizeof(std::string));
    CHECK(largestGap<SnowPatches>(snowPatchesTable()) < 8);
    CHECK(largestGap<SnowRegion>(snowTable()) <= sizeof(SnowMaterial) + sizeof(SnowNoise) + sizeof(SnowCrust) +
                                                     sizeof(SnowSeams) + sizeof(SnowPowder) + sizeof(SnowLook) +
                                                     sizeof(SnowMask) + sizeof(SnowPatches) + sizeof(SnowSource) + 4);
    CHECK(largestGap<BodySpec>(bodyTable()) == sizeof(BodyPicture));
    CHECK(largestGap<BodyPicture>(bodyPictureTable()) == sizeof(std::string));
    CHECK(largestGap<BodyKey>(bodyKeyTable()) < 8);
    CHECK(largestGap<BodyPlace>(bodyPlaceTable()) < 8);
    CHECK(largestGap<BodyPathPoint>(bodyPathTable()) < 8);
    CHECK(largestGap<Camera>(cameraTable()) ==
          sizeof(std::vector<CameraKey>) + sizeof(CameraAnimation) + sizeof(Camera::played));
    CHECK(largestGap<CameraAnimation>(cameraAnimationTable()) == sizeof(std::string));
    CHECK(largestGap<CameraKey>(cameraKeyTable()) < 8);
    CHECK(largestGap<LightSpec>(lightTable()) == sizeof(std::string));
    CHECK(largestGap<Solver>(solverTable()) < 8);
    CHECK(largestGap<Air>(airTable()) < 8);
    CHECK(largestGap<Render>(renderTable()) < 8);
}

TEST_CASE("Each default lies in its key's own range", "[scene]")
{
    // A default of 0 means that shapes which use the key must give it.
    const std::vector<std::string> mustBeGiven{"radius_m", "depth_m"};
    forEachTable(sceneTable(), [&](const Table& table) {
        for (const Key& key : table.keys) {
            INFO(table.title << " " << key.name);
            const Field field = key.field(table.defaults);
            const bool isGiven = table.title == "[[snow]]" && std::ranges::count(mustBeGiven, key.name) > 0;
            if (const auto* number = std::get_if<double*>(&field)) CHECK((isGiven || key.range.contains(**number)));
            if (const auto* number = std::get_if<int*>(&field)) CHECK(key.range.contains(**number));
            if (const auto* vector = std::get_if<Vec3d*>(&field))
                for (const double component : **vector) CHECK(key.range.contains(component));
        }
    });
}

TEST_CASE("The scene at the beginning of the page loads", "[scene]")
{
    const std::string page = sceneReference();
    const auto begin = page.find("```toml\n") + 8;
    const std::string shown = page.substr(begin, page.find("```", begin) - begin);
    const SceneFolder folder;
    const Scene scene = folder.load(shown).scene;
    CHECK(scene.snow.size() == 2);
    CHECK(scene.bodies.size() == 1);
    CHECK(scene.lights.size() == 2);
}

TEST_CASE("The page's example of a quality table works", "[scene]")
{
    const std::string page = sceneReference();
    const auto begin = page.find("[quality.draft]");
    const std::string shown = page.substr(begin, page.find("```", begin) - begin);
    const SceneFolder folder;
    const Scene scene = folder.load(smallScene + shown, {.quality = "draft"}).scene;
    CHECK(scene.solver.dx == 0.05);
    CHECK(scene.render.spp == 4);
    CHECK(scene.end_frame == 24);
}

TEST_CASE("The page's example of a take is read, and only its settings apply it", "[scene]")
{
    const std::string page = sceneReference();
    const auto begin = page.find("[[take]]");
    const std::string shown = page.substr(begin, page.find("```", begin) - begin);
    const SceneFolder folder;
    const LoadedScene loaded = folder.load(smallScene + shown);
    REQUIRE(loaded.takes.size() == 1);
    CHECK(loaded.takes[0].name == "brittle");
    CHECK(loaded.scene.snow[0].material.hardening != 20);
    const SnowMaterial taken = folder.load(smallScene + shown, {.set = loaded.takes[0].set}).scene.snow[0].material;
    CHECK(taken.hardening == 20);
    CHECK(taken.youngs_modulus_pa == 3e5);
}

#include <catch2/catch.hpp>
#include <functional>

#include "common/scene/dump.h"
#include "common/scene/flat_scene.h"
#include "common/scene/hash.h"
#include "common/scene/identity.h"
#include "common/scene/keys.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;

namespace {

/// Every value of every table as text.
std::string allValues(Scene scene)
{
    std::string text;
    const std::function<void(const Table&, void*)> visit = [&](const Table& table, void* object) {
        for (const Key& key : table.keys)
            text += std::string(table.title) + " " + std::string(key.name) + " " + valueText(key, object, {}) + "\n";
        for (const Child& child : table.children)
            for (std::size_t i = 0; i < child.size(object); ++i) visit(child.table(), child.at(object, i));
    };
    visit(sceneTable(), &scene);
    return text;
}

std::string lineWith(const std::string& text, const std::string& part)
{
    const auto at = text.find(part);
    if (at == std::string::npos) return "";
    const auto begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("A dump loads to the same scene and the same checksum, and dumps the same values", "[scene]")
{
    const SceneFolder folder;
    for (const std::string quality : {"", "draft", "preview", "final"}) {
        const LoadedScene first = loadLarge(folder, {.quality = quality, .set = {"snow.0.noise.scale_m=0.1"}});
        const LoadedScene second = loadScene(folder.write("dump.toml", first.dump()));
        CHECK(allValues(second.scene) == allValues(first.scene));
        CHECK(sceneHash(second.scene) == sceneHash(first.scene));
    }
}

TEST_CASE("The values of a dump are those of the scene, without their origins", "[scene]")
{
    const SceneFolder folder;
    const LoadedScene first = loadLarge(folder, {.quality = "draft"});
    const std::string text = dumpValues(first);
    CHECK(allValues(loadScene(folder.write("values.toml", text)).scene) == allValues(first.scene));
    CHECK(text.find('#') == std::string::npos);
    CHECK(text.find(folder.path().string()) == std::string::npos);
}

TEST_CASE("A dump loads however the path of the scene's folder is written", "[scene]")
{
    const SceneFolder folder;
    loadLarge(folder);
    std::filesystem::create_directory(folder.path() / "x");
    const LoadedScene first = loadScene(folder.path() / "x" / ".." / "shot.toml");
    CHECK_THAT(first.dump(), Catch::Contains("file = \"walk.bvh\" "));
    CHECK(allValues(loadScene(folder.write("dump.toml", first.dump())).scene).size() == allValues(first.scene).size());
}

TEST_CASE("An override of several lines stays within its comment in a dump", "[scene]")
{
    const SceneFolder folder;
    const LoadedScene first = folder.load(smallScene, {.set = {"camera.position=[1, 2,\n3]"}});
    CHECK(allValues(loadScene(folder.write("dump.toml", first.dump())).scene) == allValues(first.scene));
}

TEST_CASE("A dump tells where each value came from", "[scene]")
{
    const SceneFolder folder;
    const Variable variable("FIRN_SOLVER_CFL", "0.25");
    const std::string dump = loadLarge(folder, {.quality = "draft", .set = {"fps=30"}}).dump();
    CHECK_THAT(lineWith(dump, "fps = 30.0"), Catch::EndsWith("  # --set fps=30"));
    CHECK_THAT(lineWith(dump, "cfl = 0.25"), Catch::EndsWith("  # FIRN_SOLVER_CFL=0.25"));
    CHECK_THAT(lineWith(dump, "density_kg_m3 = 220.0"), Catch::EndsWith("  # preset crust"));
    CHECK_THAT(lineWith(dump, "name = \"snow2\""), Catch::EndsWith("  # generated name"));
    CHECK_THAT(lineWith(dump, "focal_length_mm = 50.0"), Catch::EndsWith("shot.toml:59"));
    CHECK_THAT(lineWith(dump, "hardening = 8.5"), Catch::EndsWith("shot.toml:13"));
    CHECK_THAT(lineWith(dump, "wave_cfl = 0.8"), Catch::EndsWith("  # default"));
    CHECK_THAT(lineWith(dump, "dx = 0.06"), Catch::Contains("shot.toml:"));
}

TEST_CASE("Numbers are written so that they read back to the same bits", "[scene]")
{
    // 0.1 + 0.2 is 0.30000000000000004, its shortest text that is not that of 0.3.
    CHECK(numberText(0.1 + 0.2) == "0.30000000000000004");
    CHECK(numberText(24) == "24.0");
    CHECK(numberText(1e5) == "100000.0");
    CHECK(numberText(-0.00025) == "-0.00025");
    CHECK(numberText(-0.0) == "-0.0");
    CHECK(numberText(1e300) == "1e+300");
}

TEST_CASE("The checksum changes only with keys that change the simulation", "[scene]")
{
    const SceneFolder folder;
    const auto hashWith = [&](const std::string& setting) {
        return sceneHash(loadLarge(folder, {.set = {setting}}).scene);
    };
    const std::string hash = sceneHash(loadLarge(folder).scene);
    CHECK(hash.size() == 16);
    for (const std::string setting :
         {"solver.dx=0.031", "solver.dt_s=2e-3", "solver.integrator=\"auto\"", "solver.transfer=\"apic\"", "fps=24",
          "frames=\"1-84\"", "snow.bed.material.density_kg_m3=401", "snow.bed.preset=\"powder\"", "snow.1.seed=2",
          "snow.1.velocity=[0,0,0]", "snow.bed.crust.depth_m=0.05", "body.ground.friction=0.7",
          "body.ground.sticky=true", "body.blade.key.1.time_s=2.6", "body.blade.key.0.ease=\"out\"",
          "body.walker.radii.LeftFoot=0.06", "solver.gravity=[0,-9.81,0]", "snow.bed.top_only_m=0.1",
          "snow.bed.patches.share=0.5"}) {
        INFO(setting);
        CHECK(hashWith(setting) != hash);
    }
    for (const std::string setting :
         {"body.blade.color=[1,0,0]", "body.blade.visible=false", "camera.position=[9,9,9]", "light.0.strength=9",
          "render.spp=1", "render.width=10", "render.preset=\"clean\"", "solver.threads=3", "frames=\"1001-1200\"",
          "camera.focal_length_mm=20", "snow.1.name=\"ball\""}) {
        INFO(setting);
        CHECK(hashWith(setting) == hash);
    }
}

TEST_CASE("Keys that came later leave caches of earlier programs valid", "[scene]")
{
    const SceneFolder folder;
    const auto keys = simulationKeys(loadLarge(folder).scene);
    for (const char* later : {"snow.0.top_only_m", "snow.0.mask.file", "snow.0.mask.invert", "snow.0.patches.share",
                              "snow.0.material.adhesion_pa", "snow.1.crust.strength", "snow.0.powder.share",
                              "air.most_puffs"})
        CHECK_FALSE(keys.contains(later));
    // The checksum as a program without these keys wrote it. It changes if a key without SimulationIfSet is added, or
    // if a default or a preset changes. Then all users have to simulate again: say so in the commit.
    CHECK(sceneHash(loadLarge(folder).scene) == "b40cd0f77b2326f5");
}

TEST_CASE("Still snow at the end of the list does not change the checksum", "[scene]")
{
    const SceneFolder folder;
    const auto hashWith = [&](const std::vector<std::string>& settings) {
        return sceneHash(loadLarge(folder, {.set = settings}).scene);
    };
    const std::string hash = hashWith({"snow.2.still=true"});
    CHECK(hash != hashWith({}));
    CHECK(hash == hashWith({"snow.2.still=true", "snow.2.seed=5"}));
    CHECK(hash != hashWith({"snow.0.still=true", "snow.2.still=true"}));
}

TEST_CASE("Bodies that snow does not touch do not change the checksum, unless they carry what is simulated", "[scene]")
{
    const SceneFolder folder;
    const auto sceneWith = [&](std::vector<std::string> settings) {
        settings.push_back("body.blade.collides=false");
        return loadLarge(folder, {.set = settings}).scene;
    };
    const std::string hash = sceneHash(sceneWith({}));
    CHECK(hash != sceneHash(loadLarge(folder).scene));
    CHECK(hash == sceneHash(sceneWith({"body.blade.size=[2,1,1]", "body.blade.key.0.position=[0,0,0]"})));
    CHECK(hash != sceneHash(sceneWith({"body.ground.friction=0.7"})));
    CHECK(sceneryKeys(sceneWith({})).at("body.1.size") == "[1.0, 0.5, 0.1]");
    CHECK_FALSE(sceneryKeys(sceneWith({})).contains("body.1.color"));
    CHECK_FALSE(sceneryKeys(loadLarge(folder).scene).contains("body.1.size"));
    for (const std::vector<std::string>& carried :
         {std::vector<std::string>{"body.ground.parent=blade"},
          std::vector<std::string>{"snow.1.source.length_s=1", "snow.1.source.body=blade",
                                   "snow.1.spin_rad_s=[0,0,0]"}}) {
        INFO(carried.front());
        std::vector<std::string> moved = carried;
        moved.push_back("body.blade.key.0.position=[0,0,0]");
        CHECK(sceneHash(sceneWith(carried)) != sceneHash(sceneWith(moved)));
    }
}

TEST_CASE("Differences name a body or a region that only one scene has, once, and a list of them has an end", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = loadLarge(folder).scene;
    Scene more = scene;
    more.bodies.push_back(scene.bodies.back());
    more.bodies.back().name = "fence";
    CHECK(differences(identityOf(scene), identityOf(more), more) ==
          std::vector<std::string>{"body.fence: not in the cache: it was not there, or had collides = false"});
    CHECK(differences(identityOf(more), identityOf(scene), scene) ==
          std::vector<std::string>{"body." + std::to_string(scene.bodies.size()) +
                                   ": only in the cache; now it is not there, or collides = false"});
    CHECK(listed({"a: 1 in the cache, 2 now", "b"}) == "\n  a: 1 in the cache, 2 now\n  b");
    CHECK_THAT(listed(std::vector<std::string>(23, "x")), Catch::EndsWith("x\n  x\n  and 3 more"));
}

TEST_CASE("The checksum depends on the content of referenced files, not on their place", "[scene]")
{
    const SceneFolder here;
    const SceneFolder elsewhere;
    const Scene scene = loadLarge(here).scene;
    const std::string hash = sceneHash(scene);
    CHECK(sceneHash(loadLarge(elsewhere).scene) == hash);
    here.write("walk.bvh", "HIERARCHY \n");
    CHECK(sceneHash(scene) != hash);
    std::filesystem::remove(here.path() / "walk.bvh");
    CHECK(refusalOf(here, [&] { sceneHash(scene); }).code == ExitCode::File);
}

TEST_CASE("Simulation keys have dotted names and values as text", "[scene]")
{
    const SceneFolder folder;
    const auto keys = simulationKeys(loadLarge(folder).scene);
    CHECK(keys.at("solver.dx") == "0.03");
    CHECK(keys.at("solver.integrator") == "\"implicit\"");
    CHECK(keys.at("snow.0.material.hardening") == "8.5");
    CHECK(keys.at("body.1.key.1.position") == "[1.0, 0.2, 0.0]");
    CHECK(keys.at("frames") == "from 1001");
    CHECK(keys.at("body.2.file").starts_with(".bvh "));
    CHECK_FALSE(keys.contains("snow.1.min"));  // a sphere has no corners
    CHECK_FALSE(keys.contains("render.spp"));
}

TEST_CASE("Text of a scene gives its values by key, tables of lists with their numbers")
{
    const auto values = flatScene(R"([render]
seed = 3
[[snow]]
name = "a = b # c"
[[snow]]
name = "second"
[[snow.noise]]
scale_m = 0.5
[[snow.noise]]
scale_m = [0.25, 1]
)",
                                  "text");
    CHECK(values.size() == 5);
    CHECK(values.at("render.seed") == "3");
    CHECK(values.at("snow.0.name") == "\"a = b # c\"");
    CHECK(values.at("snow.1.name") == "\"second\"");
    CHECK(values.at("snow.1.noise.0.scale_m") == "0.5");
    CHECK(values.at("snow.1.noise.1.scale_m") == "[0.25, 1]");
    CHECK_THROWS_WITH(flatScene("[render\nseed = 3", "text"), Catch::StartsWith("text:1:"));
}

#include <catch2/catch.hpp>

#include "tests/common/scene/scene_text.h"

using namespace firn;

namespace {

const std::string layered = smallScene +
                            "preset = \"powder\"\n"
                            "[solver]\ndx = 0.04\n"
                            "[quality.draft]\n\"solver.dx\" = 0.1\n";

double dxOf(const SceneOptions& options)
{
    const SceneFolder folder;
    return folder.load(layered, options).scene.solver.dx;
}

}  // namespace

TEST_CASE("Command line wins over environment, over quality, over the file, over the default", "[scene]")
{
    CHECK(dxOf({}) == 0.04);
    CHECK(dxOf({.quality = "draft"}) == 0.1);
    const Variable variable("FIRN_SOLVER_DX", "0.2");
    CHECK(dxOf({}) == 0.2);
    CHECK(dxOf({.quality = "draft"}) == 0.2);
    CHECK(dxOf({.quality = "draft", .set = {"solver.dx=0.3"}}) == 0.3);
    CHECK(dxOf({.set = {"solver.dx=0.3", "solver.dx=0.5"}}) == 0.5);
}

TEST_CASE("A preset gives the values that no other layer gives, whichever layer chose it", "[scene]")
{
    const SceneFolder folder;
    const SceneOptions options{.set = {"snow.bed.preset=paper", "snow.0.material.hardening=3"}};
    const SnowRegion region = folder.load(layered, options).scene.snow[0];
    CHECK(region.material.density_kg_m3 == 400);
    CHECK(region.material.hardening == 3);
}

TEST_CASE("Built-in qualities scale cells, samples and size if the scene has no table", "[scene]")
{
    const SceneFolder folder;
    const std::string text = smallScene + "[solver]\ndx = 0.04\n[render]\nspp = 8\nwidth = 101\nheight = 1\n";
    const Scene written = folder.load(text).scene;
    const Scene final = folder.load(text, {.quality = "final"}).scene;
    const Scene preview = folder.load(text, {.quality = "preview"}).scene;
    const Scene draft = folder.load(text, {.quality = "draft"}).scene;
    CHECK(written.solver.dx == 0.04);
    CHECK(final.solver.dx == 0.04);
    CHECK(final.render.spp == 8);
    CHECK(preview.solver.dx == Approx(0.06));
    CHECK(preview.render.spp == 2);
    CHECK(preview.render.width == 101);
    CHECK(draft.solver.dx == Approx(0.1));
    CHECK(draft.render.spp == 1);
    CHECK(draft.render.width == 50);
    CHECK(draft.render.height == 1);
}

TEST_CASE("An empty quality table leaves the scene as written", "[scene]")
{
    const SceneFolder folder;
    CHECK(folder.load(smallScene + "[quality.draft]\n", {.quality = "draft"}).scene.solver.dx == Solver{}.dx);
}

TEST_CASE("Quality tables may nest or use dotted keys", "[scene]")
{
    const SceneFolder folder;
    const Scene preview = loadLarge(folder, {.quality = "preview"}).scene;
    CHECK(preview.render.width == 480);
    CHECK(preview.end_frame == 1010);
    CHECK(preview.solver.dx == 0.03);  // its own table replaces the built-in one
}

TEST_CASE("Overrides set list elements by index and by name, vectors, text and single radii", "[scene]")
{
    const SceneFolder folder;
    const Scene scene =
        loadLarge(folder, {.set = {"snow.1.material.hardening=5", "snow.bed.noise.stiffness = 0.9",
                                   "camera.position=[1, 2, 3]", "solver.integrator = explicit ", "frames='1-7'",
                                   "body.walker.radii.Head=0.12", "body.blade.key.1.position=[5, 0, 0]"}})
            .scene;
    CHECK(scene.snow[1].material.hardening == 5);
    CHECK(scene.snow[0].noise.stiffness == 0.9);
    CHECK(scene.camera.position == Vec3d(1, 2, 3));
    CHECK(scene.solver.integrator == Integrator::Explicit);
    CHECK(scene.end_frame == 7);
    CHECK(scene.bodies[2].radii_m.at("Head") == 0.12);
    CHECK(scene.bodies[2].radii_m.at("LeftFoot") == 0.05);
    CHECK(scene.bodies[1].keys[1].position == Vec3d(5, 0, 0));
}

TEST_CASE("Environment variables set list elements by index and by name", "[scene]")
{
    const SceneFolder folder;
    const Variable byName("FIRN_SNOW_BED_MATERIAL_HARDENING", "12");
    const Variable byPlace("FIRN_BODY_1_FRICTION", "0.1");
    const Variable text("FIRN_SOLVER_TRANSFER", "apic");
    const Variable other("FIRN_COFFEE", "black");
    const Scene scene = loadLarge(folder).scene;
    CHECK(scene.snow[0].material.hardening == 12);
    CHECK(scene.bodies[1].friction == 0.1);
    CHECK(scene.solver.transfer == Transfer::Apic);
}

TEST_CASE("The including file wins key by key and by name, and adds what is new", "[scene]")
{
    const SceneFolder folder;
    folder.write("set/stage.toml",
                 "fps = 30\n[solver]\ndx = 0.05\ncfl = 0.2\n"
                 "[[snow]]\nname = \"bed\"\nmin = [0,0,0]\nmax = [1,1,1]\n[snow.material]\nhardening = 5\n"
                 "[[body]]\nname = \"blade\"\nshape = \"box\"\n[[body.key]]\ntime_s = 0\n[[body.key]]\ntime_s = 1\n"
                 "[quality.draft]\n\"solver.dx\" = 0.5\n\"render.spp\" = 2\n");
    const std::string text =
        "include = \"set/stage.toml\"\n[solver]\ndx = 0.02\n"
        "[[snow]]\nname = \"bed\"\nmax = [1, 0.5, 1]\n[[snow]]\nname = \"more\"\nmin = [2,0,0]\nmax = [3,1,1]\n"
        "[[body]]\nname = \"blade\"\n[[body.key]]\ntime_s = 3\n[quality.draft]\n\"solver.dx\" = 0.4\n";
    const Scene scene = folder.load(text).scene;
    CHECK(scene.fps == 30);
    CHECK(scene.solver.dx == 0.02);
    CHECK(scene.solver.cfl == 0.2);
    REQUIRE(scene.snow.size() == 2);
    CHECK(scene.snow[0].max == Vec3d(1, 0.5, 1));
    CHECK(scene.snow[0].material.hardening == 5);
    CHECK(scene.snow[1].name == "more");
    REQUIRE(scene.bodies.size() == 1);
    REQUIRE(scene.bodies[0].keys.size() == 1);
    CHECK(scene.bodies[0].keys[0].time_s == 3);
    const Scene draft = folder.load(text, {.quality = "draft"}).scene;
    CHECK(draft.solver.dx == 0.4);
    CHECK(draft.render.spp == 2);
}

TEST_CASE("A scene without lights gets a sun and a sky that can be overridden", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = folder.load(smallScene, {.set = {"light.sun.elevation_deg=60"}}).scene;
    REQUIRE(scene.lights.size() == 2);
    CHECK(scene.lights[0].kind == LightKind::Sun);
    CHECK(scene.lights[0].elevation_deg == 60);
    CHECK(scene.lights[1].kind == LightKind::Sky);
}

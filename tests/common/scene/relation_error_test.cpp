// Errors about what refers to something else in the scene: parents, grounds, files of terrain, sources, windows.

#include <catch2/catch.hpp>

#include "tests/common/scene/scene_text.h"

using namespace firn;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("Parents that are not there, cannot carry, or carry themselves are refused", "[scene]")
{
    const auto scene = [](const std::string& first, const std::string& second) {
        return smallScene + "[[body]]\nname = \"truck\"\n" + first + "\n[[body]]\nname = \"blade\"\n" + second + "\n";
    };
    CHECK_THAT(refusal(scene("", "parent = \"trukc\"")).message,
               Contains("there is no body named 'trukc'; did you mean 'truck'?"));
    CHECK_THAT(refusal(scene("parent = \"blade\"", "parent = \"truck\"")).message,
               Contains("'truck' would carry itself, by way of 'blade'"));
    CHECK_THAT(refusal(scene("shape = \"character\"\nfile = \"a.bvh\"", "parent = \"truck\"")).message,
               Contains("'truck' is a character; say which of its joints carries 'blade' with 'parent_node'"));
    CHECK_THAT(refusal(scene("", "parent = \"truck\"\nparent_node = \"hand\"")).message,
               Contains("'truck' has no nodes"));
    CHECK_THAT(refusal(scene("", "parent_node = \"hand\"")).message, Contains("'blade' needs 'parent'"));
}

TEST_CASE("Powder without air, and of still snow, is refused", "[scene]")
{
    const std::string snow = "[[snow]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n", powder = "[snow.powder]\nshare = 0.05\n";
    const Refusal alone = refusal(snow + powder);
    CHECK_THAT(alone.message, Contains("powder needs air: expected 'density_kg_m3' in [air]"));
    const std::string air = "[air]\ndensity_kg_m3 = 1.29\n";
    CHECK_THAT(refusal(snow + "still = true\n" + powder + air).message, Contains("is still and gives off no powder"));
    CHECK_THAT(refusal(snow + "[snow.powder]\ngrain_mm = 0.2\n" + air).message, Contains("needs 'share' above 0"));
}

TEST_CASE("A focus that no lens has is refused", "[scene]")
{
    const std::string bodies =
        "[[body]]\nname = \"boot\"\nshape = \"box\"\n[[body]]\nname = \"ground\"\nshape = \"plane\"\n";
    const auto message = [&](const std::string& keys) {
        return refusal(smallScene + bodies + "[camera]\n" + keys + "\n").message;
    };
    CHECK_THAT(message("focus_body = \"boot\""), Contains("camera.focus_body needs camera.f_stop, such as 2.8"));
    CHECK_THAT(message("f_stop = 1e-10"), Contains("camera.f_stop is 1e-10, expected 0, which means"));
    CHECK_THAT(message("f_stop = 2\nblades = 2"),
               Contains("camera.blades is 2, expected 0 for a round aperture, or at least 3"));
    CHECK_THAT(message("f_stop = 2\nfocus_body = \"boots\""), Contains("no body named 'boots'; did you mean 'boot'?"));
    CHECK_THAT(message("f_stop = 2\nfocus_body = \"ground\""), Contains("'ground' is a plane, which has no middle"));
    CHECK_THAT(message("f_stop = 2\nfocus_body = \"boot\"\nfocus_distance_m = 2"), Contains("use one"));
    CHECK_THAT(message("f_stop = 2\nfocus_distance_m = 0.03"),
               Contains("expected more than the focal length, 0.035 m"));
    CHECK_THAT(message("f_stop = 2\n[[camera.key]]\nfocus_distance_m = 0.03"),
               Contains("'camera.key.0.focus_distance_m' is 0.03"));
    // f_stop = 0 turns the lens of a scene off.
    CHECK_NOTHROW(SceneFolder().load(smallScene + bodies + "[camera]\nf_stop = 0\nfocus_body = \"boot\"\n"));
}

TEST_CASE("A path that cannot be walked is refused", "[scene]")
{
    const auto scene = [](const std::string& keys, const std::string& points) {
        return smallScene + "[[body]]\nname = \"man\"\nshape = \"mesh\"\nfile = \"man.glb\"\n" + keys + "\n" + points;
    };
    const std::string point = "[[body.path]]\nposition = [1, 0, 2]\n";
    CHECK_THAT(refusal(scene("", point + point)).message, Contains("'man' needs root_motion = \"feet\""));
    CHECK_THAT(refusal(scene("root_motion = \"feet\"", point)).message, Contains("needs a second point"));
    CHECK_THAT(refusal(scene("root_motion = \"feet\"", point + point)).message,
               Contains("two points at the same place"));
    CHECK_THAT(refusal(scene("root_motion = \"feet\"\nvelocity = [0, 0, 1]", point + point)).message,
               Contains("away from the path"));
    const std::string above = "[[body.path]]\nposition = [1, 3, 2]\n", on = "[[body.path]]\nposition = [1, 0, 4]\n";
    CHECK_THAT(refusal(scene("root_motion = \"feet\"", point + above)).message, Contains("steeper than 60 degrees"));
    CHECK_THAT(refusal(scene("root_motion = \"feet\"", point + on + point)).message, Contains("turns back on itself"));
}

TEST_CASE("root_motion or a clip of a body without clips is refused", "[scene]")
{
    CHECK_THAT(refusal(smallScene + "[[body]]\nname = \"man\"\nshape = \"mesh\"\nfile = \"man.obj\"\nclip = \"walk\"\n")
                   .message,
               Contains("'man' has no clips: they are in .glb, .gltf and .fbx files, and its file is man.obj"));
    for (const char* file : {"man.obj", "cloth.####.ply"})
        CHECK_THAT(refusal(smallScene + "[[body]]\nname = \"man\"\nshape = \"mesh\"\nfile = \"" + file +
                           "\"\nroot_motion = \"feet\"\n")
                       .message,
                   Contains("'man' has no clip that walks: root_motion is for bodies from .glb, .gltf and .fbx"));
}

TEST_CASE("A layer whose ground cannot carry it is refused", "[scene]")
{
    const auto scene = [](const std::string& keys, const std::string& body = "") {
        return "[[snow]]\nshape = \"layer\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\ndepth_m = 0.1\n" + keys +
               "\n[[body]]\nname = \"hill\"\n" + body + "\n";
    };
    CHECK_THAT(refusal(scene("ground = \"hil\"")).message,
               StartsWith("shot.toml:6:") && Contains("there is no body named 'hil'; did you mean 'hill'?"));
    CHECK_THAT(refusal(scene("ground = \"hill\"", "collides = false")).message,
               Contains("'hill' does not collide with snow"));
    CHECK_THAT(refusal(scene("ground_slope_deg = 30")).message, Contains("'snow1' needs 'ground'"));
    CHECK_THAT(refusal(scene("ground_fill_m = 0.3")).message,
               Contains("'snow1' needs 'ground'") && Contains("because it has 'ground_fill_m'"));
    CHECK_THAT(refusal(smallScene + "ground = \"hill\"\n").message,
               Contains("'ground' of 'bed' does not apply to shape"));
    CHECK_THAT(refusal(scene("", "shape = \"terrain\"")).message, Contains("'hill' needs a file"));
}

TEST_CASE("A place of a body that means nothing is refused", "[scene]")
{
    const auto scene = [](const std::string& keys, const std::string& body = "") {
        return smallScene + "[[body]]\nname = \"ski\"\n" + body + "\n[[body.place]]\n" + keys + "\n";
    };
    CHECK_THAT(refusal(scene("friction = 0.1")).message, Contains("this place of 'ski' needs 'material' or 'facing'"));
    CHECK_THAT(refusal(scene("material = \"base\"")).message, Contains("'ski' is not of shape = \"mesh\""));
    CHECK_THAT(refusal(scene("facing = \"under\"")).message, Contains("which is unknown"));
    CHECK_THAT(refusal(scene("facing = \"down\"")).message, Contains("this place of 'ski' changes nothing"));
}

TEST_CASE("Keys that a terrain's file does not use are refused", "[scene]")
{
    const auto scene = [](const std::string& keys) {
        return smallScene + "[[body]]\nname = \"hill\"\nshape = \"terrain\"\n" + keys + "\n";
    };
    CHECK_THAT(refusal(scene("file = \"a.png\"")).message, Contains("'hill' is a picture of heights and needs 'size'"));
    CHECK_THAT(refusal(scene("file = \"a.png\"\nsize = [1, 1, 1]\nscale = 2")).message,
               Contains("'hill' is a picture of heights; 'size' says"));
    CHECK_THAT(refusal(scene("file = \"a.exr\"\nsize = [1, 1, 1]\nup_axis = \"z\"")).message,
               Contains("'hill' is a picture of heights, which has no axes"));
    CHECK_THAT(refusal(scene("file = \"a.obj\"\nsize = [6, 2, 6]")).message,
               Contains("'hill' is a mesh, which has its own size"));
}

TEST_CASE("A source of snow that cannot work is refused", "[scene]")
{
    const auto scene = [](const std::string& source, const std::string& keys = "velocity = [1, 0, 0]") {
        return smallScene + keys + "\n[snow.source]\n" + source + "\n[[body]]\nname = \"chute\"\n";
    };
    CHECK_NOTHROW(SceneFolder().load(scene("length_s = 1\nbody = \"chute\"")));
    CHECK_THAT(refusal(scene("share = 0.5")).message, Contains("'bed' needs 'length_s', or 'start_s' above 0,"));
    CHECK_THAT(refusal(scene("body = \"chute\"")).message, Contains("'bed' needs 'length_s', or 'start_s' above 0,"));
    CHECK_THAT(refusal(scene("length_s = 1", "")).message, Contains("'bed' has no velocity"));
    CHECK_THAT(refusal(scene("start_s = -1\nlength_s = 2")).message, Contains("start_s"));
    CHECK_THAT(refusal(scene("length_s = 1\nbody = \"chut\"")).message, Contains("did you mean 'chute'?"));
    CHECK_THAT(refusal(scene("start_s = 1\nbody = \"chute\"")).message, Contains("'bed' comes at once"));
    CHECK_THAT(refusal(scene("start_s = 1", "still = true")).message, Contains("'bed' is still"));
    CHECK_THAT(refusal(scene("start_s = 1", "spin_rad_s = [0, 1, 0]")).message, Contains("cannot spin"));
    CHECK_THAT(refusal(scene("start_s = 1", "volume = \"grid\"")).message, Contains("does not go with [snow.source]"));
    CHECK_THAT(refusal(scene("length_s = 1", "shape = \"layer\"\ndepth_m = 0.1\nvelocity = [1, 0, 0]")).message,
               Contains("'bed' is neither a box nor a sphere"));
}

TEST_CASE("A window without a body that it can follow is refused", "[scene]")
{
    const auto scene = [](const std::string& window, const std::string& body = "", bool sleeping = true) {
        return smallScene + "[[body]]\nname = \"truck\"\nshape = \"sphere\"\n" + body + "\n[window]\n" + window +
               "\n[solver]\nsleeping = " + (sleeping ? "true" : "false") + "\n";
    };
    CHECK_THAT(refusal(scene("body = \"trukc\"")).message,
               StartsWith("shot.toml:11:") && Contains("there is no body named 'trukc'; did you mean 'truck'?"));
    CHECK_THAT(refusal(scene("reach_m = 2")).message, Contains("[window] needs 'body'"));
    CHECK_THAT(refusal(scene("body = \"truck\"", "collides = false")).message,
               Contains("'truck' does not collide with snow"));
    CHECK_THAT(refusal(scene("body = \"truck\"", "", false)).message,
               Contains("[window] needs solver.sleeping = true"));
    CHECK_THAT(refusal(smallScene + "volume = \"grid\"\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\n[window]\n"
                                    "body = \"ball\"\n[solver]\nsleeping = true\n")
                   .message,
               StartsWith("shot.toml:6:") && Contains("does not go with [window]"));
    const std::string onCar = "shape = \"layer\"\ndepth_m = 0.1\nground = \"car\"\n[[body]]\nname = \"car\"\n";
    const std::string follow = "[window]\nbody = \"ball\"\n[solver]\nsleeping = true\n";
    const std::string ball = "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nvelocity = [1, 0, 0]\n";
    CHECK_THAT(refusal(smallScene + onCar + "velocity = [0, 0, 2]\n" + ball + follow).message,
               StartsWith("shot.toml:8:") && Contains("'car' moves"));
    CHECK(refusal(smallScene + onCar + ball + follow).message == "accepted");
    CHECK_THAT(refusal(smallScene + "[[body]]\nname = \"ground\"\n[window]\nbody = \"ground\"\n").message,
               Contains("'ground' is a plane, which has no bounds that a window could follow"));
}

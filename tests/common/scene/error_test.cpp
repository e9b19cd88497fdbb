// Errors in scenes: each names the place, what was found and what was expected.

#include <catch2/catch.hpp>

#include "common/io/suggest.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

TEST_CASE("The error for an unknown key names the nearest key", "[scene]")
{
    const Refusal found = refusal(smallScene + "[snow.material]\nhardnening = 5\n");
    CHECK(found.message == "shot.toml:7:1: unknown key 'hardnening' in [snow.material]; did you mean 'hardening'?");
    CHECK(found.code == ExitCode::Usage);
    CHECK(refusal("fsp = 24\n" + smallScene).message ==
          "shot.toml:1:1: unknown key 'fsp' at the top level; did you mean 'fps'?");
}

TEST_CASE("The error for a key in the wrong table names the right table", "[scene]")
{
    CHECK(refusal(smallScene + "hardening = 5\n").message ==
          "shot.toml:6:1: unknown key 'hardening' in [[snow]]; it belongs in [snow.material]");
    CHECK(refusal(smallScene + "frames = \"1-2\"\n").message ==
          "shot.toml:6:1: unknown key 'frames' in [[snow]]; it belongs at the top level");
    CHECK(refusal(smallScene + "[solver]\nvoxel_m = 1\n").message ==
          "shot.toml:7:1: unknown key 'voxel_m' in [solver]; it belongs in [[body]] or in [render]");
    CHECK_THAT(refusal(smallScene + "[solver]\ninclude = \"a\"\n").message,
               Contains("at the top level of a scene file only"));
    CHECK_THAT(refusal(smallScene, {.set = {"include=a"}}).message, Contains("at the top level of a scene file only"));
}

TEST_CASE("The error for an unknown key that resembles no other lists the known keys", "[scene]")
{
    CHECK(refusal(smallScene + "[snow.crust]\nbutter = 1\n").message ==
          "shot.toml:7:1: unknown key 'butter' in [snow.crust]; known names are 'depth_m', 'stiffness', 'density', "
          "'strength'");
}

TEST_CASE("The error for a wrong type names what was found and what was expected", "[scene]")
{
    const Refusal found = refusal(smallScene + "[solver]\n  dx = \"thin\"\n");
    CHECK(found.message ==
          "shot.toml:7:8: 'solver.dx' is the text 'thin', expected a number, above 0, at most 100 (m)");
    CHECK(found.code == ExitCode::Usage);
    CHECK(refusal(smallScene + "[render]\nspp = 1.5\n").message ==
          "shot.toml:7:7: 'render.spp' is the number 1.5, expected an integer, 1 to 16777216");
    CHECK(
        refusal(smallScene + "velocity = [1, 2]\n").message ==
        "shot.toml:6:12: 'snow.bed.velocity' is an array of 2, expected an array of 3 numbers, -10000 to 10000 (m/s)");
    CHECK(refusal(smallScene + "velocity = [1, 2, true]\n").message ==
          "shot.toml:6:19: number 3 of 'snow.bed.velocity' is true, expected a number, -10000 to 10000 (m/s)");
}

TEST_CASE("The error for a value out of range names the range", "[scene]")
{
    CHECK(refusal(smallScene + "[solver]\ndx = 0\n").message ==
          "shot.toml:7:6: 'solver.dx' is the integer 0, expected a number, above 0, at most 100 (m)");
    CHECK(refusal(smallScene + "[solver]\ncfl = -1.0\n").message ==
          "shot.toml:7:7: 'solver.cfl' is the number -1.0, expected a number, above 0, at most 1 (cells)");
    CHECK_THAT(refusal("version = 2\n" + smallScene).message,
               StartsWith("shot.toml:1:11: 'version' is the integer 2, expected an integer, 1"));
}

TEST_CASE("NaN and infinity are refused", "[scene]")
{
    CHECK_THAT(refusal(smallScene + "[solver]\ndx = nan\n").message,
               StartsWith("shot.toml:7:6: 'solver.dx' is the number nan"));
    CHECK_THAT(refusal(smallScene + "velocity = [0, -inf, 0]\n").message,
               StartsWith("shot.toml:6:16: number 2 of 'snow.bed.velocity' is the number -inf"));
    CHECK_THAT(refusal(smallScene + "velocity = [0, 1e300, 0]\n").message, StartsWith("shot.toml:6:16: "));
    CHECK(refusal(smallScene, {.set = {"solver.gravity=[0,nan,0]"}}).code == ExitCode::Usage);
}

TEST_CASE("The error for an unknown choice names the nearest one", "[scene]")
{
    CHECK(refusal(smallScene + "shape = \"bxo\"\n").message ==
          "shot.toml:6:9: 'snow.bed.shape' is the text 'bxo', which is unknown; did you mean 'box'?");
}

TEST_CASE("The error for an unknown preset names the nearest one", "[scene]")
{
    CHECK(refusal(smallScene + "preset = \"plough\"\n").message ==
          "shot.toml:6:10: 'snow.bed.preset' is the text 'plough', which is unknown; known names are 'powder', "
          "'settled', "
          "'packing', 'moist', 'wet', 'icy', 'crust', 'slush', 'plough-bank', 'paper'");
    CHECK_THAT(refusal(smallScene + "[render]\npreset = \"claen\"\n").message, Contains("did you mean 'clean'?"));
}

TEST_CASE("A missing file is a file error at its line", "[scene]")
{
    const Refusal found = refusal(smallScene + "[[body]]\nshape = \"mesh\"\nfile = \"none.obj\"\n");
    CHECK_THAT(found.message, StartsWith("shot.toml:8:1: cannot find the file 'none.obj' in the scene's folder '/"));
    CHECK(found.code == ExitCode::File);

    const SceneFolder folder;
    folder.write("boots.obj", "");
    folder.write("shot.toml", smallScene + "[[body]]\nshape = \"mesh\"\nfile = \"boot.obj\"\n");
    CHECK_THAT(refusalOf(folder, [&] { loadScene(folder.path() / "shot.toml"); }).message,
               EndsWith("; did you mean 'boots.obj'?"));
}

TEST_CASE("A missing scene is a file error", "[scene]")
{
    const SceneFolder folder;
    const Refusal found = refusalOf(folder, [&] { loadScene(folder.path() / "shto.toml"); });
    CHECK(found.message == "cannot find the scene shto.toml");
    CHECK(found.code == ExitCode::File);
    std::filesystem::create_symlink("moved.toml", folder.path() / "link.toml");
    CHECK_THAT(refusalOf(folder, [&] { loadScene(folder.path() / "link.toml"); }).message,
               EndsWith("link.toml: it is a link to 'moved.toml', which does not exist"));
    const Refusal isFolder = refusalOf(folder, [&] { loadScene(folder.path()); });
    CHECK_THAT(isFolder.message, EndsWith("' is a folder, expected a scene file"));
    CHECK(isFolder.code == ExitCode::File);
    CHECK(refusalOf(folder, [&] { loadScene("/dev/zero"); }).code == ExitCode::File);
}

TEST_CASE("A missing file is a file error, also for a scene that is named without its folder", "[scene]")
{
    const SceneFolder folder;
    folder.write("mesh.toml", smallScene + "[[body]]\nname = \"m\"\nshape = \"mesh\"\nfile = \"none.obj\"\n");
    folder.write("include.toml", "include = \"none.toml\"\n" + smallScene);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const Refusal mesh = refusalOf(folder, [] { loadScene("mesh.toml"); });
    const Refusal include = refusalOf(folder, [] { loadScene("include.toml"); });
    std::filesystem::current_path(before);
    const std::string canonical = std::filesystem::canonical(folder.path()).string();
    CHECK_THAT(mesh.message, EndsWith("cannot find the file 'none.obj' in the scene's folder '" + canonical + "'"));
    CHECK(mesh.code == ExitCode::File);
    CHECK_THAT(include.message, EndsWith("cannot find the file 'none.toml' in the scene's folder '" + canonical + "'"));
    CHECK(include.code == ExitCode::File);
}

TEST_CASE("Paths may not leave the scene's folder unless that is allowed", "[scene]")
{
    const SceneFolder outer;
    outer.write("secret.obj", "v 0 0 0\n");
    const auto load = [&](const std::string& file, bool allow) {
        const auto shot =
            outer.write("shots/shot.toml", smallScene + "[[body]]\nshape = \"mesh\"\nfile = \"" + file + "\"\n");
        return refusalOf(outer, [&] { loadScene(shot, {.allow_outside = allow}); });
    };
    const Refusal up = load("../secret.obj", false);
    CHECK_THAT(up.message, StartsWith("shots/shot.toml:8:1: '../secret.obj' is outside the scene's folder"));
    CHECK(up.code == ExitCode::Usage);
    CHECK(load((outer.path() / "secret.obj").string(), false).code == ExitCode::Usage);
    CHECK(load("../shots2/../secret.obj", false).code == ExitCode::Usage);
    CHECK(load("../secret.obj", true).message == "accepted");
    std::filesystem::create_symlink(outer.path() / "secret.obj", outer.path() / "shots/link.obj");
    CHECK_THAT(load("link.obj", false).message, StartsWith("shots/shot.toml:8:1: 'link.obj' is outside"));
    CHECK(load("link.obj", true).message == "accepted");
    std::filesystem::create_directory_symlink(outer.path(), outer.path() / "shots/all");
    CHECK(load("all/secret.obj", false).code == ExitCode::Usage);
}

TEST_CASE("A folder or an empty path is refused as a file", "[scene]")
{
    CHECK_THAT(refusal(smallScene + "[[body]]\nshape = \"mesh\"\nfile = \".\"\n").message,
               StartsWith("shot.toml:8:1: "));
    CHECK_THAT(refusal(smallScene + "[[body]]\nshape = \"mesh\"\nfile = \"\"\n").message,
               StartsWith("shot.toml:8:8: "));
}

TEST_CASE("Includes have one level and no cycles", "[scene]")
{
    const SceneFolder folder;
    const auto load = [&] { return refusalOf(folder, [&] { folder.load("include = \"a.toml\"\n" + smallScene); }); };
    CHECK_THAT(load().message, StartsWith("shot.toml:1:11: cannot find the file 'a.toml' in the scene's folder '"));
    CHECK(load().code == ExitCode::File);
    folder.write("a.toml", "fps = 24\ninclude = \"shot.toml\"\n");
    CHECK(load().message == "a.toml:2:11: this file and 'shot.toml' include each other");
    folder.write("a.toml", "include = \"b.toml\"\n");
    CHECK(load().message == "a.toml:1:11: an included file may not include another one");
    folder.write("a.toml", "fps = 24\n[solver]\nd = 3\n");
    CHECK_THAT(load().message, StartsWith("a.toml:3:1: unknown key 'd' in [solver]"));
    CHECK(refusal("include = \"shot.toml\"\n" + smallScene).message == "shot.toml:1:11: the scene includes itself");
    CHECK_THAT(refusal("include = \"../x.toml\"\n" + smallScene).message, Contains("is outside the scene's folder"));
}

TEST_CASE("The error for text that is not TOML names line and column", "[scene]")
{
    CHECK_THAT(refusal(smallScene + "[solver]\ndx = = 3\n").message, StartsWith("shot.toml:7:6: not TOML: "));
    CHECK_THAT(refusal(smallScene + "[solver]\ndx = 1\ndx = 2\n").message, StartsWith("shot.toml:8:"));
    CHECK(refusal(smallScene + "[=]\n").message ==
          "shot.toml:6:1: not TOML: expected a key or a table's name between brackets");
    CHECK_THAT(refusal("[[\n" + smallScene).message, StartsWith("shot.toml:1:1: not TOML"));
    for (const char* word : {"slab", "fast", "north"}) {
        CHECK_THAT(refusal(smallScene + "name = " + word + "\n").message,
                   StartsWith("shot.toml:6:") && Contains("not TOML: ") && EndsWith("; text needs quotes"));
    }
    for (const auto& [value, hint] : std::vector<std::pair<std::string, std::string>>{
             {"0,03", "; the decimal sign is a point, and lists have brackets, as in [1, 2, 3]"},
             {"True", "; write true and false in small letters"},
             {"\xe2\x80\x9cslab\xe2\x80\x9d", "; use straight quotes: \""},
             {"\"slab", "; the closing quote is missing"},
             {"1-6", "; frames are text, which needs quotes: \"1-24\""},
             {"5cm", "; numbers have no units: lengths are in metres, times in seconds"},
             {"", "; the value is missing"}}) {
        CHECK_THAT(refusal(smallScene + "name = " + value + "\n").message, EndsWith(hint));
    }
    for (const char* end : {"\n", "\r\n"}) {
        CHECK_THAT(refusal(smallScene + "name = " + end).message,
                   EndsWith("saw the end of the line; the value is missing"));
    }
    CHECK_THAT(refusal(smallScene + "[solver\n").message, !Contains(";"));
    CHECK_THAT(refusal("version = 1\n[snow]\n[snow]\n").message, EndsWith("have two brackets: [[snow]]"));
    CHECK_THAT(refusal(smallScene + "seed = = 3\n").message, !Contains("quotes"));
    CHECK_THAT(refusal("fps = 1\n[#").message, StartsWith("shot.toml:2:1: not TOML"));
}

TEST_CASE("The error for a wrong override names the override and the column", "[scene]")
{
    const auto message = [](const std::string& setting) { return refusal(smallScene, {.set = {setting}}).message; };
    CHECK(message("solver.dx") == "--set solver.dx: expected key=value, such as solver.dx=0.02");
    CHECK(message("=1") == "--set =1: expected key=value, such as solver.dx=0.02");
    CHECK(message("solver.dz=1") == "--set solver.dz=1: column 1: unknown key 'dz' in [solver]; did you mean 'dx'?");
    CHECK_THAT(message("solver.dx=0.0.2"), StartsWith("--set solver.dx=0.0.2: column 14: not TOML: "));
    CHECK(message("solver.dx=-3") ==
          "--set solver.dx=-3: column 11: 'solver.dx' is the integer -3, expected a number, above 0, at most 100 (m)");
    CHECK(message("snow.bde.seed=1") ==
          "--set snow.bde.seed=1: column 1: there is no [[snow]] named 'bde'; did you mean 'bed'?");
    CHECK(message("snow.3.seed=1") ==
          "--set snow.3.seed=1: column 1: there is no [[snow]] named '3'; known names are 'bed'");
    for (const std::string key : {"solver.dx", " solver.dx"}) {
        CHECK_THAT(message(key + "= fast "), EndsWith("'solver.dx' is the text 'fast', expected a number, above 0, at "
                                                      "most 100 (m)"));
    }
    CHECK_THAT(message("solver.gravity=down"), Contains("is the text 'down', expected an array of 3 numbers"));
    CHECK_THAT(message("solver.dx=true"), Contains("'solver.dx' is true, expected a number"));
    CHECK_THAT(message("snow.bed=1"), Contains("'snow.bed' is a table, expected one of its keys"));
    CHECK_THAT(message("solver.dx.y=1"), Contains("'solver.dx' is a value and has no key 'y'"));
    CHECK_THAT(message("solver.dx=1\nfps=2"), StartsWith("--set "));
    CHECK_THAT(message("solver.integrator=implict"), Contains("did you mean 'implicit'?"));
}

TEST_CASE("The error for a wrong environment variable names the variable", "[scene]")
{
    {
        const Variable variable("FIRN_SOLVER_DZ", "1");
        CHECK(refusal(smallScene).message ==
              "FIRN_SOLVER_DZ: the scene has no key of this name; did you mean 'FIRN_SOLVER_DX'?");
    }
    const Variable variable("FIRN_SOLVER_DX", "thick");
    CHECK_THAT(refusal(smallScene).message,
               StartsWith("FIRN_SOLVER_DX=thick: ") && Contains("'solver.dx' is the text 'thick', expected a number"));
}

TEST_CASE("All quality tables are checked, also those that are not chosen", "[scene]")
{
    CHECK_THAT(refusal(smallScene + "[quality.drfat]\nfps = 1\n").message,
               StartsWith("shot.toml:6:") && Contains("did you mean 'draft'?"));
    CHECK(refusal(smallScene + "[quality.draft]\n\"solver.dxx\" = 1\n").message ==
          "shot.toml:7:1: unknown key 'dxx' in [solver]; did you mean 'dx'?");
    CHECK_THAT(refusal(smallScene + "[quality.preview]\nrender.spp = 0\n").message,
               StartsWith("shot.toml:7:14: 'render.spp'"));
    CHECK_THAT(refusal(smallScene, {.quality = "fine"}).message, StartsWith("--quality fine: unknown quality"));
}

TEST_CASE("All takes are checked, also those that are not simulated", "[scene]")
{
    const auto message = [](const std::string& takes) { return refusal(smallScene + takes).message; };
    CHECK_THAT(message("[take]\nname = \"a\"\n"), StartsWith("shot.toml:6:") && Contains("expected [[take]]"));
    CHECK_THAT(message("[[take]]\nfps = 25\n"), StartsWith("shot.toml:6:") && Contains("has no 'name'"));
    CHECK_THAT(message("[[take]]\nname = \"../x\"\n"), StartsWith("shot.toml:7:") && Contains("folder"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\n[[take]]\nname = \"a\"\n"), StartsWith("shot.toml:9:"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\nsolver.dxx = 1\n"), StartsWith("shot.toml:8:") && Contains("dxx"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\nset = 1\n"),
               StartsWith("shot.toml:8:") && Contains("'set' in [[take]], which holds keys of the scene"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\nsolver.dx = -1\n"), StartsWith("shot.toml:8:"));
}

TEST_CASE("Frames are a first and a last one, without a step", "[scene]")
{
    const auto message = [](const std::string& frames) {
        return refusal("frames = " + frames + "\n" + smallScene.substr(smallScene.find("[[snow]]"))).message;
    };
    CHECK(message("\"1-84\"") == "accepted");
    CHECK(message("\"-5--1\"") == "accepted");
    CHECK_THAT(message("\"1-84x2\""),
               StartsWith("shot.toml:1:10: 'frames' is the text '1-84x2'") && Contains("a step is not possible"));
    CHECK_THAT(message("\"9-3\""), Contains("the last frame comes before the first"));
    CHECK_THAT(message("84"),
               StartsWith("shot.toml:1:10: 'frames' is the integer 84, expected a text such as \"1-12\""));
    CHECK_THAT(message("\"1-\""), Contains("'frames' is the text '1-', expected a text such as \"1-12\""));
}

TEST_CASE("A scene without snow is refused", "[scene]")
{
    CHECK(refusal("fps = 24\n").message == "shot.toml: the scene has no snow, expected at least one [[snow]]");
    CHECK(refusal("").code == ExitCode::Usage);
}

TEST_CASE("Regions must have a size", "[scene]")
{
    CHECK(refusal("[[snow]]\nmin = [0, 0, 0]\nmax = [1, 0, 1]\n").message ==
          "shot.toml:3:1: 'snow1' is empty: max in y is 0.0, expected more than min, 0.0");
    CHECK(refusal("\n[[snow]]\n").message == "shot.toml:2:1: 'snow1' is a box and needs 'min' and 'max' (m)");
    CHECK_THAT(refusal("[[snow]]\nshape = \"sphere\"\n").message, Contains("needs 'radius_m'"));
    CHECK_THAT(refusal("[[snow]]\nshape = \"layer\"\nmin = [0, 3, 0]\nmax = [1, 0, 1]\n").message,
               Contains("needs 'depth_m'"));
    CHECK_THAT(refusal("[[snow]]\nshape = \"mesh\"\n").message, Contains("'snow1' needs a file"));
}

TEST_CASE("A wrong number in an array is named by its place in it", "[scene]")
{
    CHECK(refusal("[[snow]]\nname = \"bed\"\nmin = [0, \"a\", 0]\n").message ==
          "shot.toml:3:11: number 2 of 'snow.bed.min' is the text 'a', expected a number, -100000 to 100000 (m)");
    CHECK_THAT(refusal("[[snow]]\nmin = [0, 0]\n").message, Contains("is an array of 2, expected an array of 3"));
}

TEST_CASE("An empty name is as good as none", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = folder.load(smallScene + "[window]\nbody = \"\"\n[[body]]\nname = \"\"\n").scene;
    CHECK(scene.window.body.empty());
    CHECK(scene.bodies.at(0).name == "body1");
}

TEST_CASE("A key that the shape does not use is refused", "[scene]")
{
    CHECK(refusal(smallScene + "radius_m = 1\n").message ==
          "shot.toml:6:1: 'radius_m' of 'bed' does not apply to shape = \"box\"; it applies to: sphere");
    CHECK_THAT(refusal(smallScene + "[[body]]\nshape = \"plane\"\nradius_m = 1\n").message,
               EndsWith("it applies to: sphere, capsule"));
    CHECK_THAT(refusal(smallScene + "[[light]]\nkind = \"constant\"\nelevation_deg = 3\n").message,
               StartsWith("shot.toml:8:1: 'elevation_deg' of 'light1' does not apply to kind = \"constant\""));
}

TEST_CASE("Two things of one kind may not share a name", "[scene]")
{
    CHECK(refusal(smallScene + smallScene.substr(smallScene.find("[[snow]]"))).message ==
          "shot.toml:6:1: a second [[snow]] is named 'bed'; the first one is at shot.toml:2:1; names must be unique");
    CHECK_THAT(refusal(smallScene + "name2 = 1\n").message, Contains("did you mean 'name'?"));
    CHECK_THAT(refusal("[[snow]]\nname = \"7\"\n").message, StartsWith("shot.toml:2:8: 'snow.0.name' is the text '7'"));
    CHECK_THAT(refusal("[[snow]]\nname = \"a.b\"\n").message, StartsWith("shot.toml:2:8: "));
}

TEST_CASE("A character or mesh needs a file", "[scene]")
{
    CHECK(refusal(smallScene + "[[body]]\nshape = \"character\"\n").message == "shot.toml:6:1: 'body1' needs a file");
}

TEST_CASE("Key times must increase", "[scene]")
{
    CHECK(refusal(smallScene + "[[body]]\n[[body.key]]\ntime_s = 1\n[[body.key]]\ntime_s = 1\n").message ==
          "shot.toml:10:1: 'body.body1.key.1.time_s' is 1.0, expected more than 1.0, the time of the key before it");
    CHECK_THAT(refusal(smallScene + "[[camera.key]]\ntime_s = 1\n[[camera.key]]\ntime_s = 0\n").message,
               StartsWith("shot.toml:9:1: 'camera.key.1.time_s' is 0.0"));
}

TEST_CASE("Keys of a body must not turn by more than 180 degrees about several axes at once", "[scene]")
{
    const std::string keys = smallScene + "[[body]]\n[[body.key]]\ntime_s = 0\n[[body.key]]\ntime_s = 1\n";
    CHECK(refusal(keys + "rotation_deg = [10, 270, 0]\n").message ==
          "shot.toml:11:1: 'body.body1.key.1' turns by more than 180 degrees about several axes; expected a key "
          "between it "
          "and the key before");
    CHECK(refusal(keys + "rotation_deg = [0, 270, 0]\n").message == "accepted");
    CHECK(refusal(keys + "rotation_deg = [10, 180, 0]\n").message == "accepted");
}

TEST_CASE("Shapes of bodies that cannot exist are refused with the place and the value", "[scene]")
{
    const std::string ball = smallScene + "[[body]]\nname = \"ball\"\nshape = \"sphere\"\n";
    CHECK_THAT(refusal(ball + "radius_m = -1\n").message,
               StartsWith("shot.toml:9:12: ") && Contains("radius_m") && Contains("-1"));
    CHECK_THAT(refusal(ball + "radius_m = 0\n").message, StartsWith("shot.toml:9:12: "));
    const std::string box = smallScene + "[[body]]\nname = \"crate\"\nshape = \"box\"\n";  // edges of 1 m
    CHECK_THAT(refusal(box + "rounding_m = 0.6\n").message,
               StartsWith("shot.toml:9:1: ") && Contains("crate") && Contains("0.6") && Contains("0.5"));
    CHECK(refusal(box + "rounding_m = 0.5\n").message == "accepted");
    CHECK_THAT(refusal(box + "size = [1, 0, 1]\n").message, StartsWith("shot.toml:9:") && Contains("size"));
}

TEST_CASE("A table in place of a list of tables is refused, and the other way round", "[scene]")
{
    CHECK_THAT(refusal("[snow]\nmin = [0,0,0]\n").message,
               StartsWith("shot.toml:1:1: 'snow' is one table, expected a list: write [[snow]]"));
    CHECK_THAT(refusal(smallScene + "[[solver]]\ndx = 1\n").message,
               StartsWith("shot.toml:6:") && Contains("write [solver] with single brackets"));
    CHECK_THAT(refusal("solver = 3\n" + smallScene).message, StartsWith("shot.toml:1:10: 'solver' is a value"));
    CHECK_THAT(refusal("snow = [1]\n").message, StartsWith("shot.toml:1:9: 'snow' contains a value"));
}

TEST_CASE("A camera or a normal without a direction is refused", "[scene]")
{
    CHECK_THAT(refusal(smallScene + "[camera]\nposition = [0, 0, 0]\n").message, Contains("direction of view"));
    CHECK_THAT(refusal(smallScene + "[[body]]\nnormal = [0, 0, 0]\n").message,
               StartsWith("shot.toml:7:1: the normal of 'body1' has length 0"));
}

TEST_CASE("The distance of names counts insertions, deletions, replacements and swaps", "[scene]")
{
    CHECK(editDistance("", "abc") == 3);
    CHECK(editDistance("dx", "dx") == 0);
    CHECK(editDistance("Dx", "dX") == 0);
    CHECK(editDistance("fsp", "fps") == 1);
    CHECK(editDistance("kitten", "sitting") == 3);
    CHECK(didYouMean("dxx", {"dt_s", "dx"}) == "; did you mean 'dx'?");
    CHECK(didYouMean("rotation", {"position", "rotation_deg"}) == "; did you mean 'rotation_deg'?");
    CHECK(didYouMean("raduis", {"file", "radius_m", "seed"}) == "; did you mean 'radius_m'?");
    CHECK(didYouMean("RightHand", {"Hips", "rHand", "lHand"}) == "; did you mean 'rHand'?");
    CHECK(didYouMean("hand_r", {"mixamorig:LeftHand", "mixamorig:RightHand"}) ==
          "; did you mean 'mixamorig:RightHand'?");
    CHECK(didYouMean("zebra", {}).empty());
}

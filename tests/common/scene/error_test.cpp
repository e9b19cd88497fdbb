// Each mistake with the place, what was found and what was expected.

#include <catch2/catch.hpp>

#include "common/scene/suggest.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("An unknown key names the nearest one", "[scene]")
{
    const Refusal found = refusal(small_scene + "[snow.material]\nhardnening = 5\n");
    CHECK(found.message == "shot.toml:7:1: unknown key 'hardnening' in [snow.material]; did you mean 'hardening'?");
    CHECK(found.code == ExitCode::Usage);
    CHECK(refusal("fsp = 24\n" + small_scene).message ==
          "shot.toml:1:1: unknown key 'fsp' at the top level; did you mean 'fps'?");
}

TEST_CASE("A key in the wrong table is told where it belongs", "[scene]")
{
    CHECK(refusal(small_scene + "hardening = 5\n").message ==
          "shot.toml:6:1: unknown key 'hardening' in [[snow]]; it belongs in [snow.material]");
    CHECK(refusal(small_scene + "frames = \"1-2\"\n").message ==
          "shot.toml:6:1: unknown key 'frames' in [[snow]]; it belongs at the top level");
    CHECK(refusal(small_scene + "[solver]\nvoxel_m = 1\n").message ==
          "shot.toml:7:1: unknown key 'voxel_m' in [solver]; it belongs in [[body]] or in [render]");
    CHECK_THAT(refusal(small_scene + "[solver]\ninclude = \"a\"\n").message, Contains("for the top of a scene file"));
    CHECK_THAT(refusal(small_scene, {.set = {"include=a"}}).message, Contains("for the top of a scene file"));
}

TEST_CASE("An unknown key that resembles none lists the known ones", "[scene]")
{
    CHECK(refusal(small_scene + "[snow.crust]\nbutter = 1\n").message ==
          "shot.toml:7:1: unknown key 'butter' in [snow.crust]; known are 'depth_m', 'stiffness', 'density'");
}

TEST_CASE("A wrong type names what was found and what was expected", "[scene]")
{
    const Refusal found = refusal(small_scene + "[solver]\n  dx = \"thin\"\n");
    CHECK(found.message == "shot.toml:7:8: 'solver.dx' is the text 'thin', expected a number, above 0 up to 100 (m)");
    CHECK(found.code == ExitCode::Usage);
    CHECK(refusal(small_scene + "[render]\nspp = 1.5\n").message ==
          "shot.toml:7:7: 'render.spp' is the number 1.5, expected an integer, 1 to 16777216");
    CHECK(refusal(small_scene + "velocity = [1, 2]\n").message ==
          "shot.toml:6:12: 'snow.0.velocity' is an array of 2, expected an array of 3 numbers, -10000 to 10000 (m/s)");
    CHECK(refusal(small_scene + "velocity = [1, 2, true]\n").message ==
          "shot.toml:6:19: 'snow.0.velocity' is true, expected an array of 3 numbers, -10000 to 10000 (m/s)");
}

TEST_CASE("A value out of range names the range", "[scene]")
{
    CHECK(refusal(small_scene + "[solver]\ndx = 0\n").message ==
          "shot.toml:7:6: 'solver.dx' is the integer 0, expected a number, above 0 up to 100 (m)");
    CHECK(refusal(small_scene + "[solver]\ncfl = -1.0\n").message ==
          "shot.toml:7:7: 'solver.cfl' is the number -1.0, expected a number, above 0 up to 1 (cells)");
    CHECK_THAT(refusal("version = 2\n" + small_scene).message,
               StartsWith("shot.toml:1:11: 'version' is the integer 2, expected an integer, 1"));
}

TEST_CASE("Not a number and infinity are no values", "[scene]")
{
    CHECK_THAT(refusal(small_scene + "[solver]\ndx = nan\n").message,
               StartsWith("shot.toml:7:6: 'solver.dx' is the number nan"));
    CHECK_THAT(refusal(small_scene + "velocity = [0, -inf, 0]\n").message,
               StartsWith("shot.toml:6:16: 'snow.0.velocity' is the number -inf"));
    CHECK_THAT(refusal(small_scene + "velocity = [0, 1e300, 0]\n").message, StartsWith("shot.toml:6:16: "));
    CHECK(refusal(small_scene, {.set = {"solver.gravity=[0,nan,0]"}}).code == ExitCode::Usage);
}

TEST_CASE("An unknown choice names the nearest one", "[scene]")
{
    CHECK(refusal(small_scene + "shape = \"bxo\"\n").message ==
          "shot.toml:6:9: 'snow.0.shape' is the text 'bxo', which is unknown; did you mean 'box'?");
}

TEST_CASE("An unknown preset names the nearest one", "[scene]")
{
    CHECK(refusal(small_scene + "preset = \"plough\"\n").message ==
          "shot.toml:6:10: 'snow.0.preset' is the text 'plough', which is unknown; known are 'powder', 'settled', "
          "'packing', 'wet', 'icy', 'crust', 'slush', 'plough-bank', 'paper'");
    CHECK_THAT(refusal(small_scene + "[render]\npreset = \"claen\"\n").message, Contains("did you mean 'clean'?"));
}

TEST_CASE("A missing file is a file error at its line", "[scene]")
{
    const Refusal found = refusal(small_scene + "[[body]]\nshape = \"mesh\"\nfile = \"none.obj\"\n");
    CHECK(found.message == "shot.toml:8:1: cannot find the file 'none.obj'");
    CHECK(found.code == ExitCode::File);
}

TEST_CASE("A missing scene is a file error", "[scene]")
{
    const SceneFolder folder;
    const Refusal found = refusalOf(folder, [&] { loadScene(folder.path() / "shto.toml"); });
    CHECK(found.message == "shto.toml: cannot find the scene file 'shto.toml'");
    CHECK(found.code == ExitCode::File);
    CHECK(refusalOf(folder, [&] { loadScene(folder.path()); }).code == ExitCode::File);
    CHECK(refusalOf(folder, [&] { loadScene("/dev/zero"); }).code == ExitCode::File);
}

TEST_CASE("Paths may not leave the scene's folder unless that is allowed", "[scene]")
{
    const SceneFolder outer;
    outer.write("secret.obj", "v 0 0 0\n");
    const auto load = [&](const std::string& file, bool allow) {
        const auto shot =
            outer.write("shots/shot.toml", small_scene + "[[body]]\nshape = \"mesh\"\nfile = \"" + file + "\"\n");
        return refusalOf(outer, [&] { loadScene(shot, {.allow_outside = allow}); });
    };
    const Refusal up = load("../secret.obj", false);
    CHECK_THAT(up.message, StartsWith("shots/shot.toml:8:1: '../secret.obj' lies outside of the scene's folder"));
    CHECK(up.code == ExitCode::Usage);
    CHECK(load((outer.path() / "secret.obj").string(), false).code == ExitCode::Usage);
    CHECK(load("../shots2/../secret.obj", false).code == ExitCode::Usage);
    CHECK(load("../secret.obj", true).message == "accepted");
    std::filesystem::create_symlink(outer.path() / "secret.obj", outer.path() / "shots/link.obj");
    CHECK_THAT(load("link.obj", false).message, StartsWith("shots/shot.toml:8:1: 'link.obj' lies outside"));
    CHECK(load("link.obj", true).message == "accepted");
    std::filesystem::create_directory_symlink(outer.path(), outer.path() / "shots/all");
    CHECK(load("all/secret.obj", false).code == ExitCode::Usage);
}

TEST_CASE("A folder or nothing is no file", "[scene]")
{
    CHECK_THAT(refusal(small_scene + "[[body]]\nshape = \"mesh\"\nfile = \".\"\n").message,
               StartsWith("shot.toml:8:1: "));
    CHECK_THAT(refusal(small_scene + "[[body]]\nshape = \"mesh\"\nfile = \"\"\n").message,
               StartsWith("shot.toml:8:8: "));
}

TEST_CASE("Includes go one level and never in a circle", "[scene]")
{
    const SceneFolder folder;
    const auto load = [&] { return refusalOf(folder, [&] { folder.load("include = \"a.toml\"\n" + small_scene); }); };
    CHECK(load().message == "shot.toml:1:11: cannot find the file 'a.toml'");
    CHECK(load().code == ExitCode::File);
    folder.write("a.toml", "fps = 24\ninclude = \"shot.toml\"\n");
    CHECK(load().message == "a.toml:2:11: a cycle: this file and 'shot.toml' include each other");
    folder.write("a.toml", "include = \"b.toml\"\n");
    CHECK(load().message == "a.toml:1:11: an included file may not include another one");
    folder.write("a.toml", "fps = 24\n[solver]\nd = 3\n");
    CHECK_THAT(load().message, StartsWith("a.toml:3:1: unknown key 'd' in [solver]"));
    CHECK(refusal("include = \"shot.toml\"\n" + small_scene).message == "shot.toml:1:11: the scene includes itself");
    CHECK_THAT(refusal("include = \"../x.toml\"\n" + small_scene).message, Contains("lies outside"));
}

TEST_CASE("Text that is not TOML names line and column", "[scene]")
{
    CHECK_THAT(refusal(small_scene + "[solver]\ndx = = 3\n").message, StartsWith("shot.toml:7:6: not TOML: "));
    CHECK_THAT(refusal(small_scene + "[solver]\ndx = 1\ndx = 2\n").message, StartsWith("shot.toml:8:"));
    CHECK(refusal(small_scene + "[=]\n").message ==
          "shot.toml:6:1: not TOML: expected a key or a table's name between brackets");
    CHECK_THAT(refusal("[[\n" + small_scene).message, StartsWith("shot.toml:1:1: not TOML"));
    CHECK_THAT(refusal("fps = 1\n[#").message, StartsWith("shot.toml:2:1: not TOML"));
}

TEST_CASE("A bad override names itself and the column", "[scene]")
{
    const auto message = [](const std::string& setting) { return refusal(small_scene, {.set = {setting}}).message; };
    CHECK(message("solver.dx") == "--set solver.dx: expected key=value, such as solver.dx=0.02");
    CHECK(message("=1") == "--set =1: expected key=value, such as solver.dx=0.02");
    CHECK(message("solver.dz=1") == "--set solver.dz=1: column 1: unknown key 'dz' in [solver]; did you mean 'dx'?");
    CHECK_THAT(message("solver.dx=0.0.2"), StartsWith("--set solver.dx=0.0.2: column 14: not TOML: "));
    CHECK(message("solver.dx=-3") ==
          "--set solver.dx=-3: column 11: 'solver.dx' is the integer -3, expected a number, above 0 up to 100 (m)");
    CHECK(message("snow.bde.seed=1") ==
          "--set snow.bde.seed=1: column 1: no [[snow]] is called 'bde'; did you mean 'bed'?");
    CHECK(message("snow.3.seed=1") == "--set snow.3.seed=1: column 1: no [[snow]] is called '3'; known are 'bed'");
    CHECK_THAT(message("snow.bed=1"), Contains("'snow.0' is a table, expected one of its keys"));
    CHECK_THAT(message("solver.dx.y=1"), Contains("'solver.dx' is a value and has no key 'y'"));
    CHECK_THAT(message("solver.dx=1\nfps=2"), StartsWith("--set "));
    CHECK_THAT(message("solver.integrator=implict"), Contains("did you mean 'implicit'?"));
}

TEST_CASE("A bad environment variable names itself", "[scene]")
{
    {
        const Variable variable("FIRN_SOLVER_DZ", "1");
        CHECK(refusal(small_scene).message ==
              "FIRN_SOLVER_DZ: no key of the scene has this name; did you mean 'FIRN_SOLVER_DX'?");
    }
    const Variable variable("FIRN_SOLVER_DX", "thick");
    CHECK_THAT(refusal(small_scene).message, StartsWith("FIRN_SOLVER_DX=thick: column 17: not TOML"));
}

TEST_CASE("Quality tables are checked whether chosen or not", "[scene]")
{
    CHECK_THAT(refusal(small_scene + "[quality.drfat]\nfps = 1\n").message,
               StartsWith("shot.toml:6:") && Contains("did you mean 'draft'?"));
    CHECK(refusal(small_scene + "[quality.draft]\n\"solver.dxx\" = 1\n").message ==
          "shot.toml:7:1: unknown key 'dxx' in [solver]; did you mean 'dx'?");
    CHECK_THAT(refusal(small_scene + "[quality.preview]\nrender.spp = 0\n").message,
               StartsWith("shot.toml:7:14: 'render.spp'"));
    CHECK_THAT(refusal(small_scene, {.quality = "fine"}).message, StartsWith("--quality fine: unknown quality"));
}

TEST_CASE("Takes are checked whether simulated or not", "[scene]")
{
    const auto message = [](const std::string& takes) { return refusal(small_scene + takes).message; };
    CHECK_THAT(message("[take]\nname = \"a\"\n"), StartsWith("shot.toml:6:") && Contains("expected [[take]]"));
    CHECK_THAT(message("[[take]]\nfps = 25\n"), StartsWith("shot.toml:6:") && Contains("without 'name'"));
    CHECK_THAT(message("[[take]]\nname = \"../x\"\n"), StartsWith("shot.toml:7:") && Contains("folder"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\n[[take]]\nname = \"a\"\n"), StartsWith("shot.toml:9:"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\nsolver.dxx = 1\n"), StartsWith("shot.toml:8:") && Contains("dxx"));
    CHECK_THAT(message("[[take]]\nname = \"a\"\nsolver.dx = -1\n"), StartsWith("shot.toml:8:"));
}

TEST_CASE("Frames are first to last without a step", "[scene]")
{
    const auto message = [](const std::string& frames) {
        return refusal("frames = " + frames + "\n" + small_scene.substr(small_scene.find("[[snow]]"))).message;
    };
    CHECK(message("\"1-84\"") == "accepted");
    CHECK(message("\"-5--1\"") == "accepted");
    CHECK_THAT(message("\"1-84x2\""),
               StartsWith("shot.toml:1:10: 'frames' is the text '1-84x2'") && Contains("a step is not possible"));
    CHECK_THAT(message("\"9-3\""), Contains("the last frame comes before the first"));
    CHECK_THAT(message("84"), StartsWith("shot.toml:1:10: 'frames' is the integer 84, expected text \"first-last\""));
    CHECK_THAT(message("\"1-\""), Contains("such as \"1-84\""));
}

TEST_CASE("A scene without snow is refused", "[scene]")
{
    CHECK(refusal("fps = 24\n").message == "shot.toml: the scene has no snow, expected at least one [[snow]]");
    CHECK(refusal("").code == ExitCode::Usage);
}

TEST_CASE("Regions must have a size", "[scene]")
{
    CHECK(refusal("[[snow]]\nmin = [0, 0, 0]\nmax = [1, 0, 1]\n").message ==
          "shot.toml:3:1: 'snow1' is empty: max of y is 0.0, expected above min, 0.0");
    CHECK_THAT(refusal("\n[[snow]]\n").message, StartsWith("shot.toml:2:1: 'snow1' is empty"));
    CHECK_THAT(refusal("[[snow]]\nshape = \"sphere\"\n").message, Contains("without radius_m"));
    CHECK_THAT(refusal("[[snow]]\nshape = \"layer\"\nmin = [0, 3, 0]\nmax = [1, 0, 1]\n").message,
               Contains("without depth_m"));
    CHECK_THAT(refusal("[[snow]]\nshape = \"mesh\"\n").message, Contains("'snow1' needs a file"));
}

TEST_CASE("A key that the shape has no use for is refused", "[scene]")
{
    CHECK(refusal(small_scene + "radius_m = 1\n").message ==
          "shot.toml:6:1: 'radius_m' of 'bed' has no meaning for shape = \"box\", only for: sphere");
    CHECK_THAT(refusal(small_scene + "[[light]]\nkind = \"constant\"\nelevation_deg = 3\n").message,
               StartsWith("shot.toml:8:1: 'elevation_deg' of 'light1' has no meaning for kind = \"constant\""));
}

TEST_CASE("Two things of one kind may not share a name", "[scene]")
{
    CHECK(refusal(small_scene + small_scene.substr(small_scene.find("[[snow]]"))).message ==
          "shot.toml:6:1: a second [[snow]] is called 'bed', the first one shot.toml:2:1; names must differ");
    CHECK_THAT(refusal(small_scene + "name2 = 1\n").message, Contains("did you mean 'name'?"));
    CHECK_THAT(refusal("[[snow]]\nname = \"7\"\n").message, StartsWith("shot.toml:2:8: 'snow.0.name' is the text '7'"));
    CHECK_THAT(refusal("[[snow]]\nname = \"a.b\"\n").message, StartsWith("shot.toml:2:8: "));
}

TEST_CASE("A character or mesh needs a file", "[scene]")
{
    CHECK(refusal(small_scene + "[[body]]\nshape = \"character\"\n").message == "shot.toml:6:1: 'body1' needs a file");
}

TEST_CASE("Key times must increase", "[scene]")
{
    CHECK(refusal(small_scene + "[[body]]\n[[body.key]]\ntime_s = 1\n[[body.key]]\ntime_s = 1\n").message ==
          "shot.toml:10:1: 'body.0.key.1.time_s' is 1.0, expected above 1.0, the time of the key before");
    CHECK_THAT(refusal(small_scene + "[[camera.key]]\ntime_s = 1\n[[camera.key]]\ntime_s = 0\n").message,
               StartsWith("shot.toml:9:1: 'camera.key.1.time_s' is 0.0"));
}

TEST_CASE("Keys of a body must not turn by more than 180 degrees about several axes at once", "[scene]")
{
    const std::string keys = small_scene + "[[body]]\n[[body.key]]\ntime_s = 0\n[[body.key]]\ntime_s = 1\n";
    CHECK(refusal(keys + "rotation_deg = [10, 270, 0]\n").message ==
          "shot.toml:11:1: 'body.0.key.1' turns by more than 180 degrees about several axes; expected a key between it "
          "and the key before");
    CHECK(refusal(keys + "rotation_deg = [0, 270, 0]\n").message == "accepted");
    CHECK(refusal(keys + "rotation_deg = [10, 180, 0]\n").message == "accepted");
}

TEST_CASE("Shapes of bodies that cannot exist are refused with the place and the value", "[scene]")
{
    const std::string ball = small_scene + "[[body]]\nname = \"ball\"\nshape = \"sphere\"\n";
    CHECK_THAT(refusal(ball + "radius_m = -1\n").message,
               StartsWith("shot.toml:9:1: ") && Contains("radius_m") && Contains("-1"));
    CHECK_THAT(refusal(ball + "radius_m = 0\n").message, StartsWith("shot.toml:9:1: "));
    const std::string box = small_scene + "[[body]]\nname = \"crate\"\nshape = \"box\"\n";  // edges of 1 m
    CHECK_THAT(refusal(box + "rounding_m = 0.6\n").message,
               StartsWith("shot.toml:9:1: ") && Contains("crate") && Contains("0.6") && Contains("0.5"));
    CHECK(refusal(box + "rounding_m = 0.5\n").message == "accepted");
    CHECK_THAT(refusal(box + "size = [1, 0, 1]\n").message, StartsWith("shot.toml:9:") && Contains("size"));
}

TEST_CASE("Tables and lists of tables are told apart", "[scene]")
{
    CHECK_THAT(refusal("[snow]\nmin = [0,0,0]\n").message,
               StartsWith("shot.toml:1:1: 'snow' is one table, expected a list: write [[snow]]"));
    CHECK_THAT(refusal(small_scene + "[[solver]]\ndx = 1\n").message,
               StartsWith("shot.toml:6:") && Contains("write [solver] with single brackets"));
    CHECK_THAT(refusal("solver = 3\n" + small_scene).message, StartsWith("shot.toml:1:10: 'solver' is a value"));
    CHECK_THAT(refusal("snow = [1]\n").message, StartsWith("shot.toml:1:9: 'snow' holds a value"));
}

TEST_CASE("Views and normals without a direction are refused", "[scene]")
{
    CHECK_THAT(refusal(small_scene + "[camera]\nposition = [0, 0, 0]\n").message, Contains("direction of view"));
    CHECK_THAT(refusal(small_scene + "[[body]]\nnormal = [0, 0, 0]\n").message,
               StartsWith("shot.toml:7:1: the normal"));
}

TEST_CASE("The distance of names counts insertions, deletions, replacements and swaps", "[scene]")
{
    CHECK(editDistance("", "abc") == 3);
    CHECK(editDistance("dx", "dx") == 0);
    CHECK(editDistance("Dx", "dX") == 0);
    CHECK(editDistance("fsp", "fps") == 1);
    CHECK(editDistance("kitten", "sitting") == 3);
    CHECK(didYouMean("dxx", {"dt_s", "dx"}) == "; did you mean 'dx'?");
    CHECK(didYouMean("zebra", {}) == "");
}

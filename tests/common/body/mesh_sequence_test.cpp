// Bodies given as one mesh per frame.

#include "common/body/mesh_sequence.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "common/body/body.h"
#include "common/error.h"
#include "common/scene/identity.h"
#include "common/scene/load.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;

namespace {

/// A box of 1 x h x 1 m on the ground, whose lower corner is at (x, 0, 0).
std::string boxText(double x, double h)
{
    std::string text;
    for (int c = 0; c < 8; ++c) {
        char line[80];
        std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", x + (c & 1), c & 2 ? h : 0, c & 4 ? 1.0 : 0.0);
        text += line;
    }
    return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

void writeFrames(const ScratchFolder& folder, int first, int last)
{
    for (int n = first; n <= last; ++n) {
        char name[32];
        std::snprintf(name, sizeof name, "box.%04d.obj", n);
        folder.write(name, boxText(0.1 * n, 1 + 0.01 * n * n));
    }
}

SequenceOptions boxes(const ScratchFolder& folder)
{
    return {.pattern = folder.path("box.####.obj"), .first_number = 1, .fps = 10, .source = "boxes"};
}

Vec3d corner(const SequenceOptions& options, double time_s)
{
    std::vector<Vec3d> vertices;
    makeMeshSequence(options)->positions(time_s, vertices);
    return vertices[2];  // (x, h, 0)
}

}  // namespace

TEST_CASE("a sequence of meshes is at its files' places in their frames, and moves smoothly between them", "[body]")
{
    const ScratchFolder folder("sequence");
    writeFrames(folder, 1, 8);
    SequenceOptions options = boxes(folder);
    CHECK((corner(options, 0) - Vec3d(0.1, 1.01, 0)).norm() < 1e-6);
    CHECK((corner(options, 0.3) - Vec3d(0.4, 1.16, 0)).norm() < 1e-6);
    // Splines of this kind follow lines and parabolas exactly; at frame 4.5, h = 1.2025.
    CHECK((corner(options, 0.35) - Vec3d(0.45, 1.2025, 0)).norm() < 1e-6);
    CHECK((corner(options, -5) - Vec3d(0.1, 1.01, 0)).norm() < 1e-6);
    CHECK((corner(options, 5) - Vec3d(0.8, 1.64, 0)).norm() < 1e-6);
    options.speed = 2;
    options.offset_s = 0.1;
    CHECK((corner(options, 0.1) - Vec3d(0.4, 1.16, 0)).norm() < 1e-6);
    options.loop = true;
    options.speed = 1;
    options.offset_s = 0;
    CHECK((corner(options, 0.8) - Vec3d(0.1, 1.01, 0)).norm() < 1e-6);
    CHECK((corner(options, -0.1) - Vec3d(0.8, 1.64, 0)).norm() < 1e-6);
}

TEST_CASE("a sequence with gaps, or whose meshes differ, is refused", "[body]")
{
    const ScratchFolder folder("sequence-errors");
    CHECK_THROWS_WITH(makeMeshSequence(boxes(folder)), Catch::Contains("the sequence has no file"));
    writeFrames(folder, 1, 6);
    folder.write("box.0004.obj", boxText(0, 1) + "v 0 0 9\n");
    const auto sequence = makeMeshSequence(boxes(folder));
    std::vector<Vec3d> vertices;
    CHECK_THROWS_WITH(sequence->positions(0.3, vertices),
                      Catch::Contains("boxes: frame 4 has 9 vertices and 12 triangles; expected 8 and 12"));
    std::filesystem::remove(folder.path("box.0003.obj"));
    std::filesystem::remove(folder.path("box.0004.obj"));
    CHECK_THROWS_WITH(makeMeshSequence(boxes(folder)),
                      Catch::Contains("frames 3-4 are missing in the sequence, which has frames 1-2,5-6"));
}

TEST_CASE("a file that changes while its sequence is in use is refused", "[body]")
{
    const ScratchFolder folder("sequence-changed");
    writeFrames(folder, 1, 12);
    const auto sequence = makeMeshSequence(boxes(folder));
    std::vector<Vec3d> vertices;
    folder.write("box.0006.obj", boxText(0, 1));
    CHECK_NOTHROW(sequence->positions(0.1, vertices));
    CHECK_THROWS_WITH(sequence->positions(0.5, vertices),
                      Catch::StartsWith("boxes: ") &&
                          Catch::Contains("box.0006.obj has changed since this command began, so frames of the old"));
    folder.write("box.0006.obj", boxText(0.6, 1.36));  // the old one again
    CHECK_NOTHROW(sequence->positions(0.5, vertices));
}

TEST_CASE("a file whose vertices are in another order is refused; other diagonals of its quadrilaterals are not",
          "[body]")
{
    const ScratchFolder folder("sequence-order");
    writeFrames(folder, 1, 6);
    const std::string corners = boxText(0, 1).substr(0, boxText(0, 1).find('f'));
    std::vector<Vec3d> vertices;
    folder.write("box.0003.obj", corners + "f 7 5 6 8\nf 2 1 3 4\nf 4 3 7 8\nf 5 1 2 6\nf 6 2 4 8\nf 3 1 5 7\n");
    folder.write("box.0005.obj", corners + "f 3 4 2 1\nf 6 8 7 5\nf 2 6 5 1\nf 7 8 4 3\nf 5 7 3 1\nf 4 8 6 2\n");
    const auto sequence = makeMeshSequence(boxes(folder));
    CHECK_NOTHROW(sequence->positions(0.5, vertices));
    CHECK_THROWS_WITH(
        sequence->positions(0.3, vertices),
        "boxes: frame 3 has its vertices in another order than frame 1; export the frames with one order");
}

TEST_CASE("a scene takes a sequence by its pattern, and its hash covers each file", "[body]")
{
    const ScratchFolder folder("sequence-scene");
    const std::string text =
        "version = 1\n[[snow]]\nshape = \"box\"\nmax = [1, 1, 1]\n[[body]]\nshape = \"mesh\"\nfile = "
        "\"box.####.obj\"\n";
    const auto scene = folder.write("shot.toml", text);
    CHECK_THROWS_WITH(loadScene(scene), Catch::Contains("cannot find the file 'box.####.obj'") &&
                                            Catch::Contains("the first file is called box.0001.obj"));
    writeFrames(folder, 1, 5);
    const Scene loaded = loadScene(scene).scene;
    CHECK(makeBodies(loaded)[0].pieces.size() == 1);
    const std::vector<std::string> remarks = makeBodies(loaded)[0].remarks;
    REQUIRE(remarks.size() == 1);
    CHECK_THAT(remarks[0],
               Catch::Contains("it plays from 0 s to 0.167 s of scene time, and the shot lasts from 0 s to"));
    Scene covered = loaded;
    covered.end_frame = 5;
    CHECK(makeBodies(covered)[0].remarks.empty());
    covered.bodies[0].time_offset_s = 0.1;
    CHECK(makeBodies(covered)[0].remarks.size() == 1);
    covered.bodies[0].loop = true;
    CHECK(makeBodies(covered)[0].remarks.empty());
    CHECK_NOTHROW(readSequences(covered, makeBodies(covered)));
    folder.write("box.0004.obj", "v 0 0");
    covered.end_frame = 4;
    CHECK_THROWS_WITH(readSequences(covered, makeBodies(covered)),
                      Catch::Contains("box.####.obj: ") && Catch::Contains("box.0004.obj"));
    const SceneIdentity before = identityOf(loaded);
    folder.write("box.0003.obj", boxText(0.31, 1.09));
    folder.write("box.0006.obj", boxText(0.31, 1.09));
    const SceneIdentity now = identityOf(loaded);
    CHECK(now.hash != before.hash);
    CHECK(differences(before, now, loaded) ==
          std::vector<std::string>{"body.body1.file: file 3 has changed, file 6 is new, of 6 now"});
}

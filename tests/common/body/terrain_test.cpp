#include "common/body/terrain.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "common/body/ball_tree.h"
#include "common/body/body.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "tests/common/body/scratch_folder.h"
#include "tests/common/image/gray_png.h"

using namespace firn;
using Catch::Contains;

namespace {

/// Heights of a hill of n x n pixels, in metres.
double hill(double x, double z) { return 0.3 * std::cos(2 * x) * std::cos(1.5 * z) + 0.1 * x; }

std::vector<float> hillHeights(int n, double size_m)
{
    std::vector<float> heights;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column)
            heights.push_back(
                static_cast<float>(hill(size_m * (column / (n - 1.0) - 0.5), size_m * (row / (n - 1.0) - 0.5))));
    return heights;
}

TriangleMesh hillMesh(int n = 65, double size_m = 2) { return heightMesh(hillHeights(n, size_m), n, size_m, size_m); }

/// Removes the triangles whose middle is within a distance of a point, seen from above.
void cut(TriangleMesh& mesh, double x, double z, double radius)
{
    std::erase_if(mesh.triangles, [&](const Vec3i& t) {
        const Vec3f middle = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3;
        return std::hypot(middle.x() - x, middle.z() - z) < radius;
    });
}

bool isSolidBelow(const TriangleMesh& mesh) { return findDefects(mesh).none() && signedVolume(mesh) > 0; }

std::string exr(const std::string& channel, int width, const std::vector<float>& values)
{
    Image image(width, static_cast<int>(values.size()) / width);
    image.add(channel).pixels = values;
    const std::vector<std::byte> bytes = encodeExr(image, {.half = false});
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Terrain load(const std::filesystem::path& file, const Vec3d& size = Vec3d(2, 1, 4))
{
    return loadTerrain({.file = file, .size = size, .source = "the terrain"});
}

std::string refusal(const std::filesystem::path& file)
{
    try {
        load(file);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("An open surface becomes a closed solid whose top it is", "[terrain]")
{
    const Terrain terrain = solidBelow(hillMesh(), "hill");
    CHECK(isSolidBelow(terrain.mesh));
    CHECK(terrain.remarks.empty());
    CHECK(boundsOf(terrain.mesh).min().y() == Approx(boundsOf(hillMesh()).min().y() - 1));
    CHECK(boundsOf(terrain.mesh).max().y() == Approx(boundsOf(hillMesh()).max().y()));
}

TEST_CASE("Triangles that face down, or in any direction, make no difference", "[terrain]")
{
    TriangleMesh mixed = hillMesh();
    for (std::size_t t = 0; t < mixed.triangles.size(); t += 3) std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
    const Terrain terrain = solidBelow(mixed, "hill");
    CHECK(isSolidBelow(terrain.mesh));
    CHECK(signedVolume(terrain.mesh) == Approx(signedVolume(solidBelow(hillMesh(), "hill").mesh)));
}

TEST_CASE("Holes of a scan are closed, loose parts left out, and both are said", "[terrain]")
{
    TriangleMesh scan = hillMesh();
    cut(scan, 0.3, 0.2, 0.08);
    cut(scan, -0.5, -0.4, 0.05);
    const int first = static_cast<int>(scan.vertices.size());
    for (const Vec3f& v : {Vec3f(0, 1, 0), Vec3f(.1f, 1, 0), Vec3f(0, 1, .1f)}) scan.vertices.push_back(v);
    scan.triangles.emplace_back(first, first + 1, first + 2);
    const Terrain terrain = solidBelow(scan, "hill");
    CHECK(isSolidBelow(terrain.mesh));
    REQUIRE(terrain.remarks.size() == 2);
    CHECK_THAT(terrain.remarks[0], Contains("closed 2 holes, the largest") && Contains("at (0.297, "));
    CHECK(terrain.remarks[1] == "left out 1 part smaller than a tenth of the terrain");
    CHECK(boundsOf(terrain.mesh).max().y() < 0.5);
}

TEST_CASE("A hole that is too large to close is refused with its place", "[terrain]")
{
    TriangleMesh scan = hillMesh();
    cut(scan, 0.3, 0.2, 0.25);
    CHECK_THROWS_WITH(solidBelow(scan, "the hill"),
                      Contains("the hill: the surface has a hole of") && Contains("at (0.297, 0.24, 0.203) m"));
}

TEST_CASE("A closed mesh is no terrain", "[terrain]")
{
    CHECK_THROWS_WITH(solidBelow(solidBelow(hillMesh(), "hill").mesh, "hill.ply"),
                      Contains("hill.ply: the mesh is closed") && Contains("shape = \"mesh\""));
}

TEST_CASE("A terrain that stands on its side gets a remark", "[terrain]")
{
    TriangleMesh mesh = hillMesh();
    CHECK(solidBelow(mesh, "hill.ply").remarks.empty());
    for (Vec3f& v : mesh.vertices) v = Vec3f(v.x(), -v.z(), v.y());
    const Terrain terrain = solidBelow(mesh, "hill.ply");
    REQUIRE(terrain.remarks.size() == 1);
    CHECK_THAT(terrain.remarks[0], Contains("faces along z") && Contains("up_axis = \"z\"?"));
}

TEST_CASE("A terrain answers with its height, near and far from its surface", "[terrain]")
{
    const ScratchFolder folder("terrain");
    std::vector<float> heights = hillHeights(65, 2);
    Scene scene;
    scene.solver.dx = 0.05;
    BodySpec spec;
    spec.name = "hill";
    spec.shape = BodyShape::Terrain;
    spec.file = folder.write("hill.exr", exr("height", 65, heights));
    spec.size = Vec3d(2, 1, 2);
    spec.position = Vec3d(0, 5, 0);
    scene.bodies = {spec};
    const std::vector<Body> bodies = makeBodies(scene);
    const auto placed = placeAll(bodies, 0, 0);
    REQUIRE(placed.size() == 1);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-0.8, 0.8), off(-0.1, 0.1);
    for (int i = 0; i < 2000; ++i) {
        const double x = place(random), z = place(random), above = off(random);
        const double slopeX = -0.6 * std::sin(2 * x) * std::cos(1.5 * z) + 0.1;
        const double slopeZ = -0.45 * std::cos(2 * x) * std::sin(1.5 * z);
        Vec3d normal;
        const double distance = placed[0]->distance(Vec3d(x, 5 + hill(x, z) + above, z), normal);
        CHECK(distance == Approx(above / std::sqrt(1 + slopeX * slopeX + slopeZ * slopeZ)).margin(0.004));
        CHECK((normal - Vec3d(-slopeX, 1, -slopeZ).normalized()).norm() < 0.1);
    }
    Vec3d normal;
    CHECK(placed[0]->distance(Vec3d(0, 8, 0), normal) > 0);
    CHECK(placed[0]->distance(Vec3d(0, 4.2, 0), normal) < 0);
    CHECK_FALSE(placed[0]->mayTouch(Vec3d(0, 7, 0), 0.3));
    CHECK(placed[0]->mayTouch(Vec3d(0, 5.5, 0), 0.3));
}

TEST_CASE("A grey picture of 16 bits gives heights: rows along z, columns along x", "[terrain]")
{
    const ScratchFolder folder("heights");
    const TriangleMesh mesh = load(folder.write("h.png", png16(3, 2, {0, 32767, 65535, 65535, 0, 1000}))).mesh;
    const auto heightAt = [&](float x, float z) {
        float highest = -10;
        for (const Vec3f& v : mesh.vertices)
            if (std::abs(v.x() - x) < 1e-6f && std::abs(v.z() - z) < 1e-6f) highest = std::max(highest, v.y());
        return highest;
    };
    CHECK(heightAt(-1, -2) == 0);
    CHECK(heightAt(0, -2) == Approx(32767 / 65535.));
    CHECK(heightAt(1, -2) == 1);
    CHECK(heightAt(-1, 2) == 1);
    CHECK(heightAt(1, 2) == Approx(1000 / 65535.));
}

TEST_CASE("A picture in colour whose red, green and blue are equal is read as grey", "[terrain]")
{
    const ScratchFolder folder("grey-in-colour");
    const TriangleMesh grey = load(folder.write("grey.png", png16(2, 2, {0, 300, 65535, 1000}))).mesh;
    const std::vector<int> values = {0, 0, 0, 300, 300, 300, 65535, 65535, 65535, 1000, 1000, 1000};
    const TriangleMesh colour = load(folder.write("colour.png", png16(6, 2, values, 2))).mesh;
    CHECK(colour.vertices == grey.vertices);
}

TEST_CASE("Pictures that are no heights are refused", "[terrain]")
{
    const ScratchFolder folder("bad-heights");
    const std::string good = png16(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(refusal(folder.write("good.png", good)).empty());
    for (std::size_t length = 0; length + 13 < good.size(); length += 5)
        CHECK_THAT(refusal(folder.write("cut.png", good.substr(0, length))), Contains("not a readable grey PNG"));
    CHECK_THAT(refusal(folder.write("colour.png", png16(6, 2, {7, 7, 7, 9, 8, 9, 0, 0, 0, 1, 1, 1}, 2))),
               Contains("it is in colour; expected 8 or 16 bits of grey, or equal red, green and blue"));
    CHECK_THAT(refusal(folder.write("line.png", png16(3, 1, {1, 2, 3}))),
               Contains("the terrain: found 3 x 1 pixels; expected 2 to 4096 on each side"));
    CHECK_THAT(refusal(folder.write("depth.exr", exr("depth", 2, {1, 2, 3, 4}))),
               Contains("found no channel Y, height, Z or R"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_THAT(refusal(folder.write("nan.exr", exr("Y", 2, {1, 2, 3, nan}))),
               Contains("the value of pixel (1, 1) is not a finite number"));
    CHECK_THAT(refusal(folder.write("hill.tif", "II*")), Contains("found the extension \".tif\"; expected a mesh as"));
    CHECK_THAT(refusal(folder.path("gone.png")), Contains("gone.png"));
}

TEST_CASE("A tree finds the same balls as a search through all of them", "[terrain]")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-1, 1), size(0, 1);
    std::vector<Ball> balls;
    balls.reserve(3000);
    for (int i = 0; i < 3000; ++i)
        balls.push_back({Vec3d(place(random), 0.1 * place(random), place(random)),
                         0.002 * std::exp(6 * std::pow(size(random), 8))});
    const BallTree tree(balls);
    for (int i = 0; i < 300; ++i) {
        const Vec3d point(2 * place(random), place(random), 2 * place(random));
        const double reach = 0.2 * size(random);
        double nearest = std::numeric_limits<double>::infinity();
        std::vector<int> expected;
        for (int b = 0; b < 3000; ++b) {
            const double distance2 = (point - balls[b].center).squaredNorm(), limit = reach + balls[b].radius;
            nearest = std::min(nearest, distance2);
            if (distance2 <= limit * limit) expected.push_back(b);
        }
        CHECK(tree.nearestCenter2(balls, point) == Approx(nearest));
        CHECK(tree.within(balls, point, reach) == expected);
    }
}

TEST_CASE("Voxels of a terrain of kilometres are as fine as memory allows, which is said", "[terrain]")
{
    const ScratchFolder folder("large");
    Scene scene;
    scene.solver.dx = 0.05;
    BodySpec spec;
    spec.name = "valley";
    spec.shape = BodyShape::Terrain;
    spec.file = folder.write("valley.exr", exr("Y", 33, hillHeights(33, 2)));
    spec.size = Vec3d(2000, 100, 2000);
    scene.bodies = {spec};
    const std::vector<Body> bodies = makeBodies(scene);
    REQUIRE(bodies[0].remarks.size() == 1);
    CHECK_THAT(bodies[0].remarks[0], Contains("the terrain is so large that its voxels are 0.3"));
    Vec3d normal;
    CHECK(std::abs(placeAll(bodies, 0, 0)[0]->distance(Vec3d(0, 30, 0), normal)) < 0.2);
    scene.bodies[0].voxel_m = 0.05;
    CHECK_THROWS_WITH(makeBodies(scene), Contains("voxel_m is 0.05") && Contains("can have voxels of 0.3"));
}

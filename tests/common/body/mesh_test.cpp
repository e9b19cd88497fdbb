#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "common/body/mesh.h"
#include "common/body/mesh_file.h"
#include "common/body/shapes.h"
#include "common/error.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;

namespace {

TriangleMesh obj(const std::string& text) { return parseObj("shape.obj", text); }
TriangleMesh ply(const std::string& bytes) { return parsePly("shape.ply", bytes); }

/// The unit cube as OBJ; faces as quads, outward.
const std::string cubeVertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const std::string cubeSides = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\n";
const std::string cubeRight = "f 2 3 7 6\n";

std::string little(float value)
{
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

std::string reversed(std::string bytes) { return {bytes.rbegin(), bytes.rend()}; }

}  // namespace

TEST_CASE("an OBJ is read with its normals, texture coordinates, negative numbers and comments", "[body]")
{
    const TriangleMesh mesh = obj("# a cube\r\nmtllib x.mtl\r\n" + cubeVertices +
                                  "vn 0 0 1\nvt 0 0\nf 1/1/1 4/1/1 3/1/1 2/1/1\nf 5//1 6//1 7//1 8//1\nf -8 -7 -3 -4\n"
                                  "f 3 4 8 7 # back\nf 1 5 8 4\n" +
                                  cubeRight);
    CHECK(mesh.triangles.size() == 12);
    CHECK(signedVolume(mesh) == Approx(1));
    CHECK(findDefects(mesh).none());
}

TEST_CASE("an OBJ that is wrong is refused with its line, what was found and what was expected", "[body]")
{
    CHECK_THROWS_WITH(obj("v 0 0 0\nv 1 zero 0\n"), Catch::Contains("shape.obj:2") && Catch::Contains("\"zero\"") &&
                                                        Catch::Contains("finite number"));
    CHECK_THROWS_WITH(obj("v 0 nan 0\n"), Catch::Contains("shape.obj:1") && Catch::Contains("\"nan\""));
    CHECK_THROWS_WITH(obj("v 0 1e999 0\n"), Catch::Contains("1e999"));
    CHECK_THROWS_WITH(obj(cubeVertices + "f 1 2 9\n"), Catch::Contains("shape.obj:9") && Catch::Contains("8 vertices"));
    CHECK_THROWS_WITH(obj(cubeVertices + "f 1 2\n"), Catch::Contains("found nothing"));
    CHECK_THROWS_WITH(obj(cubeVertices + "f 0 1 2\n"), Catch::Contains("\"0\""));
    CHECK_THROWS_WITH(obj("solid stl\n"), Catch::Contains("\"solid\"") && Catch::Contains("Wavefront"));
}

TEST_CASE("a PLY is the same mesh as text and as binary of either byte order", "[body]")
{
    const std::string properties =
        "comment a tetrahedron\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n";
    const float coordinates[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::string text = "ply\nformat ascii 1.0\n" + properties;
    std::string small = "ply\nformat binary_little_endian 1.0\n" + properties;
    std::string big = "ply\nformat binary_big_endian 1.0\n" + properties;
    for (const auto& p : coordinates) {
        for (const float c : p) {
            text += std::to_string(c) + " ";
            small += little(c);
            big += reversed(little(c));
        }
        text += "255\n";
        small += '\xff';
        big += '\xff';
    }
    for (const auto& face : faces) {
        text += "3";
        small += '\3';
        big += '\3';
        for (const int c : face) {
            text += " " + std::to_string(c);
            small += {static_cast<char>(c), 0, 0, 0};
            big += {0, 0, 0, static_cast<char>(c)};
        }
        text += "\n";
    }
    for (const std::string& bytes : {text, small, big}) {
        const TriangleMesh mesh = ply(bytes);
        CHECK(mesh.vertices.size() == 4);
        CHECK(findDefects(mesh).none());
        CHECK(signedVolume(mesh) == Approx(1.0 / 6));
    }
    CHECK_THROWS_WITH(ply(small.substr(0, small.size() - 5)),
                      Catch::Contains("face 4 of 4") && Catch::Contains("the file ends"));
    CHECK_THROWS_WITH(ply(text.substr(0, text.size() - 8)), Catch::Contains("face 4 of 4"));
    CHECK_THROWS_WITH(ply("ply\nformat ascii 1.0\nelement vertex 99999999999\n"), Catch::Contains("shape.ply:3"));
    CHECK_THROWS_WITH(ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n"), Catch::Contains("\"quad\""));
    CHECK_THROWS_WITH(ply("ply\nformat ascii 1.0\n"), Catch::Contains("within its header"));
    small[small.size() - 1] = 7;  // the last index is now 7 * 2^24 + 3
    CHECK_THROWS_WITH(ply(small), Catch::Contains("4 vertices"));
}

TEST_CASE("a loaded mesh is scaled, turned upright, welded by position and faces outwards", "[body]")
{
    const ScratchFolder folder("mesh");
    // Z up, centimetres, each quad with vertices of its own, wound inwards: a box of 2 x 3 x 4 cm, 4 high.
    const TriangleMesh box = makeBox(Vec3d(2, 3, 4), 0)->mesh();
    std::string text;
    for (const Vec3i& t : box.triangles) {
        for (int c = 0; c < 3; ++c) {
            const Vec3f& v = box.vertices[t[c]];
            text += "v " + std::to_string(v.x()) + " " + std::to_string(v.y()) + " " + std::to_string(v.z()) + "\n";
        }
        text += "f -1 -2 -3\n";
    }
    const TriangleMesh mesh = loadMesh(folder.write("box.obj", text), 0.01, UpAxis::Z);
    CHECK(findDefects(mesh).none());
    CHECK(signedVolume(mesh) == Approx(24e-6));
    CHECK(boundsOf(mesh).sizes().isApprox(Vec3d(0.02, 0.04, 0.03), 1e-6));

    CHECK_THROWS_AS(loadMesh(folder.path("absent.obj"), 1, UpAxis::Y), Error);
    CHECK_THROWS_WITH(loadMesh(folder.write("box.stl", "solid"), 1, UpAxis::Y), Catch::Contains(".obj or .ply"));
    CHECK_THROWS_WITH(loadMesh(folder.write("empty.obj", ""), 1, UpAxis::Y), Catch::Contains("no faces"));
    CHECK_THROWS_WITH(loadMesh(folder.write("far.obj", "v 1e30 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"), 1, UpAxis::Y),
                      Catch::Contains("vertex 1") && Catch::Contains("scale"));
}

TEST_CASE("x, y and z up are turned to y without mirroring", "[body]")
{
    const ScratchFolder folder("axes");
    const auto file = folder.write("cube.obj", cubeVertices + cubeSides + cubeRight);
    // The cube's corner at the origin stays; its extent along the file's up axis becomes y from 0 to 1.
    CHECK(boundsOf(loadMesh(file, 1, UpAxis::X)).isApprox(Box3d(Vec3d(-1, 0, 0), Vec3d(0, 1, 1))));
    CHECK(boundsOf(loadMesh(file, 1, UpAxis::Y)).isApprox(Box3d(Vec3d(0, 0, 0), Vec3d(1, 1, 1))));
    CHECK(boundsOf(loadMesh(file, 1, UpAxis::Z)).isApprox(Box3d(Vec3d(0, 0, -1), Vec3d(1, 1, 0))));
}

TEST_CASE("a mesh with a hole is refused with the count of open edges and the place", "[body]")
{
    // Without its right side the cube's hole is the square x = 1, centred at (1, 0.5, 0.5), with four edges.
    const TriangleMesh open = obj(cubeVertices + cubeSides);
    const MeshDefects defects = findDefects(open);
    CHECK(defects.boundary_edges == 4);
    CHECK(defects.holes == 1);
    CHECK((defects.place - Vec3d(1, 0.5, 0.5)).norm() < 1e-6);
    CHECK_THROWS_WITH(checkClosed(open, "shape.obj"),
                      Catch::Contains("shape.obj") && Catch::Contains("4 open edges") && Catch::Contains("1 hole") &&
                          Catch::Contains("(1, 0.5, 0.5)") && Catch::Contains("vertex 2"));
    try {
        checkClosed(open, "shape.obj");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::Usage);
    }
}

TEST_CASE("an edge with three triangles is refused", "[body]")
{
    TriangleMesh mesh = obj(cubeVertices + cubeSides + cubeRight);
    mesh.vertices.emplace_back(2.0f, 2.0f, 0.5f);
    const int fin = static_cast<int>(mesh.vertices.size()) - 1;
    mesh.triangles.emplace_back(1, 2, fin);
    mesh.triangles.emplace_back(2, 1, fin);
    CHECK(findDefects(mesh).non_manifold_edges == 1);
    CHECK_THROWS_WITH(checkClosed(mesh, "fin.obj"), Catch::Contains("more than two triangles"));
}

TEST_CASE("parts wound in different directions all come out facing outwards", "[body]")
{
    TriangleMesh mesh = obj(cubeVertices + "f 1 4 3 2\nf 8 7 6 5\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\n" + cubeRight);
    const TriangleMesh ball = makeSphere(0.25)->mesh();  // beside the cube, inside out
    const auto first = static_cast<int>(mesh.vertices.size());
    for (const Vec3f& v : ball.vertices) mesh.vertices.push_back(v + Vec3f(3, 0, 0));
    for (const Vec3i& t : ball.triangles) mesh.triangles.emplace_back(first + t[0], first + t[2], first + t[1]);
    orientOutward(mesh);
    CHECK(signedVolume(mesh) == Approx(1 + signedVolume(ball)).epsilon(1e-5));
}

TEST_CASE("places in the picture turn with their triangles, and stay with those that are left", "[body]")
{
    TriangleMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    mesh.triangles = {{0, 4, 1}, {0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 2, 3}};  // the first has no area
    mesh.materials.list.emplace_back();
    mesh.materials.of.assign(5, 0);
    const auto placesOf = [&](const Vec3i& t) {
        CornerPlaces places;
        for (int c = 0; c < 3; ++c) places.col(c) = mesh.vertices[t[c]].head<2>();
        return places;
    };
    for (const Vec3i& t : mesh.triangles) mesh.materials.places.push_back(placesOf(t));
    weldVertices(mesh);
    orientOutward(mesh);
    REQUIRE(mesh.triangles.size() == 4);
    REQUIRE(mesh.materials.places.size() == 4);
    CHECK(signedVolume(mesh) > 0);
    for (std::size_t t = 0; t < 4; ++t) CHECK(mesh.materials.places[t] == placesOf(mesh.triangles[t]));
    const MeshMaterials some = mesh.materials.some({2, 0});
    CHECK(some.places[0] == mesh.materials.places[2]);
    CHECK(some.places[1] == mesh.materials.places[0]);
}

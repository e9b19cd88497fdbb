#include "common/body/mesh_parts.h"

#include <catch2/catch.hpp>

#include "common/body/file_mesh_parts.h"

using namespace firn;

namespace {

/// Tetrahedra that share no vertices, one after the other.
std::vector<Vec3i> tetrahedra(int count)
{
    std::vector<Vec3i> triangles;
    for (const Vec3i& face : {Vec3i(0, 2, 1), Vec3i(0, 1, 3), Vec3i(1, 2, 3), Vec3i(2, 0, 3)})
        for (int k = 0; k < count; ++k) triangles.push_back(face + Vec3i::Constant(4 * k));
    return triangles;
}

}  // namespace

TEST_CASE("a mesh is divided where its triangles share no vertices", "[body]")
{
    const std::vector<MeshPart> parts = connectedParts(tetrahedra(3), 14);
    REQUIRE(parts.size() == 3);
    for (int k = 0; k < 3; ++k) {
        CHECK(parts[k].vertices == std::vector<int>{4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3});
        CHECK(parts[k].triangles == tetrahedra(1));
    }
    std::vector<Vec3i> bridged = tetrahedra(3);
    bridged.emplace_back(0, 5, 11);
    CHECK(connectedParts(bridged, 12).size() == 1);
}

TEST_CASE("a mesh of very many parts stays one", "[body]")
{
    CHECK(connectedParts(tetrahedra(32), 128).size() == 32);
    const std::vector<MeshPart> parts = connectedParts(tetrahedra(33), 132);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].triangles == tetrahedra(33));
}

TEST_CASE("a part of a skin that follows one bone becomes rigid in the bone's node", "[body]")
{
    FileMesh mesh;
    mesh.node = 0;
    mesh.mesh.triangles = tetrahedra(2);
    mesh.bones.resize(2);
    mesh.bones[0].node = 5;
    mesh.bones[1].node = 7;
    mesh.bones[1].offset.translation() = Vec3d(0, -2, 0);
    for (int v = 0; v < 8; ++v) {
        mesh.mesh.vertices.emplace_back(static_cast<float>(v), 1.0f, 0.0f);
        mesh.first.push_back(static_cast<int>(mesh.influences.size()));
        if (v == 2) mesh.influences.push_back({0, 0.5f});
        mesh.influences.push_back({1, v == 2 ? 0.5f : 1.0f});
    }
    mesh.first.push_back(static_cast<int>(mesh.influences.size()));
    const std::vector<FileMesh> parts = partsOfMesh(mesh);
    REQUIRE(parts.size() == 2);

    CHECK(parts[0].node == 0);
    CHECK(parts[0].bones.size() == 2);
    CHECK(parts[0].influences.size() == 5);
    CHECK(parts[0].first == std::vector<int>{0, 1, 2, 4, 5});
    CHECK(parts[0].mesh.vertices[3] == Vec3f(3, 1, 0));

    CHECK(parts[1].node == 7);
    CHECK(parts[1].bones.empty());
    CHECK(parts[1].influences.empty());
    CHECK(parts[1].mesh.vertices[0] == Vec3f(4, -1, 0));
}

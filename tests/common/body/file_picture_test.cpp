// Colours and pictures of the materials of animated files.

#include <catch2/catch.hpp>

#include "common/body/body.h"
#include "common/image/encoded_picture.h"
#include "common/scene/hash.h"
#include "tests/common/body/gltf_arm.h"

using namespace firn;

namespace {

const Vec3f ofBody(0.7f, 0.1f, 0.1f);

/// The colours of the first piece's triangles.
std::vector<Vec3f> colorsOf(const Scene& scene)
{
    const auto mesh = std::get<PosedMesh>(makeBodies(scene)[0].pieces[0]->surface(0.5)).mesh;
    std::vector<Vec3f> colors;
    for (std::size_t t = 0; t < mesh->triangles.size(); ++t) colors.push_back(mesh->materials.colorOf(t, ofBody));
    return colors;
}

Material firstMaterial(const Scene& scene)
{
    return std::get<PosedMesh>(makeBodies(scene)[0].pieces[0]->surface(0)).mesh->materials.ofTriangle(0);
}

}  // namespace

TEST_CASE("triangles have the base colours of their materials, also those that close a hole", "[body]")
{
    const bool hasSkin = GENERATE(true, false), hasTop = GENERATE(true, false);
    const ScratchFolder folder("colors");
    Scene scene = armScene(folder, {.has_skin = hasSkin, .has_top = hasTop, .has_color = true});
    const std::vector<Vec3f> colors = colorsOf(scene);
    CHECK(colors.size() == 36);  // 4 sides of 4 parts, two ends, two triangles each
    for (const Vec3f& color : colors) CHECK((color - Vec3f(0.2f, 0.4f, 0.6f)).norm() < 1e-6f);
    scene.bodies[0].file_colors = false;
    for (const Vec3f& color : colorsOf(scene)) CHECK(color == ofBody);
}

TEST_CASE("without a base colour, or without its picture, the body's colour stands", "[body]")
{
    const bool hasPicture = GENERATE(true, false);
    CAPTURE(hasPicture);
    const ScratchFolder folder("no_colors");
    const Scene scene = armScene(folder, {.has_picture = hasPicture});
    for (const Vec3f& color : colorsOf(scene)) CHECK(color == ofBody);
    const std::vector<std::string> remarks = makeBodies(scene)[0].remarks;
    CHECK(remarks.empty() != hasPicture);
    if (hasPicture) CHECK_THAT(remarks.front(), Catch::StartsWith("arm.gltf: picture 'skin.png' is not in the file"));
}

TEST_CASE("corners keep their places in the picture of the material", "[body]")
{
    const bool hasSkin = GENERATE(true, false), hasTop = GENERATE(true, false), isBinary = GENERATE(true, false);
    const ScratchFolder folder("places");
    folder.write("skin.png", "a picture");
    Scene scene = armScene(
        folder,
        {.has_skin = hasSkin, .has_top = hasTop, .is_binary = isBinary, .has_picture = true, .has_places = true});
    const auto mesh = std::get<PosedMesh>(makeBodies(scene)[0].pieces[0]->surface(0)).mesh;
    const MeshMaterials& materials = mesh->materials;
    REQUIRE(materials.places.size() == mesh->triangles.size());
    std::size_t placed = 0;
    for (std::size_t t = 0; t < mesh->triangles.size(); ++t) {
        CHECK(materials.ofTriangle(t).picture->bytes == "a picture");
        bool isPlaced = true;
        for (int c = 0; c < 3; ++c)
            isPlaced = isPlaced &&
                       (materials.places[t].col(c) - mesh->vertices[mesh->triangles[t][c]].head<2>()).norm() < 1e-5f;
        placed += isPlaced ? 1 : 0;
    }
    CHECK(placed == mesh->triangles.size() - (hasTop ? 0 : 2));  // what closes a hole has the colour of one place
    CHECK(firstMaterial(scene).roughness == -1);
    CHECK(firstMaterial(scene).gloss == nullptr);
    scene.bodies[0].file_colors = false;
    scene.bodies[0].file_gloss = true;
    CHECK(firstMaterial(scene).picture == nullptr);
    CHECK(firstMaterial(scene).roughness == 0.25f);
    CHECK(firstMaterial(scene).metalness == 1);  // the default of glTF
    CHECK(firstMaterial(scene).gloss->bytes == "a picture");
}

TEST_CASE("pictures beside a glTF file decide about pictures, and not about the simulation", "[body]")
{
    const ScratchFolder folder("picture-hash");
    folder.write("skin.png", "one");
    const Scene scene = armScene(folder, {.has_picture = true});
    const std::string before = sceneHash(scene);
    const auto files = pictureFiles(scene);
    REQUIRE(files.contains("body.0.file pictures"));
    folder.write("skin.png", "two");
    CHECK(sceneHash(scene) == before);
    CHECK(pictureFiles(scene) != files);
}

TEST_CASE("a picture of the gloss stands alone, and is told of where it has other places than the colour", "[body]")
{
    const bool hasColor = GENERATE(true, false);
    CAPTURE(hasColor);
    const ScratchFolder folder("gloss-places");
    folder.write("skin.png", "a picture");
    Scene scene =
        armScene(folder, {.has_picture = true, .has_color_picture = hasColor, .has_places = true, .gloss_set = 1});
    scene.bodies[0].file_gloss = true;
    const Body body = makeBodies(scene)[0];
    const auto mesh = std::get<PosedMesh>(body.pieces[0]->surface(0)).mesh;
    const MeshMaterials& materials = mesh->materials;
    REQUIRE(materials.places.size() == mesh->triangles.size());
    CHECK((materials.ofTriangle(0).gloss == nullptr) == hasColor);
    const Vec2f xy = mesh->vertices[mesh->triangles[0][0]].head<2>();
    const Vec2f expected = hasColor ? xy : Vec2f(0.5f * xy);  // the second set of places is half of the first
    CHECK((materials.places[0].col(0) - expected).norm() < 1e-5f);
    REQUIRE(body.remarks.size() == (hasColor ? 1 : 0));
    if (hasColor)
        CHECK_THAT(body.remarks[0], Catch::Contains("the material 'cloth' is rendered without its picture of "
                                                    "roughness and metalness"));
    scene.bodies[0].file_gloss = false;
    CHECK(makeBodies(scene)[0].remarks.empty());
}

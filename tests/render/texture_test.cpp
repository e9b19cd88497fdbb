#include "render/texture.h"

#include <catch2/catch.hpp>
#include <memory>

#include "common/body/body_piece.h"
#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"
#include "common/error.h"
#include "render/embree_surfaces.h"

using namespace firn;

namespace {

/// Black, white; red, blue (from the top left).
Rgb8Image fourPixels() { return {2, 2, {0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255}}; }

std::string bytesOf(const Rgb8Image& image)
{
    const std::vector<std::byte> png = encodePng(image);
    return {reinterpret_cast<const char*>(png.data()), png.size()};
}

/// A square of 1 m in the plane z = 0, seen from +z, with the picture over all of it.
class Square final : public BodyPiece {
public:
    explicit Square(std::string picture)
    {
        auto mesh = std::make_shared<TriangleMesh>();
        mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
        mesh->materials.list.push_back(
            {"paint", Vec3f(1, 0.5f, 1),
             std::make_shared<const EncodedPicture>(EncodedPicture{"paint", std::move(picture)})});
        mesh->materials.of = {0, 0};
        for (const Vec3i& t : mesh->triangles) {
            CornerPlaces places;
            for (int c = 0; c < 3; ++c) places.col(c) = mesh->vertices[t[c]].head<2>();
            mesh->materials.places.push_back(places);
        }
        m_mesh = std::move(mesh);
    }
    bool isStatic() const override { return true; }
    std::unique_ptr<const PlacedPiece> place(double, double) const override { return nullptr; }
    double maxSpeed(double) const override { return 0; }
    Box3d bounds(double, double) const override { return {Vec3d::Zero(), Vec3d(1, 1, 0)}; }
    PieceSurface surface(double) const override { return PosedMesh{m_mesh, {}, true}; }

    Material& material() { return m_mesh->materials.list.front(); }

private:
    std::shared_ptr<TriangleMesh> m_mesh;
};

/// Stands at a place.
struct Still : Motion {
    Vec3d place;
    explicit Still(const Vec3d& at) : place(at) {}
    Pose pose(double) const override { return {Quatd::Identity(), place}; }
    bool isStatic() const override { return true; }
};

std::vector<Body> bodyOf(const std::string& picture)
{
    Body body;
    body.pieces = {std::make_shared<Square>(picture)};
    return {body};
}

}  // namespace

TEST_CASE("A texture has its pixels' colours at their middles, the mean between them, and repeats")
{
    const Texture texture(fourPixels());
    CHECK(texture.at({0.25f, 0.75f}) == Vec3f::Zero());
    CHECK((texture.at({0.75f, 0.75f}) - Vec3f::Ones()).norm() < 1e-6f);
    CHECK((texture.at({0.25f, 0.25f}) - Vec3f::UnitX()).norm() < 1e-6f);
    CHECK((texture.at({-1.25f, 3.25f}) - Vec3f::UnitZ()).norm() < 1e-6f);
    CHECK((texture.at({0.5f, 0.25f}) - Vec3f(0.5f, 0, 0.5f)).norm() < 1e-6f);
    CHECK((texture.at({0, 0.25f}) - Vec3f(0.5f, 0, 0.5f)).norm() < 1e-6f);  // across the border
    CHECK((texture.at({0.25f, 0.5f}) - Vec3f(0.5f, 0, 0)).norm() < 1e-6f);
    // Half of the sRGB scale is 21.4 % of the light.
    CHECK(Texture({1, 1, {128, 128, 128}}).at({0.3f, 0.9f}).x() == Approx(0.2159f).epsilon(1e-3));
}

TEST_CASE("A ray meets the colour of the picture at the place of the hit, times that of the material")
{
    const EmbreeSurfaces surfaces(bodyOf(bytesOf(fourPixels())));
    const EmbreeSurfaces later = surfaces.at({});
    for (const EmbreeSurfaces* seen : {&surfaces, &later}) {
        const auto colorAt = [&](float x, float y) {
            SurfaceHit hit;
            REQUIRE(seen->intersect({Vec3f(x, y, 1), -Vec3f::UnitZ()}, infinity, hit));
            return hit.material.color;
        };
        CHECK((colorAt(0.25f, 0.25f) - Vec3f(1, 0, 0)).norm() < 1e-4f);
        CHECK((colorAt(0.75f, 0.25f) - Vec3f(0, 0, 1)).norm() < 1e-4f);
        CHECK((colorAt(0.75f, 0.75f) - Vec3f(1, 0.5f, 1)).norm() < 1e-4f);
        CHECK((colorAt(0.25f, 0.75f) - Vec3f(0, 0, 0)).norm() < 1e-4f);
    }
}

TEST_CASE("A picture of roughness and metalness has factors of both, which are not encoded")
{
    const std::string gloss = bytesOf({1, 1, {0, 128, 51}});
    auto square = std::make_shared<Square>(bytesOf(fourPixels()));
    Material& material = square->material();
    material.roughness = 0.5f;
    material.gloss = std::make_shared<const EncodedPicture>(EncodedPicture{"gloss", gloss});
    Body body;
    body.metalness = 0.5;
    body.pieces = {square};
    SurfaceHit hit;
    REQUIRE(EmbreeSurfaces({body}).intersect({Vec3f(0.5f, 0.5f, 1), -Vec3f::UnitZ()}, infinity, hit));
    CHECK(hit.material.roughness == Approx(0.5f * 128 / 255));
    CHECK(hit.material.metalness == Approx(0.5f * 51 / 255));
    material.roughness = 0;
    REQUIRE(EmbreeSurfaces({body}).intersect({Vec3f(0.5f, 0.5f, 1), -Vec3f::UnitZ()}, infinity, hit));
    CHECK(hit.material.roughness == SurfaceMaterial::leastRoughness);
}

TEST_CASE("A picture that is laid on a body is seen from above, and from the side where the body is steep")
{
    const auto texture = std::make_shared<const Texture>(fourPixels());
    const LaidTexture laid{texture, 4};
    const Vec3f up = Vec3f::UnitY();
    CHECK(laid.at({1, 7, -1}, up) == Vec3f(1, 0, 0));  // the left half of the lower row: its top is towards -z
    CHECK(laid.at({1, 7, -3}, up) == Vec3f(0, 0, 0));
    CHECK(laid.at({3, 7, -3}, up) == Vec3f(1, 1, 1));
    CHECK(laid.at({3, 7, 3}, up) == Vec3f(0, 0, 1));
    CHECK(laid.at({3, 1, 9}, Vec3f::UnitZ()) == Vec3f(0, 0, 1));
    CHECK(laid.at({9, 3, 1}, -Vec3f::UnitX()) == Vec3f(0, 0, 0));
    // Its right side is to the right of one who looks at the face.
    CHECK(laid.at({3, 1, 9}, -Vec3f::UnitZ()) == Vec3f(1, 0, 0));
    CHECK(laid.at({9, 3, 1}, Vec3f::UnitX()) == Vec3f(1, 1, 1));
    // On a plane and on a body that has moved away, which takes the picture along.
    Body ground, box;
    for (Body* body : {&ground, &box}) {
        body->picture = std::make_shared<const EncodedPicture>(EncodedPicture{"paint", bytesOf(fourPixels())});
        body->picture_width_m = 4;
    }
    ground.pieces = {makeRigidPiece({"ground", makePlane(Vec3d::UnitY()), std::make_shared<Still>(Vec3d::Zero())}, {})};
    box.pieces = {
        makeRigidPiece({"box", makeBox(Vec3d(8, 1, 8), 0), std::make_shared<Still>(Vec3d(20.5, 0.5, 0.25))}, {})};
    const EmbreeSurfaces surfaces({ground, box});
    const auto colorAt = [&](float x, float z) {
        SurfaceHit hit;
        REQUIRE(surfaces.intersect({Vec3f(x, 5, z), -up}, infinity, hit));
        return hit.material.color;
    };
    CHECK((colorAt(1, -1) - Vec3f(1, 0, 0)).norm() < 1e-4f);
    CHECK((colorAt(21.5f, -0.75f) - Vec3f(1, 0, 0)).norm() < 1e-4f);
    CHECK((colorAt(23.5f, 3.25f) - Vec3f(0, 0, 1)).norm() < 1e-4f);
}

TEST_CASE("A damaged picture of a body is refused by name")
{
    const std::string whole = bytesOf(fourPixels());
    CHECK_THROWS_WITH(EmbreeSurfaces(bodyOf(whole.substr(0, whole.size() / 2))),
                      Catch::StartsWith("paint: not a readable PNG: "));
}

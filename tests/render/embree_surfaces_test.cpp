#include <catch2/catch.hpp>

#include <cmath>

#include "common/body/level_set.h"
#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"
#include "render/embree_surfaces.h"
#include "tests/common/body/pulsing_sphere.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Moves along x at 2 m/s and turns about y at a quarter turn per second.
struct Glide : Motion {
    Vec3d start;
    explicit Glide(const Vec3d& at) : start(at) {}
    Pose pose(double time_s) const override
    {
        return {Quatd(Eigen::AngleAxisd(0.5 * pi * time_s, Vec3d::UnitY())), start + Vec3d(2 * time_s, 0, 0)};
    }
    bool isStatic() const override { return false; }
};

Body body(std::shared_ptr<const Shape> shape, const Vec3d& at, const Vec3d& color)
{
    Body result;
    result.color = color;
    result.pieces = {makeRigidPiece({"piece", std::move(shape), std::make_shared<Glide>(at)}, {})};
    return result;
}

Ray ray(const Vec3f& from, const Vec3f& towards) { return {from, (towards - from).normalized()}; }

}  // namespace

TEST_CASE("A ray meets the nearest body, with its colour and a normal towards the ray")
{
    const Vec3d red(0.8, 0.1, 0.1), grey(0.3, 0.3, 0.3);
    Body ground = body(makePlane(Vec3d::UnitY()), Vec3d::Zero(), grey);
    ground.roughness = 0.25;
    ground.metalness = 0.5;
    const EmbreeSurfaces surfaces({body(makeBox(Vec3d(1, 1, 1), 0), Vec3d(0, 0.5, 0), red), ground});
    SurfaceHit hit;
    REQUIRE(surfaces.intersect({Vec3f(0.2f, 3, 0.1f), -Vec3f::UnitY()}, infinity, hit));
    CHECK(hit.t == Approx(2));
    CHECK((hit.normal - Vec3f::UnitY()).norm() < 1e-5f);
    CHECK(hit.material.color == red.cast<float>());
    CHECK(hit.material.isMatte());
    REQUIRE(surfaces.intersect({Vec3f(2, 3, 0), -Vec3f::UnitY()}, infinity, hit));
    CHECK(hit.t == Approx(3));
    CHECK(hit.material.color == grey.cast<float>());
    CHECK(hit.material.roughness == 0.25f);
    CHECK(hit.material.metalness == 0.5f);
    // From below and from inside, normals face the ray too.
    REQUIRE(surfaces.intersect({Vec3f(2, -1, 0), Vec3f::UnitY()}, infinity, hit));
    CHECK(hit.normal.y() == -1);
    REQUIRE(surfaces.intersect({Vec3f(0, 0.5f, 0), Vec3f::UnitX()}, infinity, hit));
    CHECK((hit.normal + Vec3f::UnitX()).norm() < 1e-5f);
}

TEST_CASE("A body that gives off light lights the ground")
{
    // A square of 2 x 2 m, 1 m above the ground. The part of the light from a hemisphere that reaches the point below
    // its middle is 4 / pi * atan(1 / sqrt 2) / sqrt 2 * 2 (configuration factor of a quarter, four times).
    const Vec3d warm(4, 2, 1);
    Body panel = body(makeBox(Vec3d(2, 0.1, 2), 0), Vec3d(0, 1.05, 0), Vec3d::Zero());
    panel.emission = warm;
    const Body ground = body(makePlane(Vec3d::UnitY()), Vec3d::Zero(), Vec3d(0.5, 0.5, 0.5));
    const EmbreeSurfaces surfaces({panel, ground});
    CHECK(surfaces.emits());
    CHECK_FALSE(EmbreeSurfaces({ground}).emits());
    RenderScene scene;
    scene.surfaces = &surfaces;
    const double share = 4 * (2 / (2 * pi) * std::atan(1 / std::sqrt(2.0)) / std::sqrt(2.0));
    const auto path = [&](std::uint32_t number) {
        return PathStart{ray(Vec3f(3, 0.5f, 0), Vec3f(0, 0, 0)), Sampler(1, number, 0)};
    };
    const Estimate found = averageRadiance(scene, 200000, path);
    CAPTURE(found.mean, found.error, share);
    CHECK(found.sigmas(0.5 * share * warm.x()) < oneIn370);
    Sampler sampler(1, 0, 0);
    CHECK(radiance(scene, ray(Vec3f(3, 0, 0), Vec3f(0, 1, 0)), sampler).radiance == warm.cast<float>());
    // Where a light has a group, the emission is in that of the rest.
    LightSpec sun;
    sun.group = "key";
    scene.lights = Lights({sun});
    const PathResult lit = radiance(scene, ray(Vec3f(3, 0, 0), Vec3f(0, 1, 0)), sampler);
    REQUIRE(lit.of_groups.cols() == 2);
    CHECK(lit.of_groups.col(0) == warm.cast<float>());
    CHECK((lit.of_groups.rowwise().sum() - lit.radiance).norm() < 1e-5f);
}

TEST_CASE("A shadow catcher gets the sky that a body leaves, and light that the body throws back")
{
    // A square of 2 x 2 m, 1 m above the ground: see the part of the hemisphere above.
    const double hidden = 4 * (2 / (2 * pi) * std::atan(1 / std::sqrt(2.0)) / std::sqrt(2.0));
    Body panel = body(makeBox(Vec3d(2, 0.1, 2), 0), Vec3d(0, 1.05, 0), Vec3d::Zero());
    Body ground = body(makePlane(Vec3d::UnitY()), Vec3d::Zero(), Vec3d(0.5, 0.2, 0.5));
    ground.shadow_catcher = true;
    LightSpec sky;
    sky.kind = LightKind::Constant;
    RenderScene scene;
    scene.lights = Lights(std::vector<LightSpec>{sky});
    const auto shadow = [&](std::vector<Body> bodies) {
        const EmbreeSurfaces surfaces(bodies);
        scene.surfaces = &surfaces;
        scene.catches_shadows = surfaces.catchShadows();
        const auto path = [&](std::uint32_t number) {
            return PathStart{ray(Vec3f(3, 0.5f, 0), Vec3f(0, 0, 0)), Sampler(1, number, 0)};
        };
        const auto mean = [&](Vec3f PathResult::*of) {
            return averagePaths(scene, 100000, path, [&](const PathResult& result) { return (result.*of).y(); });
        };
        const Estimate caught = mean(&PathResult::caught), without = mean(&PathResult::unshadowed);
        if (!bodies.front().shadow_catcher) CHECK(without.mean == Approx(0.5));  // of grey, whatever the colour
        return Estimate{caught.mean / without.mean, caught.error / without.mean};
    };
    CHECK(shadow({panel, ground}).sigmas(1 - hidden) < oneIn370);
    Body black = ground;
    black.color = Vec3d::Zero();
    CHECK(shadow({panel, black}).sigmas(1 - hidden) < oneIn370);
    panel.shadow_catcher = true;  // then its shadow is in the other picture, too
    CHECK(shadow({panel, ground}).mean == Approx(1).epsilon(0.01));
    panel.shadow_catcher = false;
    panel.color = Vec3d(0, 0.9, 0);
    CHECK(shadow({panel, ground}).mean > 1 - hidden + 0.02);
}

TEST_CASE("A triangle with a colour has it in the place of its body's")
{
    TriangleMesh box = makeBox(Vec3d(1, 1, 1), 0)->mesh();
    weldVertices(box);
    const Vec3f top(0.1f, 0.2f, 0.3f), sides(0.5f, 0.6f, 0.7f);
    box.materials.list = {{"top", top}, {"sides", sides}};
    for (const Vec3i& t : box.triangles) {
        const float lowest = std::min({box.vertices[t[0]].y(), box.vertices[t[1]].y(), box.vertices[t[2]].y()});
        box.materials.of.push_back(lowest > 0 ? 0 : 1);
    }
    const EmbreeSurfaces surfaces(
        {body(makeLevelSet(std::move(box), {0.05, 0.2, "box"}), Vec3d::Zero(), Vec3d::Ones())});
    SurfaceHit hit;
    REQUIRE(surfaces.intersect({Vec3f(0.2f, 3, 0.1f), -Vec3f::UnitY()}, infinity, hit));
    CHECK(hit.material.color == top);
    REQUIRE(surfaces.intersect({Vec3f(3, 0.2f, 0.1f), -Vec3f::UnitX()}, infinity, hit));
    CHECK(hit.material.color == sides);
}

TEST_CASE("Hits end at tMax and leave the record alone")
{
    const EmbreeSurfaces surfaces({body(makeSphere(1), Vec3d::Zero(), Vec3d::Ones())});
    const Ray towards = ray(Vec3f(0, 0, 4), Vec3f::Zero());
    SurfaceHit hit;
    hit.t = -7;
    CHECK_FALSE(surfaces.intersect(towards, 2.9f, hit));
    CHECK(hit.t == -7);
    CHECK_FALSE(surfaces.occluded(towards, 2.9f));
    CHECK(surfaces.occluded(towards, 3.1f));
    CHECK_FALSE(surfaces.occluded(ray(Vec3f(0, 0, 4), Vec3f(0, 0, 9)), infinity));
}

TEST_CASE("Bodies stand where their motion has them at the time")
{
    // After 1 s: 2 m along x, turned by 90 degrees, so that the long edge lies along x: it reaches from 0.5 to 3.5.
    const EmbreeSurfaces start({body(makeBox(Vec3d(1, 1, 3), 0), Vec3d::Zero(), Vec3d::Ones())});
    const EmbreeSurfaces later = start.at(Shutter::instant(1));
    SurfaceHit hit;
    REQUIRE(later.intersect({Vec3f(-5, 0, 0), Vec3f::UnitX()}, infinity, hit));
    CHECK(hit.t == Approx(5.5));
    CHECK((hit.normal + Vec3f::UnitX()).norm() < 1e-5f);
    REQUIRE(start.intersect({Vec3f(-5, 0, 0), Vec3f::UnitX()}, infinity, hit));
    CHECK(hit.t == Approx(4.5));
}

TEST_CASE("While the shutter is open, a ray meets a body where it is at the ray's time")
{
    // The box of the test above. At time 0.5 its centre is at x = 1 and it is turned by 45 degrees: the ray through its
    // centre enters it 0.5 / cos(45 deg) before.
    const EmbreeSurfaces surfaces({body(makeBox(Vec3d(1, 1, 3), 0), Vec3d::Zero(), Vec3d::Ones())}, {0, 1});
    const double expected[3] = {4.5, 6 - 0.5 * std::sqrt(2), 5.5};
    const double towards[3] = {-1, -std::sqrt(0.5), -1};
    for (int i = 0; i < 3; ++i) {
        const Ray along{Vec3f(-5, 0, 0), Vec3f::UnitX(), 0.5f * static_cast<float>(i)};
        SurfaceHit hit;
        REQUIRE(surfaces.intersect(along, infinity, hit));
        CHECK(hit.t == Approx(expected[i]));
        CHECK(hit.normal.x() == Approx(towards[i]));
        CHECK(surfaces.occluded(along, static_cast<float>(expected[i]) + 0.01f));
        CHECK_FALSE(surfaces.occluded(along, static_cast<float>(expected[i]) - 0.01f));
        CHECK(surfaces.clearance(along.origin) <= hit.t);
    }
}

TEST_CASE("While the shutter is open, ground that rises is where it is at the ray's time")
{
    struct Rise : Motion {
        Pose pose(double time_s) const override { return {Quatd::Identity(), Vec3d(0, time_s, 0)}; }
        bool isStatic() const override { return false; }
    };
    Body ground;
    ground.pieces = {makeRigidPiece({"ground", makePlane(Vec3d::UnitY()), std::make_shared<Rise>()}, {})};
    const EmbreeSurfaces surfaces({ground}, {2, 4});
    for (const float time : {0.0f, 0.25f, 1.0f}) {
        SurfaceHit hit;
        REQUIRE(surfaces.intersect({Vec3f(0, 10, 0), -Vec3f::UnitY(), time}, infinity, hit));
        CHECK(hit.t == Approx(10 - (2 + 2 * time)));
    }
    CHECK(surfaces.clearance(Vec3f(0, 3, 0)) == 0);
}

TEST_CASE("A shutter that opens and closes at once sees what an instant sees, to the bit")
{
    const Body box = body(makeBox(Vec3d(1, 1, 3), 0), Vec3d(0.1, 0, 0), Vec3d::Ones());
    const EmbreeSurfaces instant({box}, Shutter::instant(0.3));
    const EmbreeSurfaces empty = EmbreeSurfaces({box}).at({0.3, 0.3});
    for (int i = 0; i < 50; ++i) {
        const Ray across = ray(Vec3f(-5, 0.01f * static_cast<float>(i), 0.3f), Vec3f(0.5f, 0, 0.1f));
        SurfaceHit a, b;
        REQUIRE(instant.intersect(across, infinity, a));
        REQUIRE(empty.intersect(across, infinity, b));
        REQUIRE(a.t == b.t);
        REQUIRE(a.normal == b.normal);
    }
}

TEST_CASE("A body that deforms is seen with the surface that it has at the time")
{
    const auto ball = std::make_shared<PulsingSphere>(Vec3d(0, 1, 0), 0.5, 0.2);
    Body body;
    body.pieces = {ball};
    const EmbreeSurfaces start({body});
    for (const double time_s : {0.0, 0.1, 0.7, 0.3}) {
        const EmbreeSurfaces surfaces = start.at(Shutter::instant(time_s));
        SurfaceHit hit;
        REQUIRE(surfaces.intersect({Vec3f(-5, 1.1f, 0.05f), Vec3f::UnitX()}, infinity, hit));
        const double r = ball->radius(time_s), x = -std::sqrt(r * r - 0.1 * 0.1 - 0.05 * 0.05);
        CHECK(hit.t == Approx(5 + x).margin(2e-3));  // facets of 4.5 degrees: r (1 - cos 2.25 deg) = 0.5 mm
        CHECK((hit.normal - Vec3d(x, 0.1, 0.05).cast<float>().normalized()).norm() < 5e-3f);
        CHECK(surfaces.clearance(Vec3f(0, 3, 0)) == Approx(2 - r).epsilon(1e-3));
    }
}

TEST_CASE("Curved bodies have the normals of their surface, not of their triangles")
{
    const EmbreeSurfaces surfaces({body(makeSphere(1), Vec3d::Zero(), Vec3d::Ones())});
    for (int i = 0; i < 50; ++i) {
        const Vec3f from =
            3 *
            Vec3f(std::cos(0.7f * static_cast<float>(i)), std::sin(1.3f * static_cast<float>(i)), 0.4f).normalized();
        SurfaceHit hit;
        REQUIRE(surfaces.intersect(ray(from, Vec3f(0.1f, 0.2f, 0)), infinity, hit));
        const Vec3f point = ray(from, Vec3f(0.1f, 0.2f, 0)).at(hit.t);
        CHECK((hit.normal - point.normalized()).norm() < 1e-4f);
    }
}

TEST_CASE("Meshes are shaded smooth, and their sharp edges stay sharp")
{
    // A cylinder about y of 24 flat sides, which meet at 15 degrees; its ends meet the sides at 90 degrees.
    constexpr int sides = 24;
    constexpr float radius = 0.5f, half = 0.4f, side = 2 * static_cast<float>(pi) / sides;
    TriangleMesh mesh;
    for (const float y : {-half, half})
        for (int k = 0; k < sides; ++k) {
            const float angle = side * static_cast<float>(k);
            mesh.vertices.emplace_back(radius * std::cos(angle), y, radius * std::sin(angle));
        }
    for (int k = 0; k < sides; ++k) {
        const int next = (k + 1) % sides;
        mesh.triangles.emplace_back(k, sides + k, next);
        mesh.triangles.emplace_back(next, sides + k, sides + next);
        if (k > 0 && next > 0) mesh.triangles.emplace_back(0, k, next);
        if (k > 0 && next > 0) mesh.triangles.emplace_back(sides, sides + next, sides + k);
    }
    const EmbreeSurfaces surfaces({body(makeLevelSet(mesh, {0.05, 0.1}), Vec3d::Zero(), Vec3d::Ones())});
    for (int i = 0; i < 60; ++i) {
        const float angle = 0.1f * static_cast<float>(i), y = 0.01f * static_cast<float>(i - 30);
        const Vec3f outward(std::cos(angle), 0, std::sin(angle));
        SurfaceHit hit;
        REQUIRE(surfaces.intersect({2 * outward + Vec3f(0, y, 0), -outward}, infinity, hit));
        CHECK((hit.normal - outward).norm() < 2e-3f);  // 0.13 where the normal is that of the side
        REQUIRE(surfaces.intersect({0.3f * outward + Vec3f(0, 2, 0), -Vec3f::UnitY()}, infinity, hit));
        CHECK((hit.normal - Vec3f::UnitY()).norm() < 1e-5f);
    }
}

TEST_CASE("A shading normal never points away from the ray")
{
    const EmbreeSurfaces surfaces(
        {body(makeLevelSet(makeSphere(0.5)->mesh(), {0.05, 0.1}), Vec3d::Zero(), Vec3d::Ones())});
    int grazing = 0;
    for (int i = 0; i < 400; ++i) {
        const float offset = 0.49f + 0.000025f * static_cast<float>(i);
        SurfaceHit hit;
        if (!surfaces.intersect({Vec3f(-2, offset, 0.001f), Vec3f::UnitX()}, infinity, hit)) continue;
        CHECK(hit.normal.x() <= 1e-6f);
        grazing += std::abs(hit.normal.x()) < 0.1f;
    }
    CHECK(grazing > 0);
}

TEST_CASE("A ray that leaves a surface does not meet it again, 100 m from the origin too")
{
    const EmbreeSurfaces surfaces({body(makeBox(Vec3d(1, 1, 1), 0), Vec3d(100, 0.5, 3), Vec3d::Ones()),
                                   body(makePlane(Vec3d::UnitY()), Vec3d::Zero(), Vec3d::Ones())});
    for (int i = 0; i < 100; ++i) {
        const Ray down = ray(Vec3f(95 + 0.1f * static_cast<float>(i), 4, 3.3f), Vec3f(100.05f, 0, 3));
        SurfaceHit hit;
        REQUIRE(surfaces.intersect(down, infinity, hit));
        const Vec3f mirrored = down.direction - 2 * down.direction.dot(hit.normal) * hit.normal;
        CHECK_FALSE(surfaces.occluded({down.at(hit.t), mirrored}, 0.3f));
    }
}

TEST_CASE("Invisible bodies are not there")
{
    Body ghost = body(makeSphere(1), Vec3d::Zero(), Vec3d::Ones());
    ghost.visible = false;
    const EmbreeSurfaces surfaces({ghost});
    CHECK_FALSE(surfaces.occluded(ray(Vec3f(0, 0, 4), Vec3f::Zero()), infinity));
    CHECK(surfaces.clearance(Vec3f::Zero()) == infinity);
}

TEST_CASE("No surface lies within the clearance of a point")
{
    // Distances: 2.5 m above the ground; from (3, 5, 0) to the box's upper edge (0.5, 1, z) more than that.
    const EmbreeSurfaces surfaces({body(makeBox(Vec3d(1, 1, 1), 0), Vec3d(0, 0.5, 0), Vec3d::Ones()),
                                   body(makePlane(Vec3d::UnitY()), Vec3d::Zero(), Vec3d::Ones())});
    CHECK(surfaces.clearance(Vec3f(8, 2.5f, 0)) == Approx(2.5).epsilon(1e-3));
    CHECK(surfaces.clearance(Vec3f(8, 2.5f, 0)) <= 2.5f);
    CHECK(surfaces.clearance(Vec3f(2.5f, 5, 0)) <= std::sqrt(4.0f + 16.0f));
    CHECK(surfaces.clearance(Vec3f(0, 0.5f, 0)) == 0);
}

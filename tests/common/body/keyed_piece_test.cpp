// A deforming piece against surfaces whose distance and motion are known.

#include "common/body/keyed_piece.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "common/body/level_set.h"
#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"

using namespace firn;

namespace {

constexpr double frame_s = 1. / 24;

/// A mesh whose vertices a function moves.
class MovedMesh final : public DeformingSurface {
public:
    using Move = Vec3d (*)(const Vec3d& vertex, double time_s);

    MovedMesh(TriangleMesh mesh, Move move) : m_mesh(std::move(mesh)), m_move(move) {}

    const std::vector<Vec3i>& triangles() const override { return m_mesh.triangles; }
    void positions(double time_s, std::vector<Vec3d>& vertices) const override
    {
        vertices.clear();
        for (const Vec3f& v : m_mesh.vertices) vertices.push_back(m_move(v.cast<double>(), time_s));
    }

private:
    TriangleMesh m_mesh;
    Move m_move;
};

std::shared_ptr<const BodyPiece> keyed(TriangleMesh mesh, MovedMesh::Move move, double voxel_m, double reach_m,
                                       const std::shared_ptr<const Motion>& motion = makeStaticMotion({}))
{
    weldVertices(mesh);
    return makeKeyedPiece(std::make_shared<const MovedMesh>(std::move(mesh), move), motion, Friction{0.4, false},
                          {frame_s, voxel_m, reach_m});
}

constexpr double omega = 5, meanRadius = 0.4, amplitude = 0.1;  // rad/s, m

double pulse(double time_s) { return meanRadius + amplitude * std::sin(omega * time_s); }

/// The distance from the origin at which the piece begins, along a direction.
double surfaceAlong(const PlacedPiece& placed, const Vec3d& direction)
{
    double low = 0.2, high = 0.8;
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (low + high);
        Vec3d normal;
        (placed.distance(middle * direction, normal) < 0 ? low : high) = middle;
    }
    return low;
}

Vec3d turned(const Vec3d& v, double time_s)
{
    return Eigen::AngleAxisd(3 * time_s, Vec3d(0.6, 0.8, 0)) * v + Vec3d(2 * time_s, 0, 0);
}

}  // namespace

TEST_CASE("the surface of a pulsing ball moves at its speed in each substep between key frames", "[body]")
{
    const auto piece = keyed(
        makeSphere(1)->mesh(), [](const Vec3d& v, double t) -> Vec3d { return pulse(t) * v; }, 0.02, 0.12);
    const Vec3d along = Vec3d(0.3, 0.8, -0.5).normalized();
    constexpr int substeps = 10;
    const double dt = frame_s / substeps, fastest = amplitude * omega;
    for (int k = 0; k < 3 * substeps; ++k) {
        const double start = k * dt;
        const auto before = piece->place(start, 0), placed = piece->place(start, dt);
        const double moved = surfaceAlong(*placed, along) - surfaceAlong(*before, along);
        const double expected = pulse(start + dt) - pulse(start);
        CHECK(std::abs(moved - expected) < 0.02 * fastest * dt);
        const Vec3d velocity = placed->velocity(surfaceAlong(*placed, along) * along);
        CHECK((velocity - expected / dt * along).norm() < 0.02 * fastest);
    }
}

TEST_CASE("one motion as a rigid and as a deforming piece", "[body]")
{
    constexpr double voxel_m = 0.02, reach_m = 0.12;
    TriangleMesh box = makeBox(Vec3d(0.6, 0.4, 0.5), 0.1)->mesh();
    weldVertices(box);
    class Turning final : public Motion {
    public:
        Pose pose(double t) const override
        {
            return {Quatd(Eigen::AngleAxisd(3 * t, Vec3d(0.6, 0.8, 0))), Vec3d(2 * t, 0, 0)};
        }
        bool isStatic() const override { return false; }
    };
    const auto rigid =
        makeRigidPiece({"box", makeLevelSet(box, {voxel_m, reach_m}), std::make_shared<const Turning>()}, {});
    const auto deforming = keyed(box, turned, voxel_m, reach_m);
    int points = 0;
    double worst = 0;  // difference of velocities, as a share of the greatest speed
    for (const double start : {0.01, 0.1, 0.131, 0.25}) {
        constexpr double dt = 1e-3;
        const auto a = rigid->place(start, dt), b = deforming->place(start, dt);
        for (int k = 0; k < 4000; ++k) {
            const Vec3d point = Vec3d(2 * start, 0, 0) + 0.5 * Vec3d(std::sin(k), std::sin(1.7 * k), std::cos(2.3 * k));
            Vec3d normalA, normalB;
            const double distanceA = a->distance(point, normalA), distanceB = b->distance(point, normalB);
            if (std::abs(distanceA) > 0.5 * voxel_m) continue;
            ++points;
            CHECK(std::abs(distanceA - distanceB) < 0.1 * voxel_m);
            CHECK(normalA.dot(normalB) > 0.97);
            const Vec3d onSurface = point - distanceA * normalA;
            worst = std::max(worst, (a->velocity(onSurface) - b->velocity(onSurface)).norm() / rigid->maxSpeed(start));
        }
    }
    CHECK(points > 100);
    CHECK(worst < 1e-3);
}

TEST_CASE("a keyed piece bounds itself and its speed", "[body]")
{
    const auto drift = makeKeyframeMotion({{0, Vec3d::Zero(), Vec3d::Zero()}, {1, Vec3d(0, 3, 0), Vec3d(0, 90, 0)}});
    const auto piece = keyed(
        makeSphere(1)->mesh(), [](const Vec3d& v, double t) -> Vec3d { return pulse(t) * v; }, 0.02, 0.06, drift);
    CHECK_FALSE(piece->isStatic());
    int outside = 0, tooFast = 0;
    for (int interval = 0; interval < 14; ++interval) {
        const double start = 0.037 * interval;
        const double length = 0.05;
        const Box3d bounds = piece->bounds(start, length);
        std::vector<Vec3d> before;
        for (int step = 0; step <= 5; ++step) {
            const double time = start + 0.01 * step;
            const auto surface = std::get<PosedMesh>(piece->surface(time));
            const double speed = piece->maxSpeed(time);
            std::vector<Vec3d> now;
            for (const Vec3f& v : surface.mesh->vertices) now.push_back(surface.pose.toWorld(v.cast<double>()));
            for (std::size_t v = 0; v < now.size(); ++v) {
                outside += !bounds.contains(now[v]);
                if (!before.empty()) tooFast += !((now[v] - before[v]).norm() / 0.01 < 1.1 * speed);
            }
            before = now;
        }
    }
    CHECK(outside == 0);
    CHECK(tooFast == 0);
}

TEST_CASE("a fast deforming piece has more key times than frames and does not tunnel", "[body]")
{
    // 12 m/s: half a metre in a frame, four times as far as distances reach.
    const auto piece = keyed(
        makeSphere(0.2)->mesh(), [](const Vec3d& v, double t) -> Vec3d { return v + Vec3d(12 * t, 0, 0); }, 0.02, 0.06);
    Vec3d normal;
    for (int k = 0; k <= 50; ++k) {
        const double time = 0.0021 * k;
        const auto placed = piece->place(time, 1e-4);
        const Vec3d center(12 * (time + 1e-4), 0, 0);
        CHECK(placed->distance(center + Vec3d(0.15, 0, 0), normal) == Approx(-0.05).margin(0.004));
        CHECK(placed->distance(center + Vec3d(-0.1, 0.2, 0), normal) ==
              Approx(std::hypot(0.1, 0.2) - 0.2).margin(0.004));
        CHECK((placed->velocity(center + Vec3d(0, 0.2, 0)) - Vec3d(12, 0, 0)).norm() < 0.01);
    }
}

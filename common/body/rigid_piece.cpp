#include "common/body/rigid_piece.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace firn {
namespace {

/// A ball that holds the shape, in the shape's frame.
struct BoundingBall {
    Vec3d center = Vec3d::Zero();
    double radius = 10;  // m; of a shape without bounds this much counts where a speed is wanted
};

BoundingBall ballAround(const Box3d& box)
{
    if (!box.sizes().allFinite()) return {};
    return {box.center(), box.sizes().norm() / 2};
}

/// The greatest distance (m) between the two places of any point of the ball.
double largestDisplacement(const BoundingBall& ball, const Pose& a, const Pose& b)
{
    const double moved = (b.toWorld(ball.center) - a.toWorld(ball.center)).norm();
    return moved + ball.radius * a.rotation.angularDistance(b.rotation);
}

class PlacedRigid final : public PlacedPiece {
public:
    struct Interval {
        Pose start, end;
        double length_s;
        bool moves;
    };

    PlacedRigid(const Shape& shape, const Box3d& bounds, const Friction& friction, const Interval& interval)
        : m_shape(shape), m_bounds(bounds), m_friction(friction), m_interval(interval)
    {
    }

    double distance(const Vec3d& point, Vec3d& normal) const override
    {
        Vec3d gradient;
        const double phi = m_shape.distance(m_interval.end.toLocal(point), gradient);
        normal = m_interval.end.rotation * gradient;
        return phi;
    }

    bool within(const Vec3d& point, double reach_m, double& signedDistance, Vec3d& normal) const override
    {
        Vec3d gradient;
        signedDistance = m_shape.distance(m_interval.end.toLocal(point), gradient);
        if (signedDistance > reach_m) return false;
        normal = m_interval.end.rotation * gradient;
        return true;
    }

    Vec3d velocity(const Vec3d& point) const override
    {
        if (!m_interval.moves || m_interval.length_s == 0) return Vec3d::Zero();
        return velocityAt(m_interval.start, m_interval.end, m_interval.length_s, point);
    }

    Friction friction(const Vec3d&) const override { return m_friction; }

    bool mayTouch(const Vec3d& center, double radius_m) const override
    {
        const Vec3d local = m_interval.end.toLocal(center);
        Vec3d gradient;
        return m_bounds.exteriorDistance(local) <= radius_m && m_shape.distance(local, gradient) <= radius_m;
    }

private:
    const Shape& m_shape;
    const Box3d m_bounds;  // local
    const Friction m_friction;
    const Interval m_interval;
};

class RigidPiece final : public BodyPiece {
public:
    RigidPiece(RigidPart part, const Friction& friction)
        : m_part(std::move(part)), m_friction(friction), m_bounds(m_part.shape->bounds()), m_ball(ballAround(m_bounds))
    {
    }

    bool isStatic() const override { return m_part.motion->isStatic(); }

    std::unique_ptr<const PlacedPiece> place(double start_s, double length_s) const override
    {
        return std::make_unique<PlacedRigid>(
            *m_part.shape, m_bounds, m_friction,
            PlacedRigid::Interval{pose(start_s), pose(start_s + length_s), length_s, !isStatic()});
    }

    double maxSpeed(double time_s) const override
    {
        if (isStatic()) return 0;
        constexpr double span_s = 1e-3;  // shorter than any frame, long enough for the difference to be exact
        return largestDisplacement(m_ball, pose(time_s), pose(time_s + span_s)) / span_s;
    }

    Box3d bounds(double start_s, double length_s) const override
    {
        if (isHalfSpace()) return m_bounds;
        constexpr double interval_s = 1 / 240.0;  // between samples; motions change slowly over this time
        const int steps = isStatic() ? 0 : static_cast<int>(std::ceil(length_s / interval_s));
        Box3d box;
        Pose before = pose(start_s);
        box.extend(boundsAt(before, m_bounds));
        double farthest = 0;  // a point moves by at most this between two samples
        for (int k = 1; k <= steps; ++k) {
            const Pose now = pose(k == steps ? start_s + length_s : start_s + length_s * k / steps);
            box.extend(boundsAt(now, m_bounds));
            farthest = std::max(farthest, largestDisplacement(m_ball, before, now));
            before = now;
        }
        return {box.min() - Vec3d::Constant(farthest), box.max() + Vec3d::Constant(farthest)};
    }

    PieceSurface surface(double time_s) const override
    {
        const Pose now = pose(time_s);
        if (isHalfSpace()) {
            Vec3d gradient;
            const double distance = m_part.shape->distance(Vec3d::Zero(), gradient);
            const Vec3d normal = now.rotation * gradient;
            return HalfSpace{normal, normal.dot(now.translation) - distance};
        }
        std::call_once(m_meshMade, [&] { m_mesh = std::make_shared<const TriangleMesh>(m_part.shape->mesh()); });
        return PosedMesh{m_mesh, now};
    }

private:
    Pose pose(double time_s) const { return m_part.motion->pose(time_s); }
    bool isHalfSpace() const { return !m_bounds.sizes().allFinite(); }

    const RigidPart m_part;
    const Friction m_friction;
    const Box3d m_bounds;  // local
    const BoundingBall m_ball;
    mutable std::once_flag m_meshMade;
    mutable std::shared_ptr<const TriangleMesh> m_mesh;  // made when the renderer first asks
};

}  // namespace

std::shared_ptr<const BodyPiece> makeRigidPiece(RigidPart part, const Friction& friction)
{
    return std::make_shared<const RigidPiece>(std::move(part), friction);
}

}  // namespace firn

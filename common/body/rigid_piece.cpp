#include "common/body/rigid_piece.h"

#include <mutex>

#include "common/body/swept_bounds.h"

namespace firn {
namespace {

class PlacedRigid final : public PlacedPiece {
public:
    struct Interval {
        Pose start, end;
        double length_s;
        bool moves;
    };

    PlacedRigid(const Shape& shape, const Box3d& bounds, const SurfaceFriction& friction, const Interval& interval)
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

    Friction friction(const Vec3d& point, const Vec3d& normal) const override
    {
        if (!m_friction.dependsOnTriangle()) return m_friction.at(normal, -1);
        return m_friction.at(normal, m_shape.triangleAt(m_interval.end.toLocal(point)));
    }

    bool mayTouch(const Vec3d& center, double radius_m) const override
    {
        const Vec3d local = m_interval.end.toLocal(center);
        return m_bounds.exteriorDistance(local) <= radius_m && m_shape.mayTouch(local, radius_m);
    }

private:
    const Shape& m_shape;
    const Box3d m_bounds;  // local
    const SurfaceFriction& m_friction;
    const Interval m_interval;
};

class RigidPiece final : public BodyPiece {
public:
    RigidPiece(RigidPart part, const SurfaceFriction& friction)
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

    double maxSpeed(double time_s) const override { return largestSpeed(*m_part.motion, m_ball, time_s); }

    Box3d bounds(double start_s, double length_s) const override
    {
        if (isHalfSpace()) return m_bounds;
        return sweptBounds(*m_part.motion, m_bounds, start_s, length_s);
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
        return PosedMesh{m_mesh, now, m_part.shape->isMadeOfTriangles()};
    }

private:
    Pose pose(double time_s) const { return m_part.motion->pose(time_s); }
    bool isHalfSpace() const { return !m_bounds.sizes().allFinite(); }

    const RigidPart m_part;
    const SurfaceFriction m_friction;
    const Box3d m_bounds;  // local
    const BoundingBall m_ball;
    mutable std::once_flag m_meshMade;
    mutable std::shared_ptr<const TriangleMesh> m_mesh;  // made when the renderer first asks
};

}  // namespace

std::shared_ptr<const BodyPiece> makeRigidPiece(RigidPart part, const SurfaceFriction& friction)
{
    return std::make_shared<const RigidPiece>(std::move(part), friction);
}

}  // namespace firn

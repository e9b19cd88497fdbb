#pragma once
// The interface of bodies. A body is made of pieces. A piece is placed for an interval of time. The placed piece gives
// the signed distance, the normal, the velocity and the friction at any point. Contact, seeding, diagnostics and the
// renderer ask only this interface, so they do not know how a piece moves. rigid_piece.h is one implementation.

#include <memory>
#include <variant>

#include "common/body/mesh.h"
#include "common/body/surface_friction.h"
#include "common/pose.h"

namespace firn {

/// A piece over an interval of time: its geometry is that at the end of the interval, its velocity the displacement
/// over the interval. All points and normals are in world space.
class PlacedPiece {
public:
    virtual ~PlacedPiece() = default;

    /// Signed distance to the surface (m, negative inside) and the unit normal that points out of the piece.
    /// Far from the surface the distance may be any number of the right sign that is too small.
    virtual double distance(const Vec3d& point, Vec3d& normal) const = 0;

    /// Velocity (m/s) of the material that is at `point` at the end of the interval: its displacement over the
    /// interval, divided by the length of the interval. Zero when the interval has no length.
    virtual Vec3d velocity(const Vec3d& point) const = 0;

    /// Friction of the surface near `point`, where its normal is `normal`.
    virtual Friction friction(const Vec3d& point, const Vec3d& normal) const = 0;

    /// Whether a ball may touch the piece. It may be wrong only by answering true.
    virtual bool mayTouch(const Vec3d& center, double radius_m) const = 0;

    /// Whether a point is inside or within reach_m of the surface. `normal` is set only then: contact asks for many
    /// points that are farther away.
    virtual bool within(const Vec3d& point, double reach_m, double& signedDistance, Vec3d& normal) const
    {
        signedDistance = distance(point, normal);
        return !(signedDistance > reach_m);
    }
};

/// Triangles, and the pose of their frame in the world.
struct PosedMesh {
    std::shared_ptr<const TriangleMesh> mesh;
    Pose pose;
    bool is_model = false;  // the triangles are the piece as it was made, not an approximation of its signed distance
};

/// All points x with normal . x < offset_m.
struct HalfSpace {
    Vec3d normal;
    double offset_m;
};

using PieceSurface = std::variant<PosedMesh, HalfSpace>;

class BodyPiece {
public:
    virtual ~BodyPiece() = default;

    /// Whether the piece never moves or deforms.
    virtual bool isStatic() const = 0;

    /// The piece over [start_s, start_s + length_s]. The piece must outlive the result.
    virtual std::unique_ptr<const PlacedPiece> place(double start_s, double length_s) const = 0;

    /// An upper bound of the speed of all points of the piece at a time, m/s. Of a piece without bounds, only points
    /// within 10 m of its origin count.
    virtual double maxSpeed(double time_s) const = 0;

    /// A world box that holds the piece at all times in [start_s, start_s + length_s].
    virtual Box3d bounds(double start_s, double length_s) const = 0;

    /// The surface at a time, for rendering. A piece that moves without deforming returns the same mesh object at all
    /// times; a piece that deforms returns a new mesh.
    virtual PieceSurface surface(double time_s) const = 0;
};

}  // namespace firn

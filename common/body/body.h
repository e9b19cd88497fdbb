#pragma once
// Moving rigid geometry, shared by contact (signed distance) and by the renderer (triangles).
// A body is one or more rigid pieces; each piece has ONE stationary shape and a pose that is evaluated at any time.

#include <memory>
#include <string>
#include <vector>

#include "common/math.h"
#include "common/scene/scene.h"

namespace firn {

struct TriangleMesh {
    std::vector<Vec3f> vertices;   // metres
    std::vector<Vec3i> triangles;  // counter-clockwise seen from outside
};

/// Signed distance in a piece's local frame: negative inside.
class Shape {
public:
    virtual ~Shape() = default;
    /// phi (m) and its unit gradient at a local point. Beyond `reach()` outside the surface only phi's sign and
    /// "at least reach" are promised.
    virtual double distance(const Vec3d& local, Vec3d& gradient) const = 0;
    /// Local bounds of phi <= 0; infinite for a plane.
    virtual Box3d bounds() const = 0;
    /// How far outside the surface `distance` is exact, m (infinite for analytic shapes).
    virtual double reach() const = 0;
    /// The surface as triangles, for rendering; planes give a large quad.
    virtual TriangleMesh mesh() const = 0;
};

/// Where a piece is at a time; evaluated exactly from the motion, never from samples of frames.
class Motion {
public:
    virtual ~Motion() = default;
    virtual Pose pose(double time_s) const = 0;
    virtual bool isStatic() const = 0;
};

struct BodyPiece {
    std::string name;
    std::shared_ptr<const Shape> shape;
    std::shared_ptr<const Motion> motion;
};

struct Body {
    std::string name;
    double friction = 0.5;
    bool sticky = false;
    bool visible = true;
    Vec3d color = Vec3d(0.35, 0.33, 0.32);
    std::vector<BodyPiece> pieces;
};

/// Builds every body of the scene: loads files, checks meshes for holes (the error names the place), makes level
/// sets. Throws Error (Usage for what the scene says, File for what cannot be read).
std::vector<Body> makeBodies(const Scene& scene);

}  // namespace firn

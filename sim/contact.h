#pragma once
// Contact of snow with moving rigid bodies, on grid nodes and on particles (Stomakhin et al. 2013, section 8):
// Coulomb friction against the body's own velocity, full stick for sticky bodies. Every piece has one stationary
// signed distance; where it stands is evaluated at every substep.

#include <vector>

#include "common/body/body.h"

namespace firn {

/// What contact takes from a node's freedom: nothing, the normal direction of one surface (slip), those of two (edge:
/// motion along both is left), or all (stick).
struct Hold {
    enum class Kind { Free, Slip, Edge, Stick };
    Kind kind = Kind::Free;
    Vec3d direction = Vec3d::Zero();  // the normal of a slip; what an edge leaves

    /// Takes motion along a surface's unit normal.
    void slip(const Vec3d& normal);
    void stick() { *this = {Kind::Stick, Vec3d::Zero()}; }
};

class Contact {
public:
    Contact(const std::vector<Body>& bodies, double spacing_m);

    /// Places the bodies for a substep from time t to t + dt: geometry at its end, velocity the displacement over it.
    void place(double time_s, double dt_s);

    /// Largest speed of any point of any body at a time, m/s.
    double maxBodySpeed(double time_s) const;

    /// Pieces that may touch points within `radius_m` of `center_m`.
    std::vector<int> near(const Vec3d& center_m, double radius_m) const;
    /// Whether a moving piece may come within `radius_m` of `center_m` in this substep.
    bool movingNear(const Vec3d& center_m, double radius_m) const;
    /// Pieces that may touch what lies in a block's tile, or will within a cell's distance.
    std::vector<int> nearTile(const Vec3i& leafOrigin) const;

    /// The velocity that contact with those pieces leaves to matter at x, and what it takes from its freedom.
    Vec3d collide(const std::vector<int>& pieces, const Vec3d& x, Vec3d v, Hold* hold = nullptr) const;

    /// How deep x is within those of the pieces, m; 0 outside.
    double depth(const std::vector<int>& pieces, const Vec3d& x) const;

private:
    struct Piece {
        const Shape* shape;
        const Motion* motion;
        double friction;
        bool sticky;
        Box3d bounds;  // local
        Vec3d center;  // of a sphere that holds the piece, local
        double radius;
        Pose start, end;  // over the substep
    };

    Vec3d velocityAt(const Piece& piece, const Vec3d& x) const;

    std::vector<Body> m_bodies;
    std::vector<Piece> m_pieces;
    double m_h;
    double m_dt = 0;
};

/// Relative velocity after contact with a surface of unit normal n: nothing where it separates; otherwise the normal
/// part goes, and friction takes up to mu times it from the tangential part.
Vec3d coulomb(const Vec3d& relativeVelocity, const Vec3d& n, double friction);

}  // namespace firn

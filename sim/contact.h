#pragma once
// Contact of snow with bodies, on grid nodes and on particles (Stomakhin et al. 2013, section 8): Coulomb friction
// against the velocity of the body; snow sticks to sticky places. What a body is and how it moves is asked of its
// pieces (common/body/body_piece.h).

#include <memory>
#include <vector>

#include "common/body/body.h"

namespace firn {

/// What contact takes from a node's freedom: nothing, the normal direction of one surface (slip), those of two (edge:
/// motion along both is left), or all (stick).
struct Hold {
    enum class Kind { Free, Slip, Edge, Stick };
    Kind kind = Kind::Free;
    Vec3d direction = Vec3d::Zero();  // slip: the normal; edge: the direction that stays free

    /// Takes motion along a surface's unit normal.
    void slip(const Vec3d& normal);
    void stick() { *this = {Kind::Stick, Vec3d::Zero()}; }
};

/// A piece's surface near a point.
struct Surface {
    double distance = 0;  // m, negative inside
    Vec3d normal = Vec3d::Zero();
    Vec3d velocity = Vec3d::Zero();  // m/s
    Friction friction;
};

/// A point inside a body. Bodies are numbered as in the scene; -1 is none.
struct Immersion {
    double depth = 0;  // within the deepest piece, m; 0 outside
    int body = -1;     // of that piece
    int other = -1;    // the nearest other body
};

class Contact {
public:
    /// The bodies stand where they are at time 0 until place() is called.
    Contact(const std::vector<Body>& bodies, double spacing_m);

    /// Places the bodies for a substep from time t to t + dt: geometry at its end, velocity the displacement over it.
    void place(double time_s, double dt_s);

    /// Upper bound of the speed of all points of all bodies at a time, m/s.
    double maxBodySpeed(double time_s) const;

    /// Pieces that may touch points within `radius_m` of `center_m`.
    std::vector<int> near(const Vec3d& center_m, double radius_m) const;
    /// Pieces that may touch the nodes of a block's tile, or points up to a cell away from it.
    std::vector<int> nearTile(const Vec3i& leafOrigin) const;
    /// Whether one of the pieces that move may touch the same points at the end of this substep.
    bool movingNearTile(const Vec3i& leafOrigin) const;

    /// The velocity of matter at x after contact with those pieces. `hold` collects what they take from its freedom.
    Vec3d collide(const std::vector<int>& pieces, const Vec3d& x, Vec3d v, Hold* hold = nullptr) const;

    /// Whether x is within reach_m of the surface of a piece or inside it; distance and normal are set only then.
    bool distanceWithin(int piece, const Vec3d& x, double reach_m, Surface& surface) const;
    /// Sets the other members of `surface`.
    void describe(int piece, const Vec3d& x, Surface& surface) const;

    /// How deep x is within those pieces.
    Immersion immersion(const std::vector<int>& pieces, const Vec3d& x) const;

private:
    struct Ball {
        Vec3d center;
        double radius;
    };
    struct Piece {
        const BodyPiece* source;
        int body;
        bool moves;
        std::unique_ptr<const PlacedPiece> placed = nullptr;  // for the substep
        Box3d bounds = {};                                    // over the substep

        bool mayTouch(const Ball& ball) const;
    };

    Ball aroundTile(const Vec3i& leafOrigin) const;

    std::vector<Body> m_bodies;
    std::vector<Piece> m_pieces;
    double m_h;
};

/// Relative velocity after contact with a surface of unit normal n. Matter that separates keeps its velocity. Otherwise
/// the normal part is removed, and friction removes up to mu times that amount of the tangential part.
Vec3d coulomb(const Vec3d& relativeVelocity, const Vec3d& n, double friction);

}  // namespace firn

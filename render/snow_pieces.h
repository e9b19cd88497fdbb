#pragma once
// Sheared snow is broken into pieces of some centimetres. A piece is the space that is nearest to one of the particles
// that are chosen for this by their id, so it moves with the snow. Inside a piece, the noise of the surface is that of
// the place where this particle lay at rest, moved at random: the mean of places at rest is no use there, since shear
// draws it out to streaks.

#include <span>
#include <vector>

#include "render/lanes.h"
#include "render/place_table.h"
#include "render/rest_places.h"
#include "render/snow_particles.h"

namespace firn {

struct SnowPiece {
    static constexpr float size_m = 0.022f;

    Vec3d position = Vec3d::Zero();   // m
    Vec3f toNoise_m = Vec3f::Zero();  // from a place to where its noise is taken, m
    float height = 0;                 // of its surface, random, from -1 to 1

    double reach_m() const { return 3 * static_cast<double>(size_m); }
};

/// The pieces of all snow: as many as have the mean volume of a cube of SnowPiece::size_m, and at most one per
/// particle.
std::vector<SnowPiece> piecesOf(const SnowParticles& particles, const RestState& rest);

/// Removes the pieces that are not among the nearest two of any place in the ball.
void keepNearest(const Vec3d& middle_m, double radius_m, std::vector<SnowPiece>& pieces);

/// In all lanes of a register.
struct NearestPieces {
    Floats x, y, z;   // where noise is taken in the nearest piece, m
    Floats height;    // of that piece
    Floats border_m;  // half of how much farther the second nearest lies: 0 between pieces
};
/// At places (m). `pieces` may not be empty.
NearestPieces nearestPieces(std::span<const SnowPiece> pieces, Floats x, Floats y, Floats z);

}  // namespace firn

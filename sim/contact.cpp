#include "sim/contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/order.h"

namespace firn {

Vec3d coulomb(const Vec3d& relativeVelocity, const Vec3d& n, double friction)
{
    const double normal = relativeVelocity.dot(n);
    if (normal >= 0) return relativeVelocity;
    const Vec3d tangential = relativeVelocity - n * normal;
    const double length = tangential.norm();
    if (length <= -friction * normal) return Vec3d::Zero();
    return tangential + tangential * (friction * normal / length);
}

void Hold::slip(const Vec3d& normal)
{
    constexpr double parallel = 1e-3;  // sine: pieces of one surface, such as those of a character, count once
    if (kind == Kind::Free) {
        *this = {Kind::Slip, normal};
    } else if (kind == Kind::Slip) {
        const Vec3d along = direction.cross(normal);
        if (along.norm() > parallel) *this = {Kind::Edge, along.normalized()};
    } else if (kind == Kind::Edge && std::abs(direction.dot(normal)) > parallel) {
        stick();
    }
}

Contact::Contact(const std::vector<Body>& bodies, double spacing_m) : m_bodies(bodies), m_h(spacing_m)
{
    for (std::size_t b = 0; b < m_bodies.size(); ++b)
        for (const auto& piece : m_bodies[b].pieces)
            m_pieces.push_back({piece.get(), static_cast<int>(b), !piece->isStatic()});
    place(0, 0);
}

void Contact::place(double time_s, double dt_s)
{
    for (Piece& piece : m_pieces) {
        piece.placed = piece.source->place(time_s, dt_s);
        piece.bounds = piece.source->bounds(time_s, dt_s);
    }
}

double Contact::maxBodySpeed(double time_s) const
{
    double fastest = 0;
    for (const Piece& piece : m_pieces) fastest = std::max(fastest, piece.source->maxSpeed(time_s));
    return fastest;
}

bool Contact::Piece::mayTouch(const Ball& ball) const
{
    return bounds.exteriorDistance(ball.center) <= ball.radius && placed->mayTouch(ball.center, ball.radius);
}

Contact::Ball Contact::aroundTile(const Vec3i& leafOrigin) const
{
    const double middle = (leafSize + 2) / 2.0;  // of the tile's nodes 0 .. 10
    return {(leafOrigin.cast<double>() + Vec3d::Constant(middle)) * m_h, (middle * std::sqrt(3.0) + 1) * m_h};
}

std::vector<int> Contact::near(const Vec3d& center_m, double radius_m) const
{
    std::vector<int> result;
    for (std::size_t i = 0; i < m_pieces.size(); ++i)
        if (m_pieces[i].mayTouch({center_m, radius_m})) result.push_back(static_cast<int>(i));
    return result;
}

std::vector<int> Contact::nearTile(const Vec3i& leafOrigin) const
{
    const Ball ball = aroundTile(leafOrigin);
    return near(ball.center, ball.radius);
}

bool Contact::movingNearTile(const Vec3i& leafOrigin) const
{
    const Ball ball = aroundTile(leafOrigin);
    return std::any_of(m_pieces.begin(), m_pieces.end(),
                       [&](const Piece& piece) { return piece.moves && piece.mayTouch(ball); });
}

Immersion Contact::immersion(const std::vector<int>& pieces, const Vec3d& x) const
{
    const auto depthIn = [&](const Piece& piece) {
        Vec3d normal;
        return -piece.placed->distance(x, normal);
    };
    Immersion result;
    for (const int i : pieces) {
        const Piece& piece = m_pieces[static_cast<std::size_t>(i)];
        if (const double depth = depthIn(piece); depth > result.depth) result = {depth, piece.body, -1};
    }
    if (result.body < 0) return result;
    double nearest = -std::numeric_limits<double>::max();
    for (const int i : pieces) {
        const Piece& piece = m_pieces[static_cast<std::size_t>(i)];
        if (piece.body == result.body) continue;
        if (const double depth = depthIn(piece); depth > nearest) {
            nearest = depth;
            result.other = piece.body;
        }
    }
    return result;
}

bool Contact::distanceWithin(int piece, const Vec3d& x, double reach_m, Surface& surface) const
{
    const PlacedPiece& placed = *m_pieces[static_cast<std::size_t>(piece)].placed;
    return placed.within(x, reach_m, surface.distance, surface.normal);
}

void Contact::describe(int piece, const Vec3d& x, Surface& surface) const
{
    const PlacedPiece& placed = *m_pieces[static_cast<std::size_t>(piece)].placed;
    surface.velocity = placed.velocity(x);
    surface.friction = placed.friction(x, surface.normal);
}

Vec3d Contact::collide(const std::vector<int>& pieces, const Vec3d& x, Vec3d v, Hold* hold) const
{
    for (const int i : pieces) {
        const PlacedPiece& piece = *m_pieces[static_cast<std::size_t>(i)].placed;
        Vec3d n;
        double distance = 0;
        if (!piece.within(x, 0, distance, n)) continue;
        const Vec3d bodyVelocity = piece.velocity(x), before = v - bodyVelocity;
        const Friction friction = piece.friction(x, n);
        const Vec3d after = friction.sticky ? Vec3d::Zero() : coulomb(before, n, friction.coefficient);
        v = bodyVelocity + after;
        if (!hold || (!friction.sticky && before.dot(n) >= 0)) continue;
        if (friction.sticky || (friction.coefficient > 0 && after.isZero(0)))
            hold->stick();
        else
            hold->slip(n);
    }
    return v;
}

}  // namespace firn

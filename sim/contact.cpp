#include "sim/contact.h"

#include <algorithm>
#include <cmath>

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
    constexpr double farthest = 10;  // m, stands for the extent of unbounded shapes where a speed is wanted
    for (const Body& body : m_bodies)
        for (const BodyPiece& part : body.pieces) {
            Piece piece{part.shape.get(),
                        part.motion.get(),
                        body.friction,
                        body.sticky,
                        part.shape->bounds(),
                        Vec3d::Zero(),
                        farthest,
                        {},
                        {}};
            if (piece.bounds.sizes().allFinite()) {
                piece.center = piece.bounds.center();
                piece.radius = piece.bounds.sizes().norm() / 2;
            }
            m_pieces.push_back(piece);
        }
}

void Contact::place(double time_s, double dt_s)
{
    m_dt = dt_s;
    for (Piece& piece : m_pieces) {
        piece.start = piece.motion->pose(time_s);
        piece.end = piece.motion->pose(time_s + dt_s);
    }
}

double Contact::maxBodySpeed(double time_s) const
{
    constexpr double span = 1e-3;  // s, shorter than any frame, long enough for the difference to be exact
    double fastest = 0;
    for (const Piece& piece : m_pieces) {
        if (piece.motion->isStatic()) continue;
        const Pose a = piece.motion->pose(time_s), b = piece.motion->pose(time_s + span);
        const double moved = (b.toWorld(piece.center) - a.toWorld(piece.center)).norm();
        fastest = std::max(fastest, (moved + piece.radius * a.rotation.angularDistance(b.rotation)) / span);
    }
    return fastest;
}

std::vector<int> Contact::near(const Vec3d& center_m, double radius_m) const
{
    std::vector<int> result;
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const Piece& piece = m_pieces[i];
        const Vec3d local = piece.end.toLocal(center_m);
        if (piece.bounds.exteriorDistance(local) > radius_m) continue;
        Vec3d gradient;
        if (piece.shape->distance(local, gradient) <= radius_m) result.push_back(static_cast<int>(i));
    }
    return result;
}

bool Contact::movingNear(const Vec3d& center_m, double radius_m) const
{
    for (const Piece& piece : m_pieces) {
        if (piece.motion->isStatic()) continue;
        const double reach = radius_m + piece.radius;
        if ((piece.end.toWorld(piece.center) - center_m).squaredNorm() > reach * reach) continue;
        const Vec3d local = piece.end.toLocal(center_m);
        Vec3d gradient;
        if (piece.bounds.exteriorDistance(local) <= radius_m && piece.shape->distance(local, gradient) <= radius_m)
            return true;
    }
    return false;
}

std::vector<int> Contact::nearTile(const Vec3i& leafOrigin) const
{
    const double middle = (leafSize + 2) / 2.0;  // of the tile's nodes 0 .. 10
    const Vec3d center = (leafOrigin.cast<double>() + Vec3d::Constant(middle)) * m_h;
    return near(center, (middle * std::sqrt(3.0) + 1) * m_h);
}

double Contact::depth(const std::vector<int>& pieces, const Vec3d& x) const
{
    double deepest = 0;
    for (const int i : pieces) {
        const Piece& piece = m_pieces[static_cast<std::size_t>(i)];
        Vec3d gradient;
        deepest = std::max(deepest, -piece.shape->distance(piece.end.toLocal(x), gradient));
    }
    return deepest;
}

Vec3d Contact::velocityAt(const Piece& piece, const Vec3d& x) const
{
    if (piece.motion->isStatic() || m_dt == 0) return Vec3d::Zero();
    return (x - piece.start.toWorld(piece.end.toLocal(x))) / m_dt;
}

Vec3d Contact::collide(const std::vector<int>& pieces, const Vec3d& x, Vec3d v, Hold* hold) const
{
    for (const int i : pieces) {
        const Piece& piece = m_pieces[static_cast<std::size_t>(i)];
        Vec3d gradient;
        if (piece.shape->distance(piece.end.toLocal(x), gradient) > 0) continue;
        const Vec3d bodyVelocity = velocityAt(piece, x), n = piece.end.rotation * gradient;
        const Vec3d before = v - bodyVelocity;
        const Vec3d after = piece.sticky ? Vec3d::Zero() : coulomb(before, n, piece.friction);
        v = bodyVelocity + after;
        if (!hold || (!piece.sticky && before.dot(n) >= 0)) continue;
        if (piece.sticky || (piece.friction > 0 && after.isZero(0)))
            hold->stick();
        else
            hold->slip(n);
    }
    return v;
}

}  // namespace firn

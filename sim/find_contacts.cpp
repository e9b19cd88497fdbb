#include "sim/find_contacts.h"

#include <algorithm>
#include <cmath>

#include "sim/near_cells.h"

namespace firn {

namespace {

constexpr double memory = 0.3;  // cells beyond its reach within which a particle is remembered

// Parts of the distance between particles. Snow that lies beside a body when the shot starts touches it with all of its
// first layer, whose places are up to that distance deep. Snow that arrives is ragged, and its foremost particles touch
// first. With 0.5, a block that lands comes to rest 0.13 cells below one that starts there, and with 0.6, 0.08 cells.
// But with 0.6, boots pack snow more, and the footsteps shot takes some 15 % more substeps.
constexpr double reachAtStart = 1, reachLater = 0.5;
constexpr double cellReach = 0.5;  // cells
constexpr double restSpeed = 0.1;  // m/s, along the normal: faster snow arrives

/// Of the particle relative to the surface, m/s.
double normalSpeed(const Particles& particles, std::uint32_t p, const Surface& surface)
{
    const Vec3d v(particles.velocity[0][p], particles.velocity[1][p], particles.velocity[2][p]);
    return (v - surface.velocity).dot(surface.normal);
}

bool liesAtStart(const Particles& particles, std::uint32_t p, const Surface& surface, const ContactStep& step)
{
    const bool isUntouched = particles.can_sleep && particles.quiet_frames[p] == Particles::untouched;
    return (step.starts_shot || isUntouched) && std::abs(normalSpeed(particles, p, surface)) < restSpeed;
}

/// That part of the distance between particles, m.
double layerReach(const Particles& particles, std::uint32_t p, double part, const ContactStep& step)
{
    return std::min(part * std::cbrt(static_cast<double>(particles.volume0[p])), cellReach * step.spacing_m);
}

/// The greatest reach of a particle that comes near, m.
double greatestReach(const Particles& particles, std::uint32_t p, const Surface& surface, const ContactStep& step)
{
    return layerReach(particles, p, liesAtStart(particles, p, surface, step) ? reachAtStart : reachLater, step);
}

/// A particle near a surface: gap and reach in m.
struct Approach {
    const Surface& surface;
    double gap, reach;
    const Touch* remembered;
    float adhesion_N;  // of the particle's share of the surface
    bool lies_at_start;

    bool hasTouched() const { return remembered && !remembered->force.isZero(0); }
    bool isHeld() const { return adhesion_N > 0 && (hasTouched() || (lies_at_start && gap <= 0)); }
};

/// The weights of the nodes -1 .. 2 at a place up to 0.3 cells outside the cell of node 0. That of a fifth node, below
/// 0.005, goes to the four.
std::array<float, 4> weightsAt(double place)
{
    place = std::clamp(place, -0.3, 1.3);
    std::array<float, 4> w;
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
        const double x = std::abs(place - (i - 1));
        const double y = std::max(0., 2 - x);
        w[i] = static_cast<float>(x < 1 ? x * x * x / 2 - x * x + 2. / 3 : y * y * y / 6);
        sum += w[i];
    }
    for (float& weight : w) weight /= sum;
    return w;
}

ContactPoint pointOf(const Approach& near, const ContactStep& step)
{
    const float dt = static_cast<float>(step.dt_s);
    const Touch* touch = near.remembered;
    ContactPoint point;
    point.normal = near.surface.normal.cast<float>();
    point.body_velocity = near.surface.velocity.cast<float>();
    point.reach = static_cast<float>(near.reach);
    point.friction = static_cast<float>(near.surface.friction.coefficient);
    point.sticks = near.surface.friction.sticky && (near.gap <= 0 || near.hasTouched());
    point.pull = near.isHeld() ? dt * near.adhesion_N : 0;
    point.least_speed = static_cast<float>(leastSpeed(near.gap, point.sticks || near.isHeld(), step.dt_s));
    point.softness = step.implicit ? implicitSoftness : explicitSoftness;
    if (touch) point.impulse = dt * touch->force;
    return point;
}

/// Finds the points of a block.
class Finder {
public:
    Finder(const Contact& contact, const Particles& particles, const Order& order, const Touches& touches,
           const ContactStep& step)
        : m_contact(contact), m_particles(particles), m_order(order), m_touches(touches), m_step(step)
    {
    }

    /// In the order of the pieces.
    std::vector<ContactPoint> find(const Block& block) const
    {
        const double h = m_step.spacing_m, farthest = (cellReach + memory) * h + m_step.body_path_m;
        std::vector<ContactPoint> points;
        std::vector<std::uint32_t> near;
        for (const int piece : m_contact.nearTile(block.origin)) {
            findNear(block, piece, farthest, near);
            points.reserve(points.size() + near.size());
            for (const std::uint32_t k : near) {
                const Vec3d x = position(m_particles, m_order.index[k], h);
                Surface surface;
                if (m_contact.distanceWithin(piece, x, farthest, surface)) add(k, piece, x, surface, points);
            }
        }
        return points;
    }

private:
    /// Positions in the order of the particles in those cells that the piece may reach.
    void findNear(const Block& block, int piece, double farthest, std::vector<std::uint32_t>& near) const
    {
        near.clear();
        NearCells cells(m_contact, piece, block.origin, m_step.spacing_m, farthest);
        int cell = -1;
        bool isNear = false;
        for (std::uint32_t k = block.first; k < block.first + block.count; ++k) {
            if (m_order.cell[k] != cell) isNear = cells.has(cell = m_order.cell[k]);
            if (isNear) near.push_back(k);
        }
    }

    void add(std::uint32_t k, int piece, const Vec3d& x, Surface& surface, std::vector<ContactPoint>& points) const
    {
        const std::uint32_t p = m_order.index[k], id = m_particles.id[p];
        m_contact.describe(piece, x, surface);
        const double h = m_step.spacing_m;
        const double distance = surface.distance + m_step.dt_s * surface.velocity.dot(surface.normal);
        const Touch* touch = m_touches.find(id, static_cast<std::uint32_t>(piece));
        double reach = touch ? static_cast<double>(touch->reach)
                             : std::clamp(distance, 0., greatestReach(m_particles, p, surface, m_step));
        if (distance > reach + memory * h) return;
        if (beginsToStick(p, surface, distance, touch)) reach = std::max(distance, 0.);
        ContactPoint point = pointOf(
            {surface, distance - reach, reach, touch, adhesion(p), liesAtStart(m_particles, p, surface, m_step)},
            m_step);
        point.particle = id;
        point.piece = static_cast<std::uint32_t>(piece);
        point.cell = m_order.cell[k];
        // Nodes between the surface and a particle have little mass: pulled there, they would come off the snow.
        const Vec3d toSurface = (point.sticks ? 0 : distance / h) * surface.normal;
        point.x = weightsAt(m_particles.offset[0][p] - toSurface.x());
        point.y = weightsAt(m_particles.offset[1][p] - toSurface.y());
        point.z = weightsAt(m_particles.offset[2][p] - toSurface.z());
        points.push_back(point);
    }

    /// The greatest pull on the particle, N.
    float adhesion(std::uint32_t p) const
    {
        const std::size_t region = m_particles.material[p];
        if (region >= m_step.adhesion_pa.size()) return 0;
        const float width = std::cbrt(m_particles.volume0[p]);
        return m_step.adhesion_pa[region] * width * width;
    }

    /// A sticky place holds all of the first layer of snow that lies on it, where it is. Only its foremost particles
    /// touch, so without this a body that is pressed into snow would carry away a fifth of the layer.
    bool beginsToStick(std::uint32_t p, const Surface& surface, double distance, const Touch* touch) const
    {
        if (!surface.friction.sticky || (touch && !touch->force.isZero(0))) return false;
        return distance < layerReach(m_particles, p, reachAtStart, m_step) &&
               std::abs(normalSpeed(m_particles, p, surface)) < restSpeed;
    }

    const Contact& m_contact;
    const Particles& m_particles;
    const Order& m_order;
    const Touches& m_touches;
    const ContactStep& m_step;
};

}  // namespace

std::vector<ContactPoint> findContacts(const Contact& contact, const Particles& particles, const Order& order,
                                       const Block& block, const Touches& touches, const ContactStep& step)
{
    return Finder(contact, particles, order, touches, step).find(block);
}

}  // namespace firn

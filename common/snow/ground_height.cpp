#include "common/snow/ground_height.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace firn {

namespace {

constexpr double thinning_deg = 10;  // below the steepest slope, over which the layer gets thinner
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int means = 3;  // taken one after another

int floorOf(double x) { return static_cast<int>(std::floor(x)); }

/// Replaces `count` values, `stride` apart, by the mean of those up to `reach` places away. A value that is not a
/// number does not count and stays.
void meanAlong(double* values, std::size_t count, std::size_t stride, int reach)
{
    if (reach == 0) return;
    std::vector<double> sums(count + 1);  // of the values before each one
    std::vector<int> found(count + 1);
    for (std::size_t n = 0; n < count; ++n) {
        const double value = values[n * stride];
        sums[n + 1] = sums[n] + (std::isnan(value) ? 0 : value);
        found[n + 1] = found[n] + (std::isnan(value) ? 0 : 1);
    }
    const auto width = static_cast<std::size_t>(reach);
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t first = n - std::min(n, width), last = std::min(count, n + width + 1);
        double& value = values[n * stride];
        if (!std::isnan(value)) value = (sums[last] - sums[first]) / (found[last] - found[first]);
    }
}

}  // namespace

GroundHeight::GroundHeight(const Body& body, const Box3d& outline, double dx_m, double slope_deg, double fill_m)
    : m_dx(dx_m),
      m_reach(static_cast<int>(std::lround(fill_m / dx_m / 2))),
      m_margin(means * m_reach),
      m_x0(floorOf(outline.min().x() / dx_m) - m_margin),
      m_z0(floorOf(outline.min().z() / dx_m) - m_margin),
      m_length(floorOf(outline.max().x() / dx_m) + 2 + m_margin - m_x0),
      m_width(floorOf(outline.max().z() / dx_m) + 2 + m_margin - m_z0),
      m_nodes(static_cast<std::size_t>(m_length) * static_cast<std::size_t>(m_width), {std::nan(""), std::nan(""), 1}),
      m_lowest(infinity),
      m_highest(-infinity)
{
    constexpr double moment_s = 1e-3;
    if (!std::ranges::all_of(body.pieces, [](const auto& piece) { return piece->isStatic(); })) m_pieces = body.pieces;
    for (const auto& piece : m_pieces) m_placed.push_back(piece->place(0, moment_s));
    for (const auto& piece : body.pieces) {
        const PieceSurface surface = piece->surface(0);
        if (const auto* space = std::get_if<HalfSpace>(&surface)) {
            raise(*space);
            continue;
        }
        const PosedMesh& posed = std::get<PosedMesh>(surface);
        const auto corner = [&](int v) { return Vec3d(posed.pose.toWorld(posed.mesh->vertices[v].cast<double>())); };
        for (const Vec3i& t : posed.mesh->triangles) raise(corner(t[0]), corner(t[1]), corner(t[2]));
    }
    smooth();
    for (int i = m_margin; i < m_length - m_margin; ++i)
        for (int k = m_margin; k < m_width - m_margin; ++k) {
            const Node& n = node(i, k);
            if (std::isnan(n.height_m)) continue;
            m_lowest = std::min(m_lowest, n.height_m);
            m_highest = std::max({m_highest, n.height_m, n.mean_m});
        }
    setShares(slope_deg);
}

void GroundHeight::raise(int i, int k, double height_m)
{
    double& height = m_nodes[static_cast<std::size_t>(i) * m_width + k].height_m;
    height = std::isnan(height) ? height_m : std::max(height, height_m);
}

/// Raises the nodes below a triangle to it.
void GroundHeight::raise(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    constexpr double rounding = 1e-9;  // of the triangle: neighbours must leave no gap
    const double area = (b.x() - a.x()) * (c.z() - a.z()) - (b.z() - a.z()) * (c.x() - a.x());
    if (area == 0) return;
    const auto range = [&](int axis, int first, int count) {
        const double low = std::min({a[axis], b[axis], c[axis]}), high = std::max({a[axis], b[axis], c[axis]});
        return std::pair(static_cast<int>(std::max(0.0, std::ceil(low / m_dx - 1e-6) - first)),
                         static_cast<int>(std::min(count - 1.0, std::floor(high / m_dx + 1e-6) - first)));
    };
    const auto [i0, i1] = range(0, m_x0, m_length);
    const auto [k0, k1] = range(2, m_z0, m_width);
    for (int i = i0; i <= i1; ++i)
        for (int k = k0; k <= k1; ++k) {
            const double x = (m_x0 + i) * m_dx - a.x(), z = (m_z0 + k) * m_dx - a.z();
            const double wb = (x * (c.z() - a.z()) - z * (c.x() - a.x())) / area;
            const double wc = ((b.x() - a.x()) * z - (b.z() - a.z()) * x) / area;
            if (wb < -rounding || wc < -rounding || wb + wc > 1 + rounding) continue;
            raise(i, k, a.y() + wb * (b.y() - a.y()) + wc * (c.y() - a.y()));
        }
}

void GroundHeight::raise(const HalfSpace& space)
{
    if (space.normal.y() <= 0) return;
    for (int i = 0; i < m_length; ++i)
        for (int k = 0; k < m_width; ++k) {
            const double x = (m_x0 + i) * m_dx, z = (m_z0 + k) * m_dx;
            raise(i, k, (space.offset_m - space.normal.x() * x - space.normal.z() * z) / space.normal.y());
        }
}

void GroundHeight::smooth()
{
    std::vector<double> means_m(m_nodes.size());
    std::ranges::transform(m_nodes, means_m.begin(), &Node::height_m);
    const auto length = static_cast<std::size_t>(m_length), width = static_cast<std::size_t>(m_width);
    for (int pass = 0; pass < means; ++pass) {
        for (std::size_t i = 0; i < length; ++i) meanAlong(&means_m[i * width], width, 1, m_reach);
        for (std::size_t k = 0; k < width; ++k) meanAlong(&means_m[k], length, width, m_reach);
    }
    for (std::size_t n = 0; n < m_nodes.size(); ++n) m_nodes[n].mean_m = means_m[n];
}

/// Slopes of the mean are central differences; at a border of the ground they are taken from the one side that is
/// there.
void GroundHeight::setShares(double slope_deg)
{
    const auto slope = [&](int i, int k, int di, int dk) {
        const auto heightAt = [&](int sign) {
            const int ni = i + sign * di, nk = k + sign * dk;
            const bool isInside = ni >= 0 && ni < m_length && nk >= 0 && nk < m_width;
            return isInside ? node(ni, nk).mean_m : std::nan("");
        };
        const double here = node(i, k).mean_m, before = heightAt(-1), after = heightAt(1);
        const double back = std::isnan(before) ? after - here : here - before;
        const double onward = std::isnan(after) ? here - before : after - here;
        const double mean = (back + onward) / 2 / m_dx;
        return std::isnan(mean) ? 0 : mean;
    };
    for (int i = 0; i < m_length; ++i)
        for (int k = 0; k < m_width; ++k) {
            const double tangent = std::hypot(slope(i, k, 1, 0), slope(i, k, 0, 1));
            const double steeper = std::atan(tangent) * 180 / pi - (slope_deg - thinning_deg);
            m_nodes[static_cast<std::size_t>(i) * m_width + k].share = 1 - std::clamp(steeper / thinning_deg, 0.0, 1.0);
        }
}

/// That of the surface below. Above it, distances are not known as far as snow is deep: a wheel could be taken for the
/// roof.
Vec3d GroundHeight::velocity(const Vec3d& x) const
{
    Ground ground{0, 0, 0};
    if (!at(x.x(), x.z(), ground)) return Vec3d::Zero();
    const Vec3d below(x.x(), ground.height_m, x.z());
    Vec3d velocity = Vec3d::Zero(), normal;
    double nearest = infinity;
    for (const auto& piece : m_placed) {
        const double distance = std::abs(piece->distance(below, normal));
        if (distance >= nearest) continue;
        nearest = distance;
        velocity = piece->velocity(below);
    }
    return velocity;
}

bool GroundHeight::at(double x, double z, Ground& ground) const
{
    const double u = x / m_dx - m_x0, v = z / m_dx - m_z0;
    const int i = floorOf(u), k = floorOf(v);
    if (i < 0 || k < 0 || i + 1 >= m_length || k + 1 >= m_width) return false;
    const double s = u - i, t = v - k;
    const auto mix = [&](auto member) {
        const auto along = [&](int row) { return (1 - t) * (node(row, k).*member) + t * (node(row, k + 1).*member); };
        return (1 - s) * along(i) + s * along(i + 1);
    };
    const double height = mix(&Node::height_m);
    ground = {height, m_reach > 0 ? mix(&Node::mean_m) - height : 0, mix(&Node::share)};
    return !std::isnan(ground.height_m);
}

}  // namespace firn

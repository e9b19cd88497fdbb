#include "common/body/shoe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/body/mesh.h"

namespace firn {
namespace {

constexpr int stations = 28;  // from heel to toe on each side of a slice

/// Half widths of a sole in units of its width; `at` runs from the heel (0) to the toe (1).
struct Outline {
    double at, outer, inner;
};
constexpr std::array outline = {Outline{0.00, 0.38, 0.38}, Outline{0.16, 0.38, 0.37}, Outline{0.42, 0.36, 0.29},
                                Outline{0.68, 0.50, 0.47}, Outline{0.86, 0.44, 0.45}, Outline{1.00, 0.36, 0.42}};

double mix(double a, double b, double t) { return a + t * (b - a); }
double smooth(double t)
{
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// A horizontal slice of the boot.
struct Slice {
    double y, back, front;                   // m
    double inset = 0;                        // the sides are moved inwards by this, m
    double toe_inset = 0;                    // and near the toes by this in addition
    double shaft = 0;                        // 0 = outline of the sole, 1 = the round shaft
    double back_round = 0, front_round = 0;  // length over which the ends are rounded, seen from above; 0 = default
};

double halfWidth(const ShoeFit& fit, const Slice& slice, double z, bool outer)
{
    const double s = std::clamp((z - fit.heel_z_m) / fit.length_m, 0.0, 1.0);
    std::size_t i = 1;
    while (i + 1 < outline.size() && s > outline[i].at) ++i;
    const Outline &a = outline[i - 1], &b = outline[i];
    const double t = smooth((s - a.at) / (b.at - a.at));
    const double sole = fit.width_m * (outer ? mix(a.outer, b.outer, t) : mix(a.inner, b.inner, t)) - slice.inset -
                        slice.toe_inset * smooth((s - 0.35) / 0.4);
    const double upper = mix(sole, fit.shaft_radius_m, slice.shaft);
    // Wide enough for the ankle, between the edge of the sole and the shaft.
    const double rise = smooth((slice.y - 0.2 * fit.ankle_height_m) / (0.6 * fit.ankle_height_m));
    const double near = 1 - smooth((std::abs(z) / fit.ankle_radius_m - 0.6) / 1.2);
    const double ankle = mix(upper, 1.12 * fit.ankle_radius_m, rise * near);
    return std::max({upper, ankle, 0.004});
}

/// 1 far from an end; falls to 0 at the end like a quarter of an ellipse.
double roundOff(double distance, double length)
{
    return distance >= length ? 1 : std::sqrt(std::max(0.0, 1 - std::pow(1 - distance / length, 2)));
}

/// The outline of a slice: from the back along the wearer's left to the front, and along the right to the back.
void addRing(const ShoeFit& fit, const Slice& slice, TriangleMesh& mesh)
{
    const double half = 0.5 * (slice.front - slice.back), middle = 0.5 * (slice.front + slice.back);
    const double plain = mix(std::min(0.45 * fit.width_m, half), half, slice.shaft);
    const double backRound = slice.back_round > 0 ? std::min(slice.back_round, half) : plain;
    const double frontRound = slice.front_round > 0 ? std::min(slice.front_round, half) : plain;
    for (int k = 0; k < 2 * stations; ++k) {
        const bool isLeft = k < stations;
        const double c = std::cos(pi * k / stations);  // 1 at the back, -1 at the front
        const double z = middle - half * c;
        const double x = halfWidth(fit, slice, z, isLeft == fit.is_left) * roundOff(z - slice.back, backRound) *
                         roundOff(slice.front - z, frontRound);
        mesh.vertices.push_back(Vec3d(k == 0 || k == stations ? 0 : (isLeft ? x : -x), slice.y, z).cast<float>());
    }
}

/// Closes the boot at one ring with a flat lid.
void addLid(int ring, bool isTop, TriangleMesh& mesh)
{
    const int first = 2 * stations * ring;
    const auto add = [&](int a, int b, int c) {
        mesh.triangles.push_back(isTop ? Vec3i(first + a, first + c, first + b)
                                       : Vec3i(first + a, first + b, first + c));
    };
    for (int k = 0; k < stations; ++k) {  // between the left station k, k + 1 and their mirrors
        const int mirror = (2 * stations - k) % (2 * stations), nextMirror = 2 * stations - k - 1;
        if (k > 0) add(k, mirror, k + 1);
        if (k + 1 < stations) add(k + 1, mirror, nextMirror);
    }
}

/// How far a part continues beyond the bend. Below the axis both parts end in the same cylinder, so that bending
/// neither opens a gap nor pushes an edge into the ground; above the axis they overlap.
double reachBeyondBend(const ShoeFit& fit, double y)
{
    const double h = fit.bend_height_m;
    if (y < h) return std::sqrt(std::max(0.0, h * h - (h - y) * (h - y)));
    const double overlap = std::min(0.08 * fit.length_m, 0.5 * (fit.toe_z_m() - fit.bend_z_m));
    return mix(h, std::max(h, overlap), smooth((y - h) / (fit.toe_height_m - h)));
}

std::vector<Slice> bootSlices(const ShoeFit& fit)
{
    const double unit = fit.length_m / 0.28;  // of a boot of 28 cm
    const double heel = fit.heel_z_m, toe = fit.toe_z_m();
    const double sole = std::min(0.026 * unit, 0.45 * fit.toe_height_m);
    const double edge = 0.004 * unit, welt = 0.005 * unit;
    std::vector<Slice> slices = {{0, heel + edge, toe - edge, edge},
                                 {edge, heel, toe},
                                 {sole, heel, toe},
                                 {sole + 0.3 * edge, heel + welt, toe - welt, welt}};
    const double toeRound = 0.06 * unit, rise = fit.toe_height_m - (sole + 0.3 * edge);
    for (int i = 1; i <= 8; ++i) {  // toe box: a quarter of an ellipse in profile
        const double angle = 0.5 * pi * i / 8, drop = 1 - std::cos(angle);
        slices.push_back({sole + 0.3 * edge + rise * std::sin(angle), heel + welt, toe - welt - toeRound * drop, welt,
                          0.18 * fit.width_m * drop});
    }
    const double top = std::max(fit.ankle_height_m + 0.07 * unit, fit.toe_height_m + 0.05 * unit);
    const double instep = toe - welt - toeRound, shaft = fit.shaft_radius_m;
    for (int i = 1; i <= 10; ++i) {
        const double v = i / 10.0, blend = smooth(v / 0.7);
        const double slope = std::pow(1 - std::min(v / 0.75, 1.0), 1.4);
        slices.push_back({mix(fit.toe_height_m, top, v), mix(heel + welt, -1.1 * shaft, smooth(v)),
                          mix(1.25 * shaft, instep, slope), welt * (1 - blend), 0.18 * fit.width_m * (1 - blend),
                          blend});
    }
    return slices;
}

}  // namespace

TriangleMesh shoeMesh(const ShoeFit& fit, ShoePart part)
{
    TriangleMesh mesh;
    int rings = 0;
    for (Slice slice : bootSlices(fit)) {
        const double beyond = reachBeyondBend(fit, slice.y), round = std::max(0.5 * beyond, 0.012 * fit.length_m);
        if (part == ShoePart::Foot && fit.bend_z_m + beyond < slice.front) {
            slice.front = fit.bend_z_m + beyond;
            slice.front_round = round;
        }
        if (part == ShoePart::Toes) {
            if (slice.y > fit.toe_height_m) break;
            slice.back = fit.bend_z_m - beyond;
            slice.back_round = round;
        }
        if (slice.front - slice.back < 0.02 * fit.length_m) break;
        addRing(fit, slice, mesh);
        ++rings;
    }
    addLid(0, false, mesh);
    constexpr int around = 2 * stations;
    for (int r = 0; r + 1 < rings; ++r)
        for (int k = 0; k < around; ++k) {
            const int a = around * r + k, b = around * r + (k + 1) % around;
            mesh.triangles.emplace_back(a, b, b + around);
            mesh.triangles.emplace_back(a, b + around, a + around);
        }
    addLid(rings - 1, true, mesh);
    orientOutward(mesh);
    return mesh;
}

}  // namespace firn

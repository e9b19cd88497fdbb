#pragma once
// The height of the upper surface of a body, on which a layer of snow lies.

#include <vector>

#include "common/body/body.h"

namespace firn {

class GroundHeight {
public:
    /// Heights of `body` at the scene's start, at nodes with distance dx_m, within the outline's x and z. Ground that
    /// is steeper than `slope_deg` holds no snow. Snow lies on the ground's mean over a square with the edge `fill_m`,
    /// taken three times, which is nearly a Gaussian of deviation fill_m / 2. The ground around the outline counts.
    GroundHeight(const Body& body, const Box3d& outline, double dx_m, double slope_deg, double fill_m = 0);

    /// The ground below or above a point: its height, how far its mean is above it, and the share of a layer's depth
    /// that lies there, 0 to 1.
    struct Ground {
        double height_m;
        double rise_m;
        double share;
    };
    /// False where there is no ground.
    bool at(double x, double z, Ground& ground) const;

    /// Velocity (m/s) of the body near a point at the scene's start.
    Vec3d velocity(const Vec3d& x) const;

    bool isEmpty() const { return m_lowest > m_highest; }
    double lowest_m() const { return m_lowest; }
    double highest_m() const { return m_highest; }  // of the ground and its mean

private:
    struct Node {
        double height_m;  // NaN where there is no ground
        double mean_m;    // of the ground around
        double share;
    };

    const Node& node(int i, int k) const { return m_nodes[static_cast<std::size_t>(i) * m_width + k]; }
    void raise(int i, int k, double height_m);
    void raise(const Vec3d& a, const Vec3d& b, const Vec3d& c);
    void raise(const HalfSpace& space);
    void smooth();
    void setShares(double slope_deg);

    std::vector<std::shared_ptr<const BodyPiece>> m_pieces;    // none if all of them rest
    std::vector<std::unique_ptr<const PlacedPiece>> m_placed;  // these, over a moment at the start
    double m_dx;
    int m_reach, m_margin;              // nodes: half of the edge of a mean; how far nodes go beyond the outline
    int m_x0, m_z0, m_length, m_width;  // nodes along x and z
    std::vector<Node> m_nodes;
    double m_lowest, m_highest;
};

}  // namespace firn

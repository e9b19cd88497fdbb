#include "tests/sim/plain.h"

#include <cmath>

#include "sim/simd/kernel.h"

namespace firn::plain {

namespace {

/// Calls f(node index, w_ip, grad w_ip) for a particle's 64 nodes.
template <class F>
void forEachNode(const Vec3d& x, double h, const F& f)
{
    const Vec3d scaled = x / h;
    const Vec3d cell = scaled.array().floor();
    double w[3][4], s[3][4];
    for (int a = 0; a < 3; ++a) {
        kernelWeights(scaled[a] - cell[a], w[a]);
        kernelSlopes(scaled[a] - cell[a], s[a]);
    }
    const Vec3i base = cell.cast<int>() - Vec3i::Ones();
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k)
                f(std::array<int, 3>{base.x() + i, base.y() + j, base.z() + k}, w[0][i] * w[1][j] * w[2][k],
                  Vec3d(s[0][i] * w[1][j] * w[2][k], w[0][i] * s[1][j] * w[2][k], w[0][i] * w[1][j] * s[2][k]) / h);
}

Mat3<double> toMat3(const Mat3d& m)
{
    Mat3<double> result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result[i][j] = m(i, j);
    return result;
}

Mat3d toEigen(const Mat3<double>& m)
{
    Mat3d result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result(i, j) = m[i][j];
    return result;
}

MaterialState<double> materialState(const Particle& p)
{
    return {toMat3(p.F_E), p.J_P, p.modulus_factor, p.mass / p.volume0 / closedPoreDensity, p.strength};
}

}  // namespace

Nodes rasterize(const std::vector<Particle>& particles, double h)
{
    Nodes nodes;
    for (const Particle& p : particles)
        forEachNode(p.x, h, [&](const std::array<int, 3>& at, double w, const Vec3d&) {
            const Vec3d x = Vec3d(at[0], at[1], at[2]) * h;
            Node& node = nodes[at];
            node.mass += w * p.mass;
            node.momentum += w * p.mass * (p.v + p.C * (x - p.x));
        });
    return nodes;
}

void addForces(const std::vector<Particle>& particles, const Snow<double>& model, double h, Nodes& nodes)
{
    for (const Particle& p : particles) {
        const Mat3d P = toEigen(model.firstPiolaStress(materialState(p)));
        const Mat3d stress = p.volume0 * P * p.F_E.transpose();
        forEachNode(p.x, h, [&](const std::array<int, 3>& at, double, const Vec3d& slope) {
            nodes[at].force -= stress * slope;
        });
    }
}

void updateVelocities(Nodes& nodes, double dt, const Vec3d& gravity)
{
    for (auto& [at, node] : nodes) {
        if (node.mass == 0) continue;  // on the border of the only kernels that reach it
        node.v_old = node.momentum / node.mass;
        node.v_new = node.v_old + dt * (node.force / node.mass + gravity);
    }
}

void updateParticles(std::vector<Particle>& particles, const Snow<double>& model, double h, double dt, double alpha,
                     const Nodes& nodes, Travel travel)
{
    for (Particle& p : particles) {
        Vec3d pic = Vec3d::Zero(), flip = p.v;
        Mat3d gradient = Mat3d::Zero();
        forEachNode(p.x, h, [&](const std::array<int, 3>& at, double w, const Vec3d& slope) {
            const Node& node = nodes.at(at);
            pic += w * node.v_new;
            flip += w * (node.v_new - node.v_old);
            gradient += node.v_new * slope.transpose();
        });
        p.F_E = (Mat3d::Identity() + dt * gradient) * p.F_E;
        MaterialState<double> state = materialState(p);
        model.plasticReturn(state);
        p.F_E = toEigen(state.F_E);
        p.J_P = state.J_P;
        p.v = (1 - alpha) * pic + alpha * flip;
        p.x += dt * (travel == Travel::Kept ? p.v : pic);
    }
}

void updateAffine(std::vector<Particle>& particles, double h, const Nodes& nodes)
{
    for (Particle& p : particles) {
        p.C.setZero();
        forEachNode(p.x, h, [&](const std::array<int, 3>& at, double w, const Vec3d&) {
            const Vec3d x = Vec3d(at[0], at[1], at[2]) * h;
            p.C += 3 / (h * h) * w * nodes.at(at).v_new * (x - p.x).transpose();
        });
    }
}

NodeVectors applyStiffness(const std::vector<Particle>& particles, const Snow<double>& model, double h,
                           const NodeVectors& u)
{
    NodeVectors f;
    for (const auto& [at, value] : u) f[at] = Vec3d::Zero();
    for (const Particle& p : particles) {
        Mat3d G = Mat3d::Zero();
        forEachNode(p.x, h, [&](const std::array<int, 3>& at, double, const Vec3d& slope) {
            G += u.at(at) * slope.transpose();
        });
        const Mat3d dP = toEigen(model.stressDifferential(materialState(p), toMat3(G * p.F_E)));
        const Mat3d stress = p.volume0 * dP * p.F_E.transpose();
        forEachNode(p.x, h, [&](const std::array<int, 3>& at, double, const Vec3d& slope) { f[at] += stress * slope; });
    }
    return f;
}

std::vector<Particle> fromColumns(const Particles& particles, double h)
{
    std::vector<Particle> result(particles.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        Particle& p = result[i];
        p.x = position(particles, i, h);
        for (int a = 0; a < 3; ++a) p.v[a] = particles.velocity[a][i];
        for (int e = 0; e < 9; ++e) p.F_E(e / 3, e % 3) = particles.F_E[e][i];
        for (int e = 0; particles.affine && e < 9; ++e) p.C(e / 3, e % 3) = particles.C[e][i];
        p.J_P = particles.J_P[i];
        p.mass = particles.mass[i];
        p.volume0 = particles.volume0[i];
        p.modulus_factor = particles.modulus_factor[i];
        p.strength = particles.varied_strength ? particles.strength[i] : 1;
    }
    return result;
}

}  // namespace firn::plain

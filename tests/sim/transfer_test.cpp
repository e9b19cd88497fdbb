// Transfers between particles and grid. The plain version is held to the identities of the kernel (sum of w_ip = 1, sum
// of grad w_ip = 0, sum of w_ip x_i = x_p) in double; the fast version is held to the plain one in float.

#include <catch2/catch.hpp>
#include <map>

#include "common/io/threads.h"
#include "tests/sim/fast_step.h"
#include "tests/sim/plain.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

constexpr double h = 0.02;

FastStep fastStep(const Particles& particles) { return FastStep(particles, h, SnowMaterial(), true); }

std::vector<plain::Particle> plainParticles()
{
    return plain::fromColumns(randomParticles(500, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.05), h);
}

/// Calls f(node index, momentum and mass, force) for all nodes with mass.
template <class F>
void forEachNode(const Grid& grid, const F& f)
{
    for (std::size_t leaf = 0; leaf < grid.leafCount(); ++leaf)
        for (int n = 0; n < nodesPerLeaf; ++n) {
            const Vec3i at = grid.origin(leaf) + Vec3i(n >> 6, n >> 3 & 7, n & 7);
            if (grid.mass(leaf, n) != 0) f(at, grid.momentum(leaf) + 4 * n, grid.force(leaf) + 4 * n);
        }
}

struct PlainStep {
    std::vector<plain::Particle> particles;
    Snow<double> model = Snow<double>::of(SnowMaterial(), true);
    plain::Nodes nodes;

    explicit PlainStep(std::vector<plain::Particle> from) : particles(std::move(from)) {}

    void toGrid()
    {
        nodes = plain::rasterize(particles, h);
        plain::addForces(particles, model, h, nodes);
    }
    void step(double dt, double alpha, const Vec3d& gravity)
    {
        toGrid();
        plain::updateVelocities(nodes, dt, gravity);
        plain::updateParticles(particles, model, h, dt, alpha, nodes);
    }
};

Vec3d vec(const float* v) { return {v[0], v[1], v[2]}; }

/// Largest difference of all float columns between two sets of the same particles, by id.
double largestDifference(const std::vector<plain::Particle>& expected, const Particles& found,
                         double plain::Particle::*member, const std::vector<float>& column)
{
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(expected[found.id[i]].*member - static_cast<double>(column[i])));
    return largest;
}

struct Differences {
    double x = 0, v = 0, F_E = 0, J_P = 0;
};

Differences compare(const std::vector<plain::Particle>& expected, const Particles& found)
{
    Differences d;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const plain::Particle& p = expected[found.id[i]];
        d.x = std::max(d.x, (p.x - position(found, i, h)).cwiseAbs().maxCoeff());
        for (int a = 0; a < 3; ++a) d.v = std::max(d.v, std::abs(p.v[a] - static_cast<double>(found.velocity[a][i])));
        for (int e = 0; e < 9; ++e)
            d.F_E = std::max(d.F_E, std::abs(p.F_E(e / 3, e % 3) - static_cast<double>(found.F_E[e][i])));
    }
    d.J_P = largestDifference(expected, found, &plain::Particle::J_P, found.J_P);
    return d;
}

/// All columns by id, so that states of different sorting can be compared bit by bit. Cells are relative to `origin`.
std::string bytesById(const Particles& p, const Vec3i& origin)
{
    Particles sorted;
    sorted.resize(p.size());
    std::vector<const void*> columns;
    Particles::forEachColumn(p, [&](const std::string&, const auto& column) { columns.push_back(&column); });
    std::size_t next = 0;
    std::string bytes;
    Particles::forEachColumn(sorted, [&](const std::string& name, auto& column) {
        const auto& from = *static_cast<const std::remove_reference_t<decltype(column)>*>(columns[next++]);
        for (std::size_t i = 0; i < p.size(); ++i) column[p.id[i]] = from[i];
        if constexpr (std::is_same_v<std::decay_t<decltype(column[0])>, std::int32_t>)
            for (auto& cell : column) cell -= origin[name.back() - 'x'];
        bytes.append(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(column[0]));
    });
    return bytes;
}

}  // namespace

TEST_CASE("Nodes hold all of the particles' mass and momentum")
{
    // sum_i m_i = sum_p m_p sum_i w_ip = sum_p m_p, and so for momentum
    const auto particles = plainParticles();
    double particleMass = 0, nodeMass = 0;
    Vec3d particleMomentum = Vec3d::Zero(), nodeMomentum = Vec3d::Zero();
    for (const auto& p : particles) particleMass += p.mass, particleMomentum += p.mass * p.v;
    for (const auto& [at, node] : plain::rasterize(particles, h)) nodeMass += node.mass, nodeMomentum += node.momentum;
    CHECK(nodeMass == Approx(particleMass).epsilon(1e-12));
    CHECK((nodeMomentum - particleMomentum).norm() < 1e-12 * particleMass * 2);
}

TEST_CASE("A uniform velocity on the nodes deforms no particle and is what all particles get")
{
    // gradient: sum_i v grad w_ip = v 0; PIC: sum_i v w_ip = v
    auto particles = plainParticles();
    const auto before = particles;
    plain::Nodes nodes = plain::rasterize(particles, h);
    const Vec3d v(3, -2, 1);
    for (auto& [at, node] : nodes) node.v_old = node.v_new = v;
    const Snow<double> elastic = Snow<double>::of(SnowMaterial(), false);
    plain::updateParticles(particles, elastic, h, 1, 0, nodes);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        // dt = 1 s and h = 0.02 m: an error of the gradient is 50 times one of the sum of slopes
        REQUIRE((particles[i].F_E - before[i].F_E).cwiseAbs().maxCoeff() < 1e-12 * v.norm() / h);
        REQUIRE((particles[i].v - v).norm() < 1e-12 * v.norm());
    }
}

TEST_CASE("A linear velocity field is read back exactly, value and gradient")
{
    // sum_i w_ip x_i = x_p, hence sum_i w_ip (A x_i) = A x_p and sum_i (A x_i) grad w_ip^T = A
    auto particles = plainParticles();
    for (auto& p : particles) p.F_E.setIdentity();
    const auto before = particles;
    Mat3d A;
    A << 1, 2, -1, 0.5, -3, 0.25, 4, -2, 1;
    plain::Nodes nodes = plain::rasterize(particles, h);
    for (auto& [at, node] : nodes) node.v_old = node.v_new = A * (Vec3d(at[0], at[1], at[2]) * h);
    const Snow<double> elastic = Snow<double>::of(SnowMaterial(), false);
    const double dt = 1e-3;
    plain::updateParticles(particles, elastic, h, dt, 0, nodes);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        REQUIRE((particles[i].v - A * before[i].x).norm() < 1e-12);
        REQUIRE((particles[i].F_E - Mat3d::Identity() - dt * A).cwiseAbs().maxCoeff() < 1e-12);
    }
}

TEST_CASE("Internal forces sum to zero, whatever the stress")
{
    // sum_i f_i = -sum_p V_p0 P F^T sum_i grad w_ip = 0
    PlainStep plain(plainParticles());
    plain.toGrid();
    Vec3d sum = Vec3d::Zero();
    double largest = 0;
    for (const auto& [at, node] : plain.nodes) sum += node.force, largest = std::max(largest, node.force.norm());
    REQUIRE(largest > 0.01);  // N: there is stress
    CHECK(sum.norm() < 1e-12 * largest * static_cast<double>(plain.nodes.size()));

    FastStep fast = fastStep(randomParticles(500, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.05));
    fast.toGrid();
    Vec3d fastSum = Vec3d::Zero();
    forEachNode(fast.grid, [&](const Vec3i&, const float*, const float* force) { fastSum += vec(force); });
    CHECK(fastSum.norm() < 1e-5 * largest);
}

TEST_CASE("Fast transfers to the grid agree with the plain ones")
{
    // 3000 particles over 4 x 3 x 4 leaves around the origin; floats carry 24 bits, sums of some tens of terms: 1e-5
    Particles particles = randomParticles(3000, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.05);
    particles.varied_strength = GENERATE(false, true);
    if (particles.varied_strength)
        for (std::size_t i = 0; i < particles.size(); ++i) particles.strength.push_back(i % 2 == 0 ? 0.2f : 1.f);
    FastStep fast = fastStep(particles);
    PlainStep plain(plain::fromColumns(fast.particles, h));
    fast.toGrid();
    plain.toGrid();
    double mass = 0, momentum = 0, force = 0;
    for (const auto& [at, node] : plain.nodes) {
        mass = std::max(mass, node.mass);
        momentum = std::max(momentum, node.momentum.norm());
        force = std::max(force, node.force.norm());
    }
    std::size_t nodes = 0;
    forEachNode(fast.grid, [&](const Vec3i& at, const float* m, const float* f) {
        const auto found = plain.nodes.find({at.x(), at.y(), at.z()});
        const plain::Node node = found == plain.nodes.end() ? plain::Node() : found->second;
        REQUIRE(std::abs(node.mass - static_cast<double>(m[3])) < 1e-5 * mass);
        REQUIRE((node.momentum - vec(m)).norm() < 1e-5 * momentum);
        REQUIRE((node.force - vec(f)).norm() < 1e-5 * force);
        ++nodes;
    });
    CHECK(nodes > 8000);
    for (const auto& [at, node] : plain.nodes) {  // no node that has mass is missing
        bool inLeaf = false;
        for (std::size_t leaf = 0; leaf < fast.grid.leafCount(); ++leaf) {
            const Vec3i local = Vec3i(at[0], at[1], at[2]) - fast.grid.origin(leaf);
            inLeaf = inLeaf || (local.minCoeff() >= 0 && local.maxCoeff() < leafSize);
        }
        REQUIRE(inLeaf);
    }
}

TEST_CASE("Fast steps agree with plain ones after one step and after ten")
{
    // dt = 1e-4 s: velocities of about 1 m/s, strains of 5 %, half of the particles yield in the first step.
    // Tolerance: 1e-5 of the scale of each quantity for the first step. From then on plain and fast states differ by
    // rounding and each step adds its own: ten times that after ten steps.
    FastStep fast = fastStep(randomParticles(3000, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.05));
    PlainStep plain(plain::fromColumns(fast.particles, h));
    const double dt = 1e-4;
    const Vec3d gravity(0, -9.81, 0);
    double speed = 0;
    for (int n = 1; n <= 10; ++n) {
        REQUIRE(fast.step(dt, 0.95, gravity).failed == -1);
        plain.step(dt, 0.95, gravity);
        if (n != 1 && n != 10) continue;
        const Differences d = compare(plain.particles, fast.particles);
        for (const auto& p : plain.particles) speed = std::max(speed, p.v.norm());
        INFO("after " << n << " steps: x " << d.x << " m, v " << d.v << " of " << speed << " m/s, F_E " << d.F_E
                      << ", J_P " << d.J_P);
        CHECK(d.x < 1e-5 * n * h);
        CHECK(d.v < 1e-5 * n * speed);
        CHECK(d.F_E < 1e-5 * n);
        CHECK(d.J_P < 1e-5 * n);
    }
}

TEST_CASE("Every particle is in the block of its leaf, blocks and cells are sorted, neighbours are the right leaves")
{
    Particles particles = randomParticles(3000, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0);
    Order order;
    order.build(particles);
    Grid grid(h);
    grid.activate(order);
    std::vector<int> seen(particles.size(), 0);
    std::uint32_t next = 0;
    for (std::size_t b = 0; b < order.blocks.size(); ++b) {
        const Block& block = order.blocks[b];
        REQUIRE(block.first == next);
        next += block.count;
        if (b > 0) {
            const Vec3i &last = order.blocks[b - 1].origin, &o = block.origin;
            REQUIRE(std::lexicographical_compare(last.data(), last.data() + 3, o.data(), o.data() + 3));
        }
        for (std::uint32_t k = block.first; k < next; ++k) {
            const std::uint32_t p = order.index[k];
            ++seen[p];
            const Vec3i base(particles.cell[0][p] - 1, particles.cell[1][p] - 1, particles.cell[2][p] - 1);
            const Vec3i local = base - block.origin;
            REQUIRE(local.minCoeff() >= 0);
            REQUIRE(local.maxCoeff() < leafSize);
            REQUIRE(order.cell[k] == 64 * local.x() + 8 * local.y() + local.z());
            if (k > block.first) REQUIRE(order.cell[k - 1] <= order.cell[k]);
            for (int slot = 0; slot < 8; ++slot) {
                const Vec3i step(slot & 1, slot >> 1 & 1, slot >> 2 & 1);
                const bool reached = ((local.array() + 3 >= leafSize) || step.array() == 0).all();
                if (reached) REQUIRE(block.leaves[slot] >= 0);
                if (block.leaves[slot] >= 0)
                    REQUIRE(grid.origin(static_cast<std::size_t>(block.leaves[slot])) ==
                            block.origin + leafSize * step);
            }
        }
    }
    REQUIRE(next == particles.size());
    CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    for (int c = 0; c < 8; ++c)  // blocks of one colour are at least two leaves apart: their tiles share no node
        for (const int i : order.colours[c])
            for (const int j : order.colours[c])
                if (i != j)
                    REQUIRE((order.blocks[i].origin - order.blocks[j].origin).cwiseAbs().maxCoeff() >= 2 * leafSize);
}

TEST_CASE("Moving the particles by an even number of leaves changes no bit, however far")
{
    // Offsets within cells and the parity of leaves are the same, so every sum has the same terms in the same order.
    const Particles start = randomParticles(2000, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.05);
    const auto after = [&](const Vec3i& shift) {
        Particles moved = start;
        for (int a = 0; a < 3; ++a)
            for (auto& cell : moved.cell[a]) cell += shift[a];
        FastStep fast = fastStep(moved);
        for (int n = 0; n < 5; ++n) fast.step(1e-4, 0.95, Vec3d(0, -9.81, 0));
        return bytesById(fast.particles, shift);
    };
    const std::string expected = after(Vec3i::Zero());
    CHECK(after(Vec3i(16, 0, 0)) == expected);
    CHECK(after(Vec3i(-160, 32, 48)) == expected);
    CHECK(after(Vec3i(160000, -80000, 16000)) == expected);  // 3.2 km
}

TEST_CASE("Moving the particles by any number of cells changes rounding alone, however far")
{
    // Leaf borders then cut the sums elsewhere; at 100 km in float metres the cells themselves could not be told apart.
    const Particles start = randomParticles(2000, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.05);
    PlainStep plain(plain::fromColumns(start, h));
    plain.step(1e-4, 0.95, Vec3d::Zero());
    for (const Vec3i& shift : {Vec3i(1, 0, 0), Vec3i(3, -5, 7), Vec3i(100003, -4999, 77777)}) {
        Particles moved = start;
        for (int a = 0; a < 3; ++a)
            for (auto& cell : moved.cell[a]) cell += shift[a];
        FastStep fast = fastStep(moved);
        fast.step(1e-4, 0.95, Vec3d::Zero());
        for (int a = 0; a < 3; ++a)
            for (auto& cell : fast.particles.cell[a]) cell -= shift[a];
        const Differences d = compare(plain.particles, fast.particles);
        CHECK(d.x < 1e-5 * h);
        CHECK(d.F_E < 1e-5);
    }
}

TEST_CASE("Steps give the same bits with one, two and seven threads")
{
    const auto after = [](int threads) {
        FastStep fast = fastStep(randomParticles(20000, Vec3i(-30, -20, -25), Vec3i(30, 25, 20), h, 0.05));
        runWithThreads(threads, [&] {
            for (int n = 0; n < 5; ++n) fast.step(1e-4, 0.95, Vec3d(0, -9.81, 0));
        });
        return bytesById(fast.particles, Vec3i::Zero());
    };
    const std::string expected = after(1);
    CHECK(after(2) == expected);
    CHECK(after(7) == expected);
}

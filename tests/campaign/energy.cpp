// Where the energy of a step goes: an impact, a footprint and a rolling ball, with explicit steps. Each step's changes
// of energy are measured where they arise, so that their sum can be compared with the change of the total.
//
//     ninja -C build energy && build/tests/campaign/energy [impact] [print] [rolling]
//
// Prints a curve for each: kinetic, elastic and potential energy, and what was given so far by contact and taken by
// plastic flow and by the transfers between particles and nodes, J. `open` is what the sum lacks, in percent of the
// largest of these changes. With v0 the nodes' velocity before forces and v1, v2 those after forces and contact,
// contact does the work m (v2 - v1) (v0 + v2) / 2. In a step, the stress does the work V tau : dt grad v2; plastic flow
// takes what of it is not stored. That is the work of forces m (v1 - v0) v2 on the nodes, while the nodes' kinetic
// energy changes by m (v1 - v0) (v0 + v2) / 2: the length of explicit steps takes the difference.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "sim/particle_lanes.h"
#include "sim/seeding.h"
#include "sim/snow_contact.h"
#include "sim/time_step.h"
#include "sim/transfer.h"
#include "tests/sim/physics_cases.h"

namespace {

using namespace firn;

struct Ledger {
    double kinetic = 0, elastic = 0, potential = 0;            // J, now
    double contact = 0, plastic = 0, transfer = 0, steps = 0;  // J, so far
    double total() const { return kinetic + elastic + potential - contact + plastic + transfer + steps; }
};

struct NodeWork {
    double before = 0;   // kinetic energy of v0
    double contact = 0;  // work
    double steps = 0;    // taken by the length of the step
    double after = 0;    // kinetic energy of v2
};

class EnergyRun {
public:
    explicit EnergyRun(Scene scene)
        : m_scene(std::move(scene)),
          m_bodies(makeBodies(m_scene)),
          m_contact(m_bodies, m_scene.solver),
          m_materials(materialsOf(m_scene)),
          m_elastic(materialsOf(withoutPlasticity(m_scene))),
          m_grid(m_scene.solver.dx),
          m_particles(seed(m_scene, m_bodies, MovingWindow(m_scene, m_bodies), m_remarks))
    {
        m_minMass = 1e-7 * static_cast<double>(*std::ranges::min_element(m_particles.mass));
        measure();
    }

    const Ledger& ledger() const { return m_ledger; }

    void advance(double seconds)
    {
        const double end = m_time + seconds;
        while (end - m_time > 1e-9) {
            const StepLimit limit = chooseStep(m_scene.solver, m_maxSpeed, m_contact.bodies().maxBodySpeed(m_time),
                                               m_maxWave, false, end - m_time);
            step(limit.dt);
            m_time += limit.dt;
        }
    }

private:
    static Scene withoutPlasticity(Scene scene)
    {
        scene.solver.plasticity = false;
        return scene;
    }

    void step(double dt)
    {
        m_contact.bodies().place(m_time, dt);
        m_order.build(m_particles);
        m_grid.activate(m_order);
        rasterize(m_particles, m_order, m_grid);
        addForces(m_particles, m_materials, m_order, m_grid);
        updateVelocities(m_grid, dt, m_scene.solver.gravity, m_minMass);
        const std::vector<std::vector<Vec3d>> freeVelocity = newVelocities();
        const ContactStep contactStep{m_scene.solver.dx, dt, m_contact.bodies().maxBodySpeed(m_time) * dt};
        m_contact.apply(m_grid, contactStep, {m_particles, m_order}, nullptr);
        const NodeWork work = nodeWork(freeVelocity);
        const VelocityRule rule = velocityRule(m_scene.solver, dt);
        prepareTransfer(m_grid, rule, m_contact.touchedNodes(m_grid));
        Particles next;
        updateParticles(m_particles, m_elastic, m_order, m_grid, m_contact.ofParticles(), rule, next);
        const double stressWork = workOfStress(next), stored = m_ledger.elastic;
        const UpdateResult result =
            updateParticles(m_particles, m_materials, m_order, m_grid, m_contact.ofParticles(), rule, next);
        m_contact.accept();
        m_particles = std::move(next);
        m_maxSpeed = result.max_speed;
        m_maxWave = result.max_wave_speed;
        const double kineticBefore = m_ledger.kinetic;
        measure();
        m_ledger.contact += work.contact;
        m_ledger.steps += work.steps;
        m_ledger.plastic += stressWork - (m_ledger.elastic - stored);
        m_ledger.transfer += kineticBefore - work.before + work.after - m_ledger.kinetic;
    }

    std::vector<std::vector<Vec3d>> newVelocities() const
    {
        std::vector<std::vector<Vec3d>> result(m_grid.leafCount());
        for (std::size_t leaf = 0; leaf < result.size(); ++leaf)
            for (int n = 0; n < nodesPerLeaf; ++n) result[leaf].push_back(at(m_grid.newVelocity(leaf), n));
        return result;
    }

    NodeWork nodeWork(const std::vector<std::vector<Vec3d>>& freeVelocity) const
    {
        NodeWork work;
        for (std::size_t leaf = 0; leaf < m_grid.leafCount(); ++leaf)
            for (int n = 0; n < nodesPerLeaf; ++n) {
                const double mass = static_cast<double>(m_grid.mass(leaf, n));
                const Vec3d v0 = at(m_grid.oldVelocity(leaf), n), v2 = at(m_grid.newVelocity(leaf), n);
                const Vec3d& v1 = freeVelocity[leaf][static_cast<std::size_t>(n)];
                work.before += mass * v0.squaredNorm() / 2;
                work.contact += mass * (v2 - v1).dot(v0 + v2) / 2;
                work.steps += mass * (v1 - v0).dot(v2 - v0) / 2;
                work.after += mass * v2.squaredNorm() / 2;
            }
        return work;
    }

    static Vec3d at(const float* velocities, int node)
    {
        const float* v = velocities + 4 * node;
        return Vec3f(v[0], v[1], v[2]).cast<double>();
    }

    double elasticEnergy(const Particles& particles, const Materials& materials) const
    {
        double sum = 0;
        for (std::size_t p = 0; p < particles.size(); ++p) {
            const MaterialState<double> state = materialState(particles, p);
            sum += static_cast<double>(particles.volume0[p]) *
                   std::visit([&](const auto& model) { return model.energyDensity(state); },
                              materials[particles.material[p]]);
        }
        return sum;
    }

    /// V tau : dt grad v, with the stress at the step's start and dt grad v from F_E before its return.
    double workOfStress(const Particles& deformed) const
    {
        double sum = 0;
        for (std::size_t k = 0; k < deformed.size(); ++k) {
            const std::size_t p = m_order.index[k];
            const MaterialState<double> state = materialState(m_particles, p);
            const Symmetric3<double> tau = std::visit([&](const auto& model) { return model.kirchhoffStress(state); },
                                                      m_materials[m_particles.material[p]]);
            const Mat3d change = deformation(deformed, k) * deformation(m_particles, p).inverse() - Mat3d::Identity();
            sum += static_cast<double>(m_particles.volume0[p]) *
                   (tau.xx * change(0, 0) + tau.yy * change(1, 1) + tau.zz * change(2, 2) +
                    tau.xy * (change(0, 1) + change(1, 0)) + tau.xz * (change(0, 2) + change(2, 0)) +
                    tau.yz * (change(1, 2) + change(2, 1)));
        }
        return sum;
    }

    static Mat3d deformation(const Particles& particles, std::size_t p)
    {
        Mat3d F;
        for (int e = 0; e < 9; ++e) F(e / 3, e % 3) = static_cast<double>(particles.F_E[e][p]);
        return F;
    }

    void measure()
    {
        const double h = m_scene.solver.dx;
        m_ledger.kinetic = m_ledger.potential = 0;
        for (std::size_t p = 0; p < m_particles.size(); ++p) {
            const double mass = static_cast<double>(m_particles.mass[p]);
            double squared = 0, affine = 0;
            for (const auto& column : m_particles.velocity) squared += std::pow(static_cast<double>(column[p]), 2);
            if (m_particles.affine)
                for (const auto& column : m_particles.C) affine += std::pow(static_cast<double>(column[p]), 2);
            m_ledger.kinetic += mass * (squared + affine * h * h / 3) / 2;
            m_ledger.potential -= mass * m_scene.solver.gravity.dot(position(m_particles, p, h));
        }
        m_ledger.elastic = elasticEnergy(m_particles, m_materials);
    }

    Scene m_scene;
    std::vector<Body> m_bodies;
    SnowContact m_contact;
    Materials m_materials, m_elastic;
    std::vector<std::string> m_remarks;
    Grid m_grid;
    Order m_order;
    Particles m_particles;
    Ledger m_ledger;
    double m_minMass = 0, m_time = 0, m_maxSpeed = 100, m_maxWave = 100;
};

void run(const char* name, const Scene& scene, double seconds)
{
    constexpr int samples = 20;
    EnergyRun energy(scene);
    const Ledger start = energy.ledger();
    double scale = start.kinetic, most = 0;
    std::printf("%s\n%8s %10s %10s %10s %10s %10s %10s %10s %8s\n", name, "t, s", "kinetic", "elastic", "potential",
                "contact", "plastic", "transfer", "steps", "open, %");
    for (int sample = 0; sample <= samples; ++sample) {
        if (sample > 0) energy.advance(seconds / samples);
        const Ledger& now = energy.ledger();
        const double potential = now.potential - start.potential;
        for (const double change : {potential, now.contact, now.plastic, now.elastic})
            scale = std::max(scale, std::abs(change));
        const double open = 100 * (now.total() - start.total()) / std::max(scale, 1e-12);
        if (sample > 0) most = std::max(most, std::abs(open));
        std::printf("%8.4f %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g %8.3f\n", seconds * sample / samples,
                    now.kinetic, now.elastic, potential, now.contact, now.plastic, now.transfer, now.steps, open);
        std::fflush(stdout);
    }
    std::printf("largest open share %.3g %%, to meet 1 %%\n\n", most);
}

}  // namespace

int main(int argc, char** argv)
try {
    const auto wanted = [&](const char* name) {
        return argc == 1 ||
               std::any_of(argv + 1, argv + argc, [&](const char* a) { return std::strcmp(a, name) == 0; });
    };
    const physics::Setting setting;
    if (wanted("impact")) run("impact, 20 m/s", physics::impactScene(setting, 20, 10), 0.04);
    if (wanted("print")) run("footprint", physics::footprintScene(setting, 0.02), 0.55);
    if (wanted("rolling")) run("rolling ball", physics::rollingScene(setting, 0.5), 0.4);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

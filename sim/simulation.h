#pragma once
// A snow simulation: seeded from a scene or restored from a checkpoint, advanced frame by frame.

#include <functional>
#include <memory>
#include <string>

#include "common/cache/checkpoint.h"
#include "common/cache/particle_frame.h"
#include "common/scene/scene.h"
#include "sim/diagnostics.h"
#include "sim/particles.h"

namespace firn {

/// What one frame took; the fields of stats.jsonl that the solver knows.
struct FrameStats {
    int frame = 0;
    double time_s = 0;
    long substeps = 0;
    double dt_min_s = 0;
    double dt_max_s = 0;
    std::string dt_limit;  // what limited most substeps: "wave speed", "particle speed", "body speed", "dt_s", "frame"
    std::string integrator;         // "explicit" or "implicit"
    std::string integrator_reason;  // "solver.integrator", or what spoke for it where that is "auto"
    std::size_t particles = 0;
    std::size_t sleeping = 0;  // of these
    std::size_t leaves = 0;    // occupied or reached by a kernel, last substep
    long cr_iterations = 0;
    long cr_failures = 0;
    long rollbacks = 0;
    double seconds = 0;  // wall time spent in advanceFrame, over all its calls for this frame
    double mass_kg = 0;
    Vec3d momentum = Vec3d::Zero();
    double max_speed_m_s = 0;
    Diagnostics diagnostics;
};

/// Told after every substep.
struct SubstepStatus {
    int frame = 0;              // the frame being simulated
    double frame_fraction = 0;  // share of it that is done
    long substep = 0;
    double dt_s = 0;
    std::string dt_limit;
    std::size_t particles = 0;
    std::size_t leaves = 0;
};

/// Seconds by phase since the start, for performance.md and the benchmarks.
struct PhaseSeconds {
    double sort = 0, rasterize = 0, forces = 0, grid = 0, solve = 0, particles = 0;
};

class Simulation {
public:
    /// Seeds the snow and builds the bodies; the state is that of scene.start_frame. Throws Error.
    explicit Simulation(const Scene& scene);
    /// Goes on from a checkpoint. Throws Error when it does not fit.
    Simulation(const Scene& scene, const Checkpoint& checkpoint);
    ~Simulation();

    int frame() const;  // last completed frame
    std::size_t particleCount() const;
    /// Advances to the next frame. `goOn` is asked after each substep; when it answers false the state is left
    /// between substeps (a checkpoint then holds it) and false is returned.
    /// Throws Error(Diverged) with step, time and particle when a step fails max_halvings times.
    bool advanceFrame(const std::function<bool(const SubstepStatus&)>& goOn);
    const FrameStats& stats() const;  // of the last completed frame, or of the one under way
    PhaseSeconds phases() const;
    std::size_t bytes() const;            // held by particles and grid
    ParticleFrame particleFrame() const;  // scene_hash and fps left to the caller
    /// The same in pieces, for the cache; valid until the simulation changes.
    ParticleSource particleSource() const;
    /// Views into this simulation's memory, valid until it changes.
    CheckpointView checkpoint() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace firn

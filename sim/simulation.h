#pragma once
// A snow simulation. It is seeded from a scene or restored from a checkpoint, and advanced frame by frame.

#include <functional>
#include <memory>

#include "common/body/body.h"
#include "common/cache/checkpoint.h"
#include "common/cache/particle_frame.h"
#include "common/scene/scene.h"
#include "sim/frame_stats.h"

namespace firn {

class Simulation {
public:
    /// Seeds the snow and builds the bodies; the state is that of scene.start_frame. Throws Error.
    explicit Simulation(const Scene& scene);
    /// Continues from a checkpoint. Throws Error when the checkpoint does not fit.
    Simulation(const Scene& scene, const Checkpoint& checkpoint);
    ~Simulation();

    int frame() const;  // last completed frame
    std::size_t particleCount() const;
    /// Advances to the next frame and returns true. `goOn` is called after each substep. When it returns false before
    /// the frame is complete, advanceFrame returns false; the state is then between two substeps, and a checkpoint can
    /// hold it. Throws Error(Diverged) with step, time and particle when a step fails even after max_halvings halvings
    /// of dt.
    bool advanceFrame(const std::function<bool(const SubstepStatus&)>& goOn);
    /// Wakes all sleeping snow, to measure what a step costs at most.
    void wakeAll();
    /// What the user should look at in a freshly seeded scene, one sentence each. None after a restore.
    const std::vector<std::string>& remarks() const;
    const std::vector<Body>& bodies() const;
    /// The regions of streams that flow now and whose mouth holds at least twice the snow that fills it, and how many
    /// times.
    std::vector<std::pair<std::size_t, double>> fullMouths() const;
    const FrameStats& stats() const;  // of the frame under way, or else of the last completed one
    PhaseSeconds phases() const;
    std::size_t bytes() const;            // of memory held by particles, grid and solver
    ParticleFrame particleFrame() const;  // without scene_hash and fps, which the caller knows
    /// The same in parts, for the cache; valid until the simulation changes.
    ParticleSource particleSource() const;
    /// The particles that left the simulation in the last completed frame, behind the window; until the next substep.
    ParticleSource frozenSource() const;
    /// Views into this simulation's memory, valid until it changes.
    CheckpointView checkpoint() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace firn

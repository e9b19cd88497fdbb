#pragma once
// Where a simulation stands, beside its particles: all that a checkpoint must hold to go on to the same bits.

#include <map>
#include <string>

#include "sim/material_table.h"
#include "sim/particles.h"
#include "sim/simulation.h"

namespace firn {

struct SolverState {
    int frame = 0;                       // last completed
    double time_in_frame = 0;            // s since then
    long steps = 0;                      // since the start
    double max_speed = 0;                // m/s, of particles, for the next step's length
    double max_wave_speed = 0;           // m/s
    bool implicit = false;               // how the frame under way is integrated
    double iterations_per_courant = 0;   // of the last implicit frame, see integrator_choice.h; 0 = none yet
    std::map<std::string, long> limits;  // substeps of the frame by what limited them
    FrameStats stats;                    // of the frame under way

    /// Clears the frame's counters and names the frame that is to be completed.
    void startFrame(const Scene& scene);
};

/// What a state of fresh particles is: their number, mass, momentum, fastest particle and fastest pressure wave.
void measure(const Particles& particles, const MaterialTable& materials, SolverState& state);

/// Views of all that goes into a checkpoint; the columns of sleeping particles are named "sleeping.…".
CheckpointView checkpointView(const Particles& awake, const Particles& asleep, const SolverState& state);

/// Reads state and particles back. Throws Error(File) where a block is missing or of the wrong size.
void restore(const Checkpoint& checkpoint, Particles& awake, Particles& asleep, SolverState& state);

}  // namespace firn

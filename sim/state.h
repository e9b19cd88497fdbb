#pragma once
// The state of a simulation beside its particles: all that a resumed run needs to give the same bits.

#include <map>
#include <string>

#include "common/cache/checkpoint.h"
#include "sim/frame_stats.h"
#include "sim/material/materials.h"
#include "sim/particles.h"

namespace firn {

struct SolverState {
    int frame = 0;                       // last completed
    double time_in_frame = 0;            // s since then
    long steps = 0;                      // since the start
    double max_speed = 0;                // m/s, of particles, for the next step's length
    double max_wave_speed = 0;           // m/s
    bool implicit = false;               // whether the frame under way takes implicit steps
    double iterations_per_courant = 0;   // of the last implicit frame, see integrator_choice.h; 0 = none yet
    std::map<std::string, long> limits;  // substeps of the frame by what limited them
    FrameStats stats;                    // of the frame under way

    /// Clears the counters of the frame and sets its number and time.
    void startFrame(const Scene& scene);
};

/// The fastest pressure wave in the particles from `first` on, m/s.
double fastestWave(const Particles& particles, const Materials& materials, std::size_t first = 0);

/// Measures freshly seeded particles: number, mass, momentum, fastest particle and fastest pressure wave.
void measure(const Particles& particles, const Materials& materials, SolverState& state);

/// Views of all that a checkpoint holds. The names of the sleeping particles' columns begin with "sleeping.", those of
/// the particles that were frozen in the frame with "frozen.".
CheckpointView checkpointView(const Particles& awake, const Particles& asleep, const Particles& frozen,
                              const SolverState& state);

/// Whether the state is of a moment within a frame: the run was stopped there. Throws Error(File) for a wrong header.
bool isWithinFrame(const Checkpoint& checkpoint);

/// Reads state and particles back. Throws Error(File) where a block is missing or of the wrong size.
void restore(const Checkpoint& checkpoint, Particles& awake, Particles& asleep, Particles& frozen, SolverState& state);

}  // namespace firn

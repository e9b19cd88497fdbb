#pragma once
// Snow that is rendered but not simulated: the undisturbed field around a shot, and layers that wait for the window.

#include "common/body/body.h"
#include "render/snow_particles.h"

namespace firn {

class StillSnow {
public:
    /// Particles of still regions and of waiting layers as they are seeded, without those inside bodies at time 0.
    /// Throws Error(File) when the file of a region cannot be read.
    StillSnow(const Scene& scene, const std::vector<Body>& bodies);

    /// What is still in a frame: the layers without the snow that the window has reached.
    SnowParticles at(int frame) const;
    /// Of the waiting layers alone.
    SnowParticles waitingAt(int frame) const;

private:
    SnowParticles m_always, m_waiting;
    std::vector<int> m_reached;  // frame in which the window reaches each particle of m_waiting
};

}  // namespace firn

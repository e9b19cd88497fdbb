#pragma once
// Finds the particles that a step may bring into contact.

#include <span>
#include <vector>

#include "sim/contact.h"
#include "sim/contact_point.h"
#include "sim/order.h"
#include "sim/particles.h"
#include "sim/touch.h"

namespace firn {

/// A step, as contact needs to know it.
struct ContactStep {
    double spacing_m = 0;
    double dt_s = 0;
    double body_path_m = 0;    // that a body may move in the step
    bool starts_shot = false;  // whether it is the first step of all
    bool implicit = false;
    std::span<const float> adhesion_pa = {};  // of the snow of each region; empty: none
};

/// The points of one block. Contact acts on the snow at the surface point nearest to a particle. A particle touches at
/// its reach: its distance when it first came near, but at most half of the distance between particles, or all of this
/// distance where it lay beside the body when the shot started, or has slept since it was seeded; never more than half
/// a cell. It is remembered, with the impulse of the last step, until it is 0.3 cells beyond its reach. The bodies must
/// be placed for the step.
std::vector<ContactPoint> findContacts(const Contact& contact, const Particles& particles, const Order& order,
                                       const Block& block, const Touches& touches, const ContactStep& step);

}  // namespace firn

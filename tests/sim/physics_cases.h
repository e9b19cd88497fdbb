#pragma once
// Small experiments whose results are known: impacts, compression, rolling, sliding, spin. The tests run a few of them;
// the campaign tests/campaign/physics.cpp runs all, for each transfer, and prints a table.

#include <vector>

#include "common/scene/scene.h"
#include "sim/state.h"

namespace firn::physics {

/// How an experiment is run. Results should depend little on it.
struct Setting {
    Transfer transfer = Transfer::AffineFlip;
    Integrator integrator = Integrator::Explicit;
    ContactMethod contact = ContactMethod::Impulses;
    double tilt_deg = 0;       // of the whole experiment about z, relative to the grid
    double shift_cells = 0;    // of the whole experiment along all axes
    double shorter_steps = 1;  // by this factor
};

struct Impact {
    double leaving_m_s = 0;    // centre of mass, along the plane's normal
    double kinetic_share = 0;  // of the energy before
    double elastic_share = 0;
    double thrown_share = 0;   // of the mass, away from the plane faster than a fifth of the impact's speed
    double densest_kg_m3 = 0;  // of a particle, at any frame
};

/// The scenes of three experiments, upright. Their frames are as long as the caller says.
Scene impactScene(const Setting& setting, double speed_m_s, int cells);
Scene rollingScene(const Setting& setting, double friction);
Scene footprintScene(const Setting& setting, double dx);

/// A cube of packing snow, 20 cm wide, falls flat onto ground without friction. `cells` is the number of cells of its
/// edge; the result is taken when it has left the ground or come to rest.
Impact impact(const Setting& setting, double speed_m_s, int cells);

struct Compression {
    double sinkage_10_kPa = 0, sinkage_20_kPa = 0, sinkage_50_kPa = 0;  // of the depth; 0 = not reached
    double band_amplitude = 0, band_rms = 0;  // of density in the middle half, at 15 % sinkage, over its mean
};

/// A column of the paper's snow between walls without friction is compressed slowly by a plate.
Compression compression(const Setting& setting, int cells);

/// The closed form: the share of the depth by which a column of the paper's snow sinks under a pressure.
double sinkageUnder(double pressure_pa);

struct Rolling {
    double slip = 0;          // v / (omega R)
    double acceleration = 0;  // over 5/7 g sin(slope)
    double height_cells = 0;  // of the ball's lowest point above the plane
};

/// An elastic ball of twelve cells' radius rolls down 30 degrees for 0.8 s.
Rolling rolling(const Setting& setting, double friction);

/// How far an unsettled elastic block slides in 1 s down 30 degrees with friction 0.7, in cells.
double blockCreep(const Setting& setting);

struct Landing {
    double height_cells = 0;      // above the ground
    double kinetic_J_per_kg = 0;  // that is left
};

/// A block of the paper's snow falls on the ground at 0.5 m/s, and rests there 1 s later.
Landing landing(const Setting& setting);

/// A ball of packing snow hits a bed of powder at 11.3 m/s: the share of mass above 1 m/s after 50 ms.
double crater(const Setting& setting);

/// The relative change of momentum in free flight, over 3000 steps.
double momentumDrift(const Setting& setting);

/// The speed of the centre of mass of a ball that is seeded with a spin of 60 rad/s, m/s.
double spinDrift(const Setting& setting);

struct Print {
    double depth_m = 0;  // of its floor below the undisturbed surface
    double rim_m = 0;    // height of the highest column beside it above that surface
};

/// A rounded block of 10 x 20 cm is pressed 7 cm deep into 14 cm of settled snow and lifted again. The result is taken
/// from columns of 2 cm.
Print footprint(const Setting& setting, double dx);

/// A column of the paper's snow between walls without friction carries more and more of its own weight, slowly. The
/// height under which its first particle yields, in metres; the closed form is M theta_c / (rho g) = 0.991 m.
double yieldHeight(const Setting& setting, int cells);

}  // namespace firn::physics

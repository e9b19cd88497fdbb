#pragma once
// Air that slows and carries loose snow. A particle that few others are near stands for crumbs of its region's size,
// and each crumb has the drag of a sphere; packed snow is not touched.
//
// The drag of a sphere of diameter d that moves at u relative to air: a = -3/4 C_d rho_air |u| u / (rho_snow d), with
// C_d = 24 / Re (1 + 0.15 Re^0.687), at least 0.44, Re = rho_air |u| d / viscosity (Schiller & Naumann 1935; Clift,
// Grace & Weber 1978, Bubbles, Drops, and Particles, table 5.1).

#include <vector>

#include "common/scene/scene.h"

namespace firn {

/// Drag coefficient of a sphere by its Reynolds number, which must be above 0.
double dragCoefficient(double reynolds);

class AirFlow {
public:
    explicit AirFlow(const Scene& scene);

    /// Whether there is air at all.
    bool isThere() const { return m_air.density_kg_m3 > 0; }

    /// Velocity of the air at a place and a time, m/s: the wind and its gusts, which are free of divergence.
    Vec3d velocity(const Vec3d& place_m, double time_s) const;

    /// How much a particle is exposed to air, from 0 to 1. `share` is sum w_ip m_p / m_i: 64 for a
    /// particle that is alone, 1/8 inside snow of 8 particles per cell.
    static double exposure(double share);

    double density() const { return m_air.density_kg_m3; }
    /// How fast gusts spread what the air carries: their turbulent diffusivity, m^2/s.
    double spread() const;

    /// The rate at which air slows crumbs of a region that move through it at `speed`, 1/s. `exposure` is the share of
    /// the drag that acts.
    double dragRate(double exposure, double speed, std::size_t region, double snowDensity) const;

    /// The speed of a sphere that falls through still air, m/s.
    double fallSpeed(double diameter_m, double density, double gravity) const;

    /// Velocity of crumbs of a region after dt, from the velocity before it, in air that moves with `wind`. `exposure`
    /// is the share of the drag that acts. Stable for any dt.
    Vec3d slowed(const Vec3d& velocity, const Vec3d& wind, std::size_t region, double snowDensity, double exposure,
                 double dt_s) const;

private:
    Air m_air;
    std::vector<double> m_crumb_m;  // diameter, by region
};

}  // namespace firn

#pragma once
// The light of the clear sky: sunlight that air, haze and ozone of a spherical atmosphere scatter and absorb. Light
// that is scattered once is integrated along rays; light that is scattered more often is taken from a table, as in
// Hillaire 2020, A Scalable and Production Ready Sky and Atmosphere Rendering Technique.

#include <array>
#include <vector>

#include "common/math.h"

namespace firn {

constexpr int wavelengthCount = 16;
/// Values at 16 wavelengths from 390 to 720 nm.
using Spectrum = Eigen::Array<float, wavelengthCount, 1>;

struct AtmosphereSettings {
    double turbidity = 2;        // optical depth of air and haze over that of air, at 550 nm; at least 1
    double ground_albedo = 0.6;  // grey
};

/// Heights are in km above the ground. `up` and `sunUp` are cosines of the angles to the zenith.
class Atmosphere {
public:
    explicit Atmosphere(const AtmosphereSettings& settings);

    /// Irradiance on a surface that faces the sun, outside of the atmosphere. Its luminance is 1.
    const Spectrum& sunlight() const { return m_sunlight; }

    /// The share of light that comes through the atmosphere from outside; 0 from below the horizon.
    Spectrum transmittance(double height_km, double up) const;

    /// Radiance that a ray collects from an observer to the end of the atmosphere, or to the ground, which is black
    /// here. `rayToSun` is the cosine of the angle between the ray and the sun. `through`, if given, gets the share of
    /// light that passes the ray from its end to the observer.
    Spectrum scattered(double height_km, double up, double sunUp, double rayToSun, Spectrum* through = nullptr) const;

    /// Linear Rec. 709 of a spectrum; components that the colour space has no place for are 0.
    Vec3d color(const Spectrum& light) const;

private:
    /// Densities relative to those on the ground; integrated along a ray, km.
    struct Columns {
        double air = 0, haze = 0, ozone = 0;
    };

    static Columns densities(double height_km);
    static Columns column(double height_km, double up);
    Columns columnAt(double height_km, double up) const;
    Spectrum extinction(const Columns& at) const { return airOf(at) + hazeOf(at) / m_hazeAlbedo + ozoneOf(at); }
    Spectrum airOf(const Columns& at) const { return static_cast<float>(at.air) * m_air; }
    Spectrum hazeOf(const Columns& at) const { return static_cast<float>(at.haze) * m_haze; }
    Spectrum ozoneOf(const Columns& at) const { return static_cast<float>(at.ozone) * m_ozone; }
    void tabulateColumns();
    void tabulateSeveral(double groundAlbedo);
    Spectrum severalFor(double height_km, double sunUp, double groundAlbedo) const;
    Spectrum several(double height_km, double sunUp) const;

    Spectrum m_sunlight, m_air, m_haze, m_ozone;  // scattering of air and haze, absorption of ozone, 1/km
    float m_hazeAlbedo;
    Eigen::Matrix<double, 3, wavelengthCount> m_toColor;
    std::vector<Columns> m_columns;
    std::vector<Spectrum> m_several;  // scattered several times, of sunlight 1, isotropic: radiance over scattering
};

}  // namespace firn

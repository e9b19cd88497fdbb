#include "render/sky/atmosphere.h"

#include <algorithm>
#include <cmath>

#include "common/image/luminance.h"
#include "render/sky/spectrum.h"

namespace firn {

namespace {

constexpr double groundRadius_km = 6360, thickness_km = 100, topRadius_km = groundRadius_km + thickness_km;
constexpr double first_nm = 390, step_nm = 22;
// Sizes of the tables.
constexpr int heights = 32, angles = 128, severalHeights = 16, suns = 64;

std::size_t indexIn(int columns, int row, int column)
{
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
}

double wavelengthOf(int i) { return first_nm + step_nm * i; }

// Means over bins of 10 nm; the first is 360 to 370 nm.
constexpr double firstBin_nm = 360, binWidth_nm = 10;
/// Of the sun outside of the atmosphere, W / (m^2 nm): ASTM G173-03, Reference Solar Spectral Irradiances.
constexpr std::array solarIrradiance{
    1.11776, 1.14259, 1.01249, 1.14716, 1.72765, 1.73054, 1.6887, 1.61253, 1.91198, 2.03474, 2.02042, 2.02212, 1.93377,
    1.95809, 1.91686, 1.8298,  1.8685,  1.8931,  1.85149, 1.8504, 1.8341,  1.8345,  1.8147,  1.78158, 1.7533,  1.6965,
    1.68194, 1.64654, 1.6048,  1.52143, 1.55622, 1.5113,  1.474,  1.4482,  1.41018, 1.36775, 1.34188, 1.31429};
/// Absorption cross section of ozone at 233 K, m^2: University of Bremen, Molecular Spectroscopy group, 2011.
constexpr std::array ozoneCrossSection{
    1.18e-27,  2.182e-28, 2.818e-28, 6.636e-28, 1.527e-27, 2.763e-27, 5.52e-27,  8.451e-27, 1.582e-26, 2.316e-26,
    3.669e-26, 4.924e-26, 7.752e-26, 9.016e-26, 1.48e-25,  1.602e-25, 2.139e-25, 2.755e-25, 3.091e-25, 3.5e-25,
    4.266e-25, 4.672e-25, 4.398e-25, 4.701e-25, 5.019e-25, 4.305e-25, 3.74e-25,  3.215e-25, 2.662e-25, 2.238e-25,
    1.852e-25, 1.473e-25, 1.209e-25, 9.423e-26, 7.455e-26, 6.566e-26, 5.105e-26, 4.15e-26};

template <std::size_t count>
double interpolated(const std::array<double, count>& bins, double wavelength_nm)
{
    const double place = (wavelength_nm - firstBin_nm) / binWidth_nm - 0.5;
    const auto below = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(below);
    return (1 - share) * bins.at(below) + share * bins.at(below + 1);
}

/// Scattering of air at sea level, 1/km (Bruneton and Neyret 2008, Precomputed Atmospheric Scattering, table 1).
double airScattering(double wavelength_nm) { return 1.24062e-3 / std::pow(1e-3 * wavelength_nm, 4.0); }

constexpr double airScale_km = 8, hazeScale_km = 1.2;
// Of the aerosol "continental clean" of Hess, Koepke and Schult 1998, Optical Properties of Aerosols and Clouds.
constexpr double hazeAlbedo = 0.972, hazeExponent = 1.3;
constexpr float hazeAsymmetry = 0.709f;

/// Phase functions, 1/sr, of air (Rayleigh) and haze (Cornette and Shanks 1992).
double airPhase(double cosine) { return 3 / (16 * pi) * (1 + cosine * cosine); }
double hazePhase(double cosine)
{
    const double g = static_cast<double>(hazeAsymmetry), base = 1 + g * g - 2 * g * cosine;
    return 3 / (8 * pi) * (1 - g * g) / (2 + g * g) * (1 + cosine * cosine) / (base * std::sqrt(base));
}

/// Distance (km) along a ray to the sphere of a radius around the Earth's centre, to the far side.
double distanceTo(double radius_km, double height_km, double up)
{
    const double r = groundRadius_km + height_km;
    return -r * up + std::sqrt(std::max(0.0, r * r * (up * up - 1) + radius_km * radius_km));
}

bool meetsGround(double height_km, double up)
{
    const double r = groundRadius_km + height_km;
    return up < 0 && r * r * (1 - up * up) < groundRadius_km * groundRadius_km;
}

double distanceToGround(double height_km, double up)
{
    const double r = groundRadius_km + height_km;
    return -r * up - std::sqrt(std::max(0.0, r * r * (up * up - 1) + groundRadius_km * groundRadius_km));
}

/// Calls visit(height_km, t, dt, upThere) for points along a ray, closer to each other near its start. `upThere` is the
/// cosine of the ray's angle to the zenith there.
template <class Visit>
void march(double height_km, double up, int steps, const Visit& visit)
{
    const double length =
        meetsGround(height_km, up) ? distanceToGround(height_km, up) : distanceTo(topRadius_km, height_km, up);
    const double r = groundRadius_km + height_km;
    const auto end = [&](int i) {
        return length * (static_cast<double>(i) / steps) * (static_cast<double>(i) / steps);
    };
    for (int i = 0; i < steps; ++i) {
        const double t = 0.5 * (end(i) + end(i + 1)), there = std::sqrt(r * r + t * t + 2 * r * up * t);
        visit(std::max(0.0, there - groundRadius_km), t, end(i + 1) - end(i), (r * up + t) / there);
    }
}

/// The sun's height in the table: dense near the horizon.
double sunOfRow(int i)
{
    const double x = 2.0 * i / (suns - 1) - 1;  // -1 … 1
    return x < 0 ? -0.4 * x * x : x * x;
}

double rowOfSun(double sunUp)
{
    const double x = sunUp < 0 ? -std::sqrt(std::min(1.0, sunUp / -0.4)) : std::sqrt(std::min(1.0, sunUp));
    return 0.5 * (x + 1) * (suns - 1);
}

}  // namespace

/// Ozone: a layer from 10 to 40 km with its maximum at 25 km (Bruneton 2017, A Qualitative and Quantitative Evaluation
/// of 8 Clear Sky Models, section 3).
Atmosphere::Columns Atmosphere::densities(double height_km)
{
    return {std::exp(-height_km / airScale_km), std::exp(-height_km / hazeScale_km),
            std::max(0.0, 1 - std::abs(height_km - 25) / 15)};
}

Atmosphere::Columns Atmosphere::column(double height_km, double up)
{
    constexpr int steps = 64;
    Columns sum;
    march(height_km, up, steps, [&](double height, double, double dt, double) {
        const Columns here = densities(height);
        sum.air += here.air * dt;
        sum.haze += here.haze * dt;
        sum.ozone += here.ozone * dt;
    });
    return sum;
}

Atmosphere::Atmosphere(const AtmosphereSettings& settings) : m_hazeAlbedo(static_cast<float>(hazeAlbedo))
{
    constexpr double dobsonUnits = 300, perDobsonUnit = 2.687e20, ozoneDepth_m = 15e3;  // molecules / m^2
    constexpr double reference_nm = 550;
    const double hazeDepth = (settings.turbidity - 1) * airScale_km * airScattering(reference_nm);
    Eigen::Matrix<double, 3, wavelengthCount> matching;
    for (int i = 0; i < wavelengthCount; ++i) {
        const double l = wavelengthOf(i);
        m_sunlight[i] = static_cast<float>(interpolated(solarIrradiance, l));
        m_air[i] = static_cast<float>(airScattering(l));
        m_haze[i] =
            static_cast<float>(hazeAlbedo * hazeDepth / hazeScale_km * std::pow(l / reference_nm, -hazeExponent));
        m_ozone[i] =
            static_cast<float>(1e3 * dobsonUnits * perDobsonUnit / ozoneDepth_m * interpolated(ozoneCrossSection, l));
        matching.col(i) = colorMatching(l);
    }
    const double luminanceOfSun = matching.row(1) * m_sunlight.cast<double>().matrix();
    m_sunlight /= static_cast<float>(luminanceOfSun);
    for (int i = 0; i < wavelengthCount; ++i) m_toColor.col(i) = rec709OfXyz(matching.col(i));
    tabulateColumns();
    tabulateSeveral(settings.ground_albedo);
}

/// The table's axes are those of Bruneton and Neyret 2008, section 4: the distance to the top over what it may be, and
/// the distance to the horizon. Rays that meet the ground have no place in it.
void Atmosphere::tabulateColumns()
{
    const double horizonOfTop = std::sqrt(topRadius_km * topRadius_km - groundRadius_km * groundRadius_km);
    m_columns.resize(static_cast<std::size_t>(heights) * angles);
    for (int h = 0; h < heights; ++h) {
        const double horizon = horizonOfTop * h / (heights - 1);
        const double r = std::sqrt(horizon * horizon + groundRadius_km * groundRadius_km);
        const double nearest = topRadius_km - r, farthest = horizon + horizonOfTop;
        for (int a = 0; a < angles; ++a) {
            const double d = nearest + (farthest - nearest) * a / (angles - 1);
            const double up = d > 0 ? (horizonOfTop * horizonOfTop - horizon * horizon - d * d) / (2 * r * d) : 1;
            m_columns[indexIn(angles, h, a)] = column(r - groundRadius_km, std::clamp(up, -1.0, 1.0));
        }
    }
}

Atmosphere::Columns Atmosphere::columnAt(double height_km, double up) const
{
    const double r = groundRadius_km + height_km;
    const double horizonOfTop = std::sqrt(topRadius_km * topRadius_km - groundRadius_km * groundRadius_km);
    const double horizon = std::sqrt(std::max(0.0, r * r - groundRadius_km * groundRadius_km));
    const double nearest = topRadius_km - r, farthest = horizon + horizonOfTop;
    const double x = std::clamp((distanceTo(topRadius_km, height_km, up) - nearest) / (farthest - nearest), 0.0, 1.0);
    const double a = x * (angles - 1), h = std::min(1.0, horizon / horizonOfTop) * (heights - 1);
    const int i = std::min(static_cast<int>(h), heights - 2), j = std::min(static_cast<int>(a), angles - 2);
    const double u = h - i, v = a - j;
    Columns sum;
    const auto add = [&](int row, int column, double weight) {
        const Columns& of = m_columns[indexIn(angles, row, column)];
        sum.air += weight * of.air;
        sum.haze += weight * of.haze;
        sum.ozone += weight * of.ozone;
    };
    add(i, j, (1 - u) * (1 - v));
    add(i, j + 1, (1 - u) * v);
    add(i + 1, j, u * (1 - v));
    add(i + 1, j + 1, u * v);
    return sum;
}

Spectrum Atmosphere::transmittance(double height_km, double up) const
{
    if (meetsGround(height_km, up)) return Spectrum::Zero();
    return (-extinction(columnAt(height_km, up))).exp();
}

Spectrum Atmosphere::scattered(double height_km, double up, double sunUp, double rayToSun, Spectrum* through) const
{
    constexpr int steps = 64;
    const double r = groundRadius_km + height_km;
    Spectrum sum = Spectrum::Zero(), passed = Spectrum::Ones();
    march(height_km, up, steps, [&](double height, double t, double dt, double) {
        const double sunThere = (r * sunUp + t * rayToSun) / (groundRadius_km + height);
        const Columns here = densities(height);
        const Spectrum air = airOf(here), haze = hazeOf(here), lost = extinction(here);
        const Spectrum source =
            m_sunlight * (transmittance(height, sunThere) * (air * static_cast<float>(airPhase(rayToSun)) +
                                                             haze * static_cast<float>(hazePhase(rayToSun))) +
                          several(height, sunThere) * (air + haze));
        const Spectrum left = (-lost * static_cast<float>(dt)).exp();
        sum += passed * source * (1 - left) / lost.max(1e-12f);
        passed *= left;
    });
    if (through != nullptr) *through = passed;
    return sum;
}

/// Hillaire 2020, section 5.5: light that is scattered twice, by an isotropic phase function, and its geometric series.
Spectrum Atmosphere::severalFor(double height_km, double sunUp, double groundAlbedo) const
{
    constexpr int steps = 20, rings = 8, perRing = 8;
    constexpr auto isotropic = static_cast<float>(1 / (4 * pi));
    const double r = groundRadius_km + height_km, sunAcross = std::sqrt(std::max(0.0, 1 - sunUp * sunUp));
    Spectrum twice = Spectrum::Zero(), share = Spectrum::Zero();
    for (int ring = 0; ring < rings; ++ring) {
        const double up = 1 - (2 * ring + 1.0) / rings, across = std::sqrt(1 - up * up);
        for (int k = 0; k < perRing; ++k) {
            const double rayToSun = up * sunUp + across * sunAcross * std::cos(2 * pi * (k + 0.5) / perRing);
            Spectrum passed = Spectrum::Ones();
            march(height_km, up, steps, [&](double height, double t, double dt, double) {
                const double sunThere = (r * sunUp + t * rayToSun) / (groundRadius_km + height);
                const Columns here = densities(height);
                const Spectrum scattering = airOf(here) + hazeOf(here), lost = extinction(here);
                const Spectrum left = (-lost * static_cast<float>(dt)).exp();
                const Spectrum seen = passed * scattering * (1 - left) / lost.max(1e-12f);
                twice += seen * transmittance(height, sunThere) * isotropic;
                share += seen;
                passed *= left;
            });
            if (!meetsGround(height_km, up)) continue;
            const double t = distanceToGround(height_km, up);
            const double sunThere = (r * sunUp + t * rayToSun) / groundRadius_km;
            if (sunThere > 0)
                twice += passed * transmittance(0, sunThere) * static_cast<float>(sunThere * groundAlbedo / pi);
        }
    }
    constexpr float directions = rings * perRing;
    return (twice / directions) / (1 - share / directions);
}

void Atmosphere::tabulateSeveral(double groundAlbedo)
{
    m_several.resize(static_cast<std::size_t>(severalHeights) * suns);
    for (int h = 0; h < severalHeights; ++h) {
        const double share = static_cast<double>(h) / (severalHeights - 1);
        for (int s = 0; s < suns; ++s)
            m_several[indexIn(suns, h, s)] = severalFor(thickness_km * share * share, sunOfRow(s), groundAlbedo);
    }
}

Spectrum Atmosphere::several(double height_km, double sunUp) const
{
    const double h = std::sqrt(std::clamp(height_km / thickness_km, 0.0, 1.0)) * (severalHeights - 1);
    const double s = rowOfSun(sunUp);
    const int i = std::min(static_cast<int>(h), severalHeights - 2), j = std::min(static_cast<int>(s), suns - 2);
    const auto u = static_cast<float>(h - i), v = static_cast<float>(s - j);
    const auto at = [&](int row, int column) -> const Spectrum& { return m_several[indexIn(suns, row, column)]; };
    return (1 - u) * ((1 - v) * at(i, j) + v * at(i, j + 1)) + u * ((1 - v) * at(i + 1, j) + v * at(i + 1, j + 1));
}

Vec3d Atmosphere::color(const Spectrum& light) const
{
    return (m_toColor * light.cast<double>().matrix()).cwiseMax(0.0);
}

}  // namespace firn

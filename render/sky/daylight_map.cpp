#include "render/sky/daylight_map.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

constexpr int rows = 256, columns = 2 * rows;
constexpr double eye_km = 0.1;

/// Light of the sun's disk, which the horizon may hide in part: the mean over strips of equal area, as seen from the
/// observer.
Spectrum sunlightAt(const Atmosphere& atmosphere, double elevation_deg, double diameter_deg)
{
    constexpr int strips = 16;
    Spectrum sum = Spectrum::Zero();
    for (int i = 0; i < strips; ++i) {
        // Height of the strip's middle over the radius: the inverse of the disk's area below it, to a thousandth.
        const double share = (i + 0.5) / strips;
        double low = -1, high = 1;
        for (int k = 0; k < 20; ++k) {
            const double x = 0.5 * (low + high), below = 0.5 + (x * std::sqrt(1 - x * x) + std::asin(x)) / pi;
            (below < share ? low : high) = x;
        }
        const double elevation = elevation_deg + 0.25 * (low + high) * diameter_deg;
        if (elevation > 0) sum += atmosphere.transmittance(eye_km, std::sin(elevation * pi / 180));
    }
    return sum / static_cast<float>(strips) * atmosphere.sunlight();
}

}  // namespace

DaylightMap daylightMap(const AtmosphereSettings& settings, double sunElevation_deg, double sunDiameter_deg)
{
    const Atmosphere atmosphere(settings);
    const double sunUp = std::sin(sunElevation_deg * pi / 180), sunAcross = std::cos(sunElevation_deg * pi / 180);
    const Spectrum sun = sunlightAt(atmosphere, sunElevation_deg, sunDiameter_deg);

    DaylightMap map;
    map.width = columns;
    map.height = rows;
    map.pixels.resize(static_cast<std::size_t>(rows) * columns);
    map.sun_irradiance = atmosphere.color(sun).cast<float>();
    const auto angleOf = [](int row) { return pi * (row + 0.5) / rows; };  // from the zenith
    const auto raysToSun = [&](int row, int column) {  // the cosine between them; column 0 is below the sun
        const double azimuth = 2 * pi * (column + 0.5) / columns;
        return std::cos(angleOf(row)) * sunUp + std::sin(angleOf(row)) * sunAcross * std::cos(azimuth);
    };
    const auto setBoth = [&](int row, int column, const Vec3f& color) {  // the map is the same on both sides of the sun
        Vec3f* const pixels = map.pixels.data() + static_cast<std::ptrdiff_t>(row) * columns + columns / 2;
        pixels[column] = pixels[-1 - column] = color;
    };

    std::vector<Spectrum> fromRow(rows / 2, Spectrum::Zero());  // irradiance on level ground
    tbb::parallel_for(0, rows / 2, [&](int row) {
        const double up = std::cos(angleOf(row));
        const double weight = up * 2 * pi / columns * (std::cos(pi * row / rows) - std::cos(pi * (row + 1) / rows));
        for (int column = 0; column < columns / 2; ++column) {
            const Spectrum light = atmosphere.scattered(eye_km, up, sunUp, raysToSun(row, column));
            fromRow[static_cast<std::size_t>(row)] += light * static_cast<float>(2 * weight);
            setBoth(row, column, atmosphere.color(light).cast<float>());
        }
    });
    Spectrum onGround = sun * static_cast<float>(std::max(0.0, sunUp));
    for (const Spectrum& part : fromRow) onGround += part;
    const Spectrum ground = onGround * static_cast<float>(settings.ground_albedo / pi);
    tbb::parallel_for(rows / 2, rows, [&](int row) {
        for (int column = 0; column < columns / 2; ++column) {
            Spectrum through;
            const Spectrum haze =
                atmosphere.scattered(eye_km, std::cos(angleOf(row)), sunUp, raysToSun(row, column), &through);
            setBoth(row, column, atmosphere.color(haze + through * ground).cast<float>());
        }
    });
    return map;
}

}  // namespace firn

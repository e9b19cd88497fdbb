#include "sim/cli/density_preview.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/image/view.h"

namespace firn {

namespace {

constexpr int mostAcross = 320, mostUp = 200;  // pixels
constexpr double outermost = 0.005;            // share of particles at each end that may lie outside

/// The value below which this share of the particles lies along an axis.
double quantile(const ParticleFrame& frame, int axis, double share)
{
    std::vector<double> values;
    values.reserve(frame.size());
    for (const Vec3d& x : frame.position_m) values.push_back(x[axis]);
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// kg per pixel, row by row from the top.
std::vector<double> columnMasses(const ParticleFrame& frame, const PreviewWindow& window)
{
    std::vector<double> masses(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height), 0.0);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const Vec3d at = (frame.position_m[i] - window.min) / window.metres_per_pixel;
        const double u = std::floor(at[window.across]), v = std::floor(at[window.up]);
        if (u < 0 || v < 0 || u >= window.width || v >= window.height) continue;
        const std::size_t row = static_cast<std::size_t>(window.height - 1 - static_cast<int>(v));
        masses[row * static_cast<std::size_t>(window.width) + static_cast<std::size_t>(u)] +=
            static_cast<double>(frame.mass_kg[i]);
    }
    return masses;
}

}  // namespace

void SnowBounds::extend(const ParticleFrame& frame)
{
    if (frame.size() == 0) return;
    Vec3d low, high;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = quantile(frame, axis, outermost);
        high[axis] = quantile(frame, axis, 1 - outermost);
    }
    box.extend(low);
    box.extend(high);
    dx_m = std::max(dx_m, frame.dx_m);
}

PreviewWindow previewWindow(const SnowBounds& bounds)
{
    PreviewWindow window;
    if (bounds.box.isEmpty()) return window;
    Vec3d size = bounds.box.sizes();
    const double shorter = std::min(size.x(), size.z());
    const int away = size.y() < 0.5 * shorter ? 1 : size.z() > size.x() ? 0 : 2;
    window.across = away == 0 ? 2 : 0;
    window.up = away == 1 ? 2 : 1;
    const Vec3d margin = Vec3d::Constant(0.04 * size.maxCoeff() + bounds.dx_m + 1e-6);
    window.min = bounds.box.min() - margin;
    size += 2 * margin;
    // At least half a cell: with finer pixels, a region would show as dots.
    window.metres_per_pixel = std::max({size[window.across] / mostAcross, size[window.up] / mostUp, 0.5 * bounds.dx_m});
    window.width = std::clamp(static_cast<int>(size[window.across] / window.metres_per_pixel), 1, mostAcross);
    window.height = std::clamp(static_cast<int>(size[window.up] / window.metres_per_pixel), 1, mostUp);
    return window;
}

double middleColumnMass(const ParticleFrame& frame, const PreviewWindow& window)
{
    std::vector<double> masses = columnMasses(frame, window);
    std::erase(masses, 0.0);
    if (masses.empty()) return 0;
    const auto middle = masses.begin() + static_cast<std::ptrdiff_t>(masses.size() / 2);
    std::nth_element(masses.begin(), middle, masses.end());
    return *middle;
}

Rgb8Image densityPreview(const ParticleFrame& frame, const PreviewWindow& window)
{
    Rgb8Image image{window.width, window.height, {}};
    for (const double mass : columnMasses(frame, window)) {
        const double tone = mass > 0 ? 1 - std::exp(-1.1 * mass / window.reference) : 0;
        // From night blue to white, in linear light.
        for (const double dark : {0.010, 0.014, 0.022}) {
            image.pixels.push_back(static_cast<std::uint8_t>(
                std::lround(255 * srgbEncode(static_cast<float>(dark + tone * (0.95 - dark))))));
        }
    }
    return image;
}

}  // namespace firn

#include "render/rest_places.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>

namespace firn {

RestPlaces::RestPlaces(const ParticleFrame& first, const DensitySettings& settings) : m_rests(first.size())
{
    const std::vector<float> surroundings = surroundingsOf(first, settings);
    for (std::size_t i = 0; i < first.size(); ++i)
        m_rests[i] = {first.id[i], first.position_m[i].cast<float>(), surroundings[i]};
    tbb::parallel_sort(m_rests.begin(), m_rests.end(), [](const Rest& a, const Rest& b) { return a.id < b.id; });
}

RestState RestPlaces::of(const ParticleFrame& particles, const std::vector<float>& surroundings) const
{
    RestState result{std::vector<Vec3f>(particles.size()), surroundings};
    tbb::parallel_for(std::size_t{0}, particles.size(), [&](std::size_t i) {
        const std::uint32_t id = particles.id[i];
        const auto found = std::lower_bound(m_rests.begin(), m_rests.end(), id,
                                            [](const Rest& rest, std::uint32_t wanted) { return rest.id < wanted; });
        const bool isKnown = found != m_rests.end() && found->id == id;
        result.place_m[i] = isKnown ? found->place_m : particles.position_m[i].cast<float>();
        if (isKnown) result.surroundings[i] = found->surroundings;
    });
    return result;
}

namespace {

/// Volume, and volume times the shift towards the place of rest, on a grid with voxels twice as wide as particles.
class ShiftField {
public:
    ShiftField(const ParticleFrame& particles, const std::vector<Vec3f>& rest_m, double voxel_m) : m_voxel_m(voxel_m)
    {
        ParticleFrame amounts;
        amounts.position_m = particles.position_m;
        amounts.id = particles.id;
        amounts.mass_kg = particles.volume0_m3;
        const std::vector<float> widths(particles.size(), static_cast<float>(voxel_m));
        m_volume = rasterize(amounts, voxel_m, widths);
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            for (std::size_t i = 0; i < particles.size(); ++i)
                amounts.mass_kg[i] =
                    particles.volume0_m3[i] * (rest_m[i][axis] - static_cast<float>(particles.position_m[i][axis]));
            m_shift[static_cast<std::size_t>(axis)] = rasterize(amounts, voxel_m, widths);
        }
    }

    /// The mean shift at a point (m), m; `otherwise` where no snow is.
    Vec3f at(const Vec3d& point, const Vec3f& otherwise) const
    {
        const Vec3d p = point / m_voxel_m;
        const float volume = m_volume.interpolate(p);
        constexpr float least = 0.02f;
        if (volume < least) return otherwise;
        return Vec3f(m_shift[0].interpolate(p), m_shift[1].interpolate(p), m_shift[2].interpolate(p)) / volume;
    }

    double voxel_m() const { return m_voxel_m; }

private:
    double m_voxel_m;
    DensityGrid m_volume;
    std::array<DensityGrid, 3> m_shift;
};

}  // namespace

std::vector<float> strainsOf(const ParticleFrame& particles, const std::vector<Vec3f>& rest_m,
                             const DensitySettings& settings)
{
    const ShiftField field(particles, rest_m, 2 * settings.voxel_m);
    std::vector<float> strains(particles.size());
    tbb::parallel_for(std::size_t{0}, particles.size(), [&](std::size_t i) {
        const Vec3d& x = particles.position_m[i];
        const Vec3f shift = rest_m[i] - x.cast<float>();
        if (shift.isZero()) return;  // still
        const double step = 0.5 * field.voxel_m();
        Mat3f J = Mat3f::Identity();
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            const Vec3d offset = step * Vec3d::Unit(axis);
            J.col(axis) += (field.at(x + offset, shift) - field.at(x - offset, shift)) / static_cast<float>(2 * step);
        }
        strains[i] = 0.5f * (J.transpose() * J - Mat3f::Identity()).norm();
    });
    return strains;
}

}  // namespace firn

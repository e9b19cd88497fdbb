#include "render/rest_places.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace firn {

RestPlaces::RestPlaces(const SnowParticles& first, const DensitySettings& settings,
                       std::shared_ptr<const SourcePlaces> sources)
    : m_rests(first.size()), m_sources(std::move(sources))
{
    const std::vector<float> surroundings = surroundingsOf(first, settings);
    for (std::size_t i = 0; i < first.size(); ++i)
        m_rests[i] = {first.id[i], first.position_m[i].cast<float>(), surroundings[i]};
    tbb::parallel_sort(m_rests.begin(), m_rests.end(), [](const Rest& a, const Rest& b) { return a.id < b.id; });
}

RestState RestPlaces::of(const SnowParticles& particles, const std::vector<float>& surroundings) const
{
    RestState result{std::vector<Vec3f>(particles.size()), surroundings};
    tbb::parallel_for(std::size_t{0}, particles.size(), [&](std::size_t i) {
        const std::uint32_t id = particles.id[i];
        const auto found = std::lower_bound(m_rests.begin(), m_rests.end(), id,
                                            [](const Rest& rest, std::uint32_t wanted) { return rest.id < wanted; });
        const bool isKnown = found != m_rests.end() && found->id == id;
        if (isKnown) {
            result.place_m[i] = found->place_m;
            result.surroundings[i] = found->surroundings;
            return;
        }
        const std::optional<Vec3d> place = m_sources ? m_sources->of(id) : std::nullopt;
        result.place_m[i] = place.value_or(particles.position_m[i]).cast<float>();
    });
    return result;
}

MeanField shiftField(const SnowParticles& particles, const std::vector<Vec3f>& rest_m, double voxel_m)
{
    std::vector<Vec3f> shifts(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) shifts[i] = rest_m[i] - particles.position_m[i].cast<float>();
    return {particles, particles.volume0_m3, shifts, voxel_m};
}

std::vector<float> elongationsOf(const SnowParticles& particles, const std::vector<Vec3f>& rest_m,
                                 const MeanField& shifts)
{
    constexpr float most = 10;
    std::vector<float> elongations(particles.size());
    tbb::parallel_for(std::size_t{0}, particles.size(), [&](std::size_t i) {
        const Vec3d& x = particles.position_m[i];
        const Vec3f shift = rest_m[i] - x.cast<float>();
        if (shift.isZero()) return;  // still
        const double step = 0.5 * shifts.voxel_m();
        Mat3f J = Mat3f::Identity();
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            const Vec3d offset = step * Vec3d::Unit(axis);
            const Vec3f after = shifts.at((x + offset).cast<float>(), shift),
                        before = shifts.at((x - offset).cast<float>(), shift);
            J.col(axis) += (after - before) / static_cast<float>(2 * step);
        }
        const Mat3f squared = J.transpose() * J;
        const float least =
            Eigen::SelfAdjointEigenSolver<Mat3f>().computeDirect(squared, Eigen::EigenvaluesOnly).eigenvalues()(0);
        elongations[i] = std::min(most, 1 / std::sqrt(std::max(least, 1e-6f)) - 1);
    });
    return elongations;
}

SnowHistory historyOf(const SnowParticles& particles, const RestPlaces& rest, const DensitySettings& settings)
{
    SnowHistory history{surroundingsOf(particles, settings), {}, {}, {}};
    history.rest = rest.of(particles, history.surroundings);
    history.shifts =
        std::make_unique<const MeanField>(shiftField(particles, history.rest.place_m, 2 * settings.voxel_m));
    history.elongations = elongationsOf(particles, history.rest.place_m, *history.shifts);
    return history;
}

}  // namespace firn

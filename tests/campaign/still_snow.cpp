// How much the density of still snow changes from frame to frame with detail.
//
//     ninja -C build still_snow
//     build/tests/campaign/still_snow SCENE CACHE FIRST LAST
//
// For each pair of consecutive frames, places are chosen near particles that do not move, with still snow around them:
// half of them where the surface is. The program prints the sum of the changes of extinction over the sum of extinction
// (0.001 asked), and the share of places where it changes by more than 1 %.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/scene/load.h"
#include "render/shot.h"

using namespace firn;

namespace {

constexpr int wanted = 200'000;
constexpr float stillShift_m = 1e-6f;

/// The largest shift of a particle near each place.
class Shifts {
public:
    Shifts(const ParticleFrame& before, const ParticleFrame& after, double reach_m) : m_reach_m(reach_m)
    {
        if (before.id != after.id) throw Error(ExitCode::File, "expected the same particles in both frames");
        for (std::size_t i = 0; i < after.size(); ++i) {
            const double shift = (after.position_m[i] - before.position_m[i]).norm();
            if (shift > static_cast<double>(stillShift_m)) m_moved.push_back(cellOf(after.position_m[i]));
        }
        std::sort(m_moved.begin(), m_moved.end());
        m_moved.erase(std::unique(m_moved.begin(), m_moved.end()), m_moved.end());
    }

    bool isStill(const Vec3d& place) const
    {
        const Key cell = cellOf(place);
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    const Key near{cell[0] + x, cell[1] + y, cell[2] + z};
                    if (std::binary_search(m_moved.begin(), m_moved.end(), near)) return false;
                }
        return true;
    }

private:
    using Key = std::array<int, 3>;
    Key cellOf(const Vec3d& place) const
    {
        const Vec3i cell = (place / m_reach_m).array().floor().cast<int>();
        return {cell.x(), cell.y(), cell.z()};
    }

    double m_reach_m;
    std::vector<Key> m_moved;  // cells with particles that moved
};

ParticleFrame frameOf(const CacheLayout& cache, int frame)
{
    ParticleFrame particles = readPointsFile(cache.framePath(frame));
    particles.frame = frame;
    return particles;
}

struct Change {
    double sum = 0, all = 0;
    int places = 0, changed = 0;

    void add(double before, double after)
    {
        if (before + after == 0) return;
        const double change = std::abs(after - before);
        sum += change;
        all += before;
        ++places;
        if (change > 0.01 * std::max(before, after)) ++changed;
    }
};

Change compare(const Volume& before, const Volume& after, const ParticleFrame& particles, const Shifts& shifts,
               double spread_m)
{
    Change change;
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> chosen(0, particles.size() - 1);
    std::uniform_real_distribution<double> offset(-spread_m, spread_m);
    for (int tries = 0; tries < 20 * wanted && change.places < wanted; ++tries) {
        const Vec3d place =
            particles.position_m[chosen(random)] + Vec3d(offset(random), offset(random), offset(random));
        if (!shifts.isStill(place)) continue;
        const Vec3f point = place.cast<float>();
        const auto first = static_cast<double>(before.extinction(point));
        const bool isSurface = before.gradient(point).norm() * static_cast<float>(spread_m) > static_cast<float>(first);
        if (!isSurface && tries % 8 != 0) continue;  // mostly the surface
        change.add(first, static_cast<double>(after.extinction(point)));
    }
    return change;
}

void run(const std::filesystem::path& scenePath, const CacheLayout& cache, int first, int last)
{
    const Scene scene = loadScene(scenePath).scene;
    DensitySettings settings;
    settings.voxel_m = voxelSize_m(scene, 0);
    const Shot shot(scene, RestPlaces(frameOf(cache, scene.start_frame), settings));
    ParticleFrame particles = frameOf(cache, first);
    auto before = std::make_unique<const ShotFrame>(shot.frame(particles));
    for (int frame = first + 1; frame <= last; ++frame) {
        ParticleFrame next = frameOf(cache, frame);
        auto after = std::make_unique<const ShotFrame>(shot.frame(next));
        const Shifts shifts(particles, next, 4 * settings.voxel_m);
        const Change change =
            compare(*before->renderScene().volume, *after->renderScene().volume, next, shifts, 2 * settings.voxel_m);
        std::printf("%d to %d: change %.5f %%, by more than 1 %% in %.4f %% of %d places\n", frame - 1, frame,
                    100 * change.sum / change.all, 100.0 * change.changed / std::max(change.places, 1), change.places);
        std::fflush(stdout);
        particles = std::move(next);
        before = std::move(after);
    }
}

}  // namespace

int main(int count, char** words)
{
    const std::span<char*> arguments(words, static_cast<std::size_t>(count));
    if (count != 5) {
        std::fputs("still_snow: expected SCENE CACHE FIRST LAST\n", stderr);
        return 2;
    }
    try {
        run(arguments[1], CacheLayout{arguments[2]}, std::atoi(arguments[3]), std::atoi(arguments[4]));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "still_snow: %s\n", e.what());
        return 1;
    }
}

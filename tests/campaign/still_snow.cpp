// How much the density of still snow changes from frame to frame with detail.
//
//     ninja -C build still_snow
//     build/tests/campaign/still_snow SCENE CACHE FIRST LAST
//
// For each pair of consecutive frames, places are chosen near particles that move by less than 10 micrometres, with
// such snow around them, in the strip that is simulated and in the still field: most of them where the surface is. The
// program prints the sum of the changes of extinction over the sum of extinction (0.001 asked), and the share of places
// where it changes by more than 1 %.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/body/body.h"
#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/scene/load.h"
#include "render/shot.h"
#include "render/still_snow.h"

using namespace firn;

namespace {

constexpr int wanted = 200'000;
constexpr double stillShift_m = 1e-5;

/// Where particles have moved from one frame to the next.
class Shifts {
public:
    Shifts(const SnowParticles& before, const SnowParticles& after, double reach_m) : m_reach_m(reach_m)
    {
        std::unordered_map<std::uint32_t, std::size_t> places;
        for (std::size_t i = 0; i < before.size(); ++i) places[before.id[i]] = i;
        for (std::size_t i = 0; i < after.size(); ++i) {
            const auto found = places.find(after.id[i]);
            const bool isStill = found != places.end() &&
                                 (after.position_m[i] - before.position_m[found->second]).norm() <= stillShift_m;
            if (!isStill) m_moved.push_back(cellOf(after.position_m[i]));
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

SnowParticles frameOf(const CacheLayout& cache, int frame)
{
    ParticleFrame particles = readPointsFile(cache.framePath(frame));
    particles.frame = frame;
    return snowParticles(std::move(particles));
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

Change compare(const Volume& before, const Volume& after, const SnowParticles& particles, const Shifts& shifts,
               double spread_m)
{
    Change change;
    std::mt19937 random(1);
    if (particles.size() == 0) return change;
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
    const Shot shot(scene, frameOf(cache, scene.start_frame));
    const SnowParticles still = StillSnow(scene, makeBodies(scene)).at(first);
    SnowParticles particles = frameOf(cache, first);
    auto before = std::make_unique<const ShotFrame>(shot.frame(particles));
    for (int frame = first + 1; frame <= last; ++frame) {
        SnowParticles next = frameOf(cache, frame);
        auto after = std::make_unique<const ShotFrame>(shot.frame(next));
        const Shifts shifts(particles, next, 4 * settings.voxel_m);
        using Named = std::pair<const char*, const SnowParticles*>;
        for (const auto& [name, of] : {Named("simulated", &next), Named("still", &still)}) {
            const Change change =
                compare(*before->renderScene().volume, *after->renderScene().volume, *of, shifts, 2 * settings.voxel_m);
            if (change.places == 0) continue;
            std::printf("%d to %d, %s: change %.5f %%, by more than 1 %% in %.4f %% of %d places\n", frame - 1, frame,
                        name, 100 * change.sum / change.all, 100.0 * change.changed / change.places, change.places);
            std::fflush(stdout);
        }
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

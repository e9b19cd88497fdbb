#include "common/body/level_sequence.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "common/body/mesh_file.h"
#include "common/body/numbered_files.h"
#include "common/body/recent.h"
#include "common/body/text_input.h"
#include "common/body/vdb_surface.h"
#include "common/error.h"
#include "common/io/frame_range.h"

namespace firn {

namespace {

constexpr double farVoxels = 16;  // that a surface without velocities may move in a frame

/// One file.
struct Key {
    std::shared_ptr<const TriangleMesh> mesh;
    std::vector<Vec3d> vertices;
    std::vector<Vec3d> velocities;  // m/s; none: the file has none
    std::unique_ptr<const KeyLevel> level;
};

class LevelSequence final : public KeySource {
public:
    LevelSequence(const SequenceOptions& options, const KeyLevelOptions& level)
        : m_options(options),
          m_level(level),
          m_files(numberedFiles(options.pattern, options.source)),
          m_content(options.pattern)
    {
        const Key first = readKey(0);
        checkKeyLevel(first.vertices, first.mesh->triangles, level, options.source);
    }

    double origin_s() const override
    {
        return ((m_files.first - m_options.first_number) / m_options.fps - m_options.offset_s) / m_options.speed;
    }
    double frame_s() const override { return 1 / (m_options.fps * m_options.speed); }
    int partsOf(long) const override { return 1; }

    std::shared_ptr<const KeyedPath> path(double start_s, double end_s) const override
    {
        const std::lock_guard lock(m_mutex);
        const long first = indexAt(start_s), last = indexAt(end_s);
        auto path = std::make_shared<KeyedPath>();
        path->start_s = start_s;
        path->length_s = end_s - start_s;
        path->first = keyAt(first)->vertices;
        path->last = keyAt(last)->vertices;
        const bool rests = clamped(first) == clamped(last);
        path->first_velocities = rests ? std::vector<Vec3d>(path->first.size(), Vec3d::Zero()) : velocitiesAt(first);
        path->last_velocities = rests ? std::vector<Vec3d>(path->last.size(), Vec3d::Zero()) : velocitiesAt(last);
        for (const auto* velocities : {&path->first_velocities, &path->last_velocities})
            for (const Vec3d& v : *velocities) path->fastest_m_s = std::max(path->fastest_m_s, v.norm());
        for (const auto* vertices : {&path->first, &path->last})
            for (const Vec3d& x : *vertices) path->bounds.extend(x);
        const Vec3d bulge = Vec3d::Constant(0.5 * path->fastest_m_s * path->length_s);
        path->bounds = Box3d(path->bounds.min() - bulge, path->bounds.max() + bulge);
        return path;
    }

    std::shared_ptr<const KeyLevel> level(double time_s, const std::vector<Vec3d>&) const override
    {
        const std::lock_guard lock(m_mutex);
        const std::shared_ptr<const Key> key = keyAt(indexAt(time_s));
        return {key, key->level.get()};
    }

    /// Of the nearest file, carried by its velocities.
    std::shared_ptr<const TriangleMesh> mesh(double time_s) const override
    {
        const std::lock_guard lock(m_mutex);
        const double frames = (time_s - origin_s()) / frame_s();
        const auto nearest = std::lround(frames);
        const double after_s = (frames - static_cast<double>(nearest)) * frame_s();
        const std::shared_ptr<const Key> key = keyAt(nearest);
        const bool rests = frames <= 0 || frames >= m_files.count - 1;
        if (rests || std::abs(after_s) < 1e-6 * frame_s()) return key->mesh;
        auto moved = std::make_shared<TriangleMesh>(*key->mesh);
        const std::vector<Vec3d> velocities = velocitiesAt(nearest);
        for (std::size_t v = 0; v < velocities.size(); ++v)
            moved->vertices[v] = (key->vertices[v] + after_s * velocities[v]).cast<float>();
        return moved;
    }

private:
    long clamped(long index) const { return std::clamp(index, 0L, static_cast<long>(m_files.count) - 1); }
    long indexAt(double time_s) const { return std::lround((time_s - origin_s()) / frame_s()); }

    std::shared_ptr<const Key> keyAt(long index) const
    {
        return m_keys.get(clamped(index), [&] { return std::make_shared<const Key>(readKey(clamped(index))); });
    }

    Key readKey(long index) const
    {
        const int number = m_files.first + static_cast<int>(index);
        const std::filesystem::path file = framePath(m_options.pattern, number);
        VdbKey read = readNamed(file);
        m_content.requireSame(number, m_options.source);
        const Mat3d toScene = m_options.scale * yUpFrom(m_options.up_axis);
        transformVertices(read.surface.mesh, toScene);
        if (findDefects(read.surface.mesh).boundary_edges > 0) checkClosed(read.surface.mesh, file.string());
        if (signedVolume(read.surface.mesh) < 0)
            for (Vec3i& t : read.surface.mesh.triangles) std::swap(t[1], t[2]);
        Key key;
        for (const Vec3f& v : read.surface.mesh.vertices) key.vertices.push_back(v.cast<double>());
        for (const Vec3f& v : read.velocities) key.velocities.push_back(m_options.speed * (toScene * v.cast<double>()));
        double fastest = 0;
        for (const Vec3d& v : key.velocities) fastest = std::max(fastest, v.norm());
        KeyLevelOptions level = m_level;
        level.reach_m += level.voxel_m;
        level.reach_m += key.velocities.empty() ? farVoxels * level.voxel_m : fastest * frame_s();
        key.mesh = std::make_shared<const TriangleMesh>(std::move(read.surface.mesh));
        key.level = std::make_unique<const KeyLevel>(key.vertices, key.mesh->triangles, level);
        return key;
    }

    VdbKey readNamed(const std::filesystem::path& file) const
    {
        try {
            return readVdbKey(file);
        } catch (const Error& error) {
            throw Error(error.code(), m_options.source + ": " + error.what());
        }
    }

    std::vector<Vec3d> velocitiesAt(long index) const
    {
        const std::shared_ptr<const Key> key = keyAt(index);
        return key->velocities.empty() ? velocitiesFromLevels(*key, clamped(index)) : key->velocities;
    }

    /// v = -n dphi/dt: a central difference, at the ends of the sequence a difference to the one side.
    std::vector<Vec3d> velocitiesFromLevels(const Key& key, long index) const
    {
        const long before = clamped(index - 1), after = clamped(index + 1);
        const std::shared_ptr<const Key> earlier = keyAt(before), later = keyAt(after);
        const double length_s = static_cast<double>(after - before) * frame_s();
        std::vector<Vec3d> velocities;
        velocities.reserve(key.vertices.size());
        for (const Vec3d& x : key.vertices) {
            Vec3d normal, unused;
            key.level->distance(x, normal);
            const double change = later->level->distance(x, unused) - earlier->level->distance(x, unused);
            velocities.push_back(length_s > 0 ? Vec3d(-change / length_s * normal) : Vec3d::Zero());
        }
        return velocities;
    }

    const SequenceOptions m_options;
    const KeyLevelOptions m_level;
    const NumberedFiles m_files;
    const SequenceContent m_content;
    mutable std::mutex m_mutex;  // of what follows
    mutable Recent<long, Key> m_keys{4};
};

}  // namespace

std::shared_ptr<const KeySource> makeLevelSequence(const SequenceOptions& options, const KeyLevelOptions& level)
{
    return std::make_shared<const LevelSequence>(options, level);
}

}  // namespace firn

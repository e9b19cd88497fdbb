#include "common/body/keyed_piece.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "common/body/keyed_interval.h"
#include "common/body/recent.h"
#include "common/body/swept_bounds.h"

namespace firn {

namespace {

constexpr int maxKeysPerFrame = 32;

class PlacedKeyed final : public PlacedPiece {
public:
    struct Place {
        Pose start, end;
        double start_s, length_s;
    };

    PlacedKeyed(std::shared_ptr<const KeyedInterval> interval, const SurfaceFriction& friction, const Place& place)
        : m_interval(std::move(interval)),
          m_friction(friction),
          m_place(place),
          m_from(m_interval->shareAt(place.start_s)),
          m_to(m_interval->shareAt(place.start_s + place.length_s))
    {
    }

    double distance(const Vec3d& point, Vec3d& normal) const override
    {
        const double distance = m_interval->distance(m_place.end.toLocal(point), m_to, normal);
        normal = m_place.end.rotation * normal;
        return distance;
    }

    bool within(const Vec3d& point, double reach_m, double& signedDistance, Vec3d& normal) const override
    {
        if (!mayTouch(point, reach_m)) return false;
        signedDistance = distance(point, normal);
        return !(signedDistance > reach_m);
    }

    Vec3d velocity(const Vec3d& point) const override
    {
        if (m_place.length_s == 0) return Vec3d::Zero();
        const Vec3d local = m_place.end.toLocal(point);
        const Vec3d before = local - m_interval->displacement(local, m_from, m_to);
        return (point - m_place.start.toWorld(before)) / m_place.length_s;
    }

    Friction friction(const Vec3d& point, const Vec3d& normal) const override
    {
        if (!m_friction.dependsOnTriangle()) return m_friction.at(normal, -1);
        return m_friction.at(normal, m_interval->triangleAt(m_place.end.toLocal(point), m_to));
    }

    bool mayTouch(const Vec3d& center, double radius_m) const override
    {
        const Vec3d local = m_place.end.toLocal(center);
        return m_interval->path().bounds.exteriorDistance(local) <= radius_m &&
               m_interval->mayTouch(local, radius_m, m_to);
    }

private:
    const std::shared_ptr<const KeyedInterval> m_interval;
    const SurfaceFriction& m_friction;
    const Place m_place;
    const double m_from, m_to;  // shares of the interval
};

/// A surface whose triangles keep their vertices.
class SurfaceSource final : public KeySource {
public:
    SurfaceSource(std::shared_ptr<const DeformingSurface> surface, const KeyedOptions& options)
        : m_surface(std::move(surface)), m_options(options)
    {
    }

    double frame_s() const override { return m_options.frame_s; }

    /// Key times are so close that no vertex moves farther between them than distances reach.
    int partsOf(long frame) const override
    {
        constexpr int samples = 8;
        double farthest = 0;
        std::vector<Vec3d> before, now;
        m_surface->positions(m_options.frame_s * static_cast<double>(frame), before);
        for (int k = 1; k <= samples; ++k) {
            m_surface->positions(m_options.frame_s * (static_cast<double>(frame) + static_cast<double>(k) / samples),
                                 now);
            for (std::size_t v = 0; v < now.size(); ++v) farthest = std::max(farthest, (now[v] - before[v]).norm());
            before.swap(now);
        }
        int parts = 1;
        while (parts < maxKeysPerFrame && samples * farthest > parts * m_options.reach_m) parts *= 2;
        return parts;
    }

    std::shared_ptr<const KeyedPath> path(double start_s, double end_s) const override
    {
        return std::make_shared<const KeyedPath>(makeKeyedPath(*m_surface, start_s, end_s - start_s));
    }

    std::shared_ptr<const KeyLevel> level(double, const std::vector<Vec3d>& vertices) const override
    {
        // One voxel more, so that distances are known up to the reach itself.
        return std::make_shared<const KeyLevel>(
            vertices, m_surface->triangles(),
            KeyLevelOptions{m_options.voxel_m, m_options.reach_m + m_options.voxel_m});
    }

    std::shared_ptr<const TriangleMesh> mesh(double time_s) const override
    {
        std::vector<Vec3d> vertices;
        m_surface->positions(time_s, vertices);
        auto mesh = std::make_shared<TriangleMesh>(makeMesh(vertices, m_surface->triangles()));
        mesh->materials = m_surface->materials();
        return mesh;
    }

private:
    const std::shared_ptr<const DeformingSurface> m_surface;
    const KeyedOptions m_options;
};

class KeyedPiece final : public BodyPiece {
public:
    KeyedPiece(std::shared_ptr<const KeySource> source, std::shared_ptr<const Motion> motion,
               const SurfaceFriction& friction)
        : m_source(std::move(source)), m_motion(std::move(motion)), m_friction(friction)
    {
    }

    bool isStatic() const override { return false; }

    std::unique_ptr<const PlacedPiece> place(double start_s, double length_s) const override
    {
        return std::make_unique<PlacedKeyed>(
            intervalAt(start_s + length_s / 2), m_friction,
            PlacedKeyed::Place{m_motion->pose(start_s), m_motion->pose(start_s + length_s), start_s, length_s});
    }

    double maxSpeed(double time_s) const override
    {
        const auto path = pathAt(time_s);
        return path->fastest_m_s + largestSpeed(*m_motion, ballAround(path->bounds), time_s);
    }

    Box3d bounds(double start_s, double length_s) const override
    {
        Box3d local;
        for (double time_s = start_s;;) {
            const auto path = pathAt(time_s);
            local.extend(path->bounds);
            time_s = path->start_s + path->length_s;
            if (!(time_s < start_s + length_s)) break;
        }
        return sweptBounds(*m_motion, local, start_s, length_s);
    }

    PieceSurface surface(double time_s) const override
    {
        return PosedMesh{.mesh = m_source->mesh(time_s), .pose = m_motion->pose(time_s), .is_model = true};
    }

private:
    /// An interval between key times: part `part` of `parts` of a frame. Its ends are the same doubles as those of its
    /// neighbours.
    struct Span {
        long frame = 0;
        int part = 0, parts = 1;

        bool operator==(const Span&) const = default;
        double start_s(const KeySource& source) const { return timeOf(part, source); }
        double end_s(const KeySource& source) const { return timeOf(part + 1, source); }

    private:
        double timeOf(int key, const KeySource& source) const
        {
            return source.origin_s() +
                   source.frame_s() * (static_cast<double>(frame) + static_cast<double>(key) / parts);
        }
    };

    Span spanAt(double time_s) const
    {
        constexpr double rounding = 1e-9;  // of a frame; a time at the end of a span belongs to the next one
        const double frames = (time_s - m_source->origin_s()) / m_source->frame_s() + rounding;
        Span span;
        span.frame = static_cast<long>(std::floor(frames));
        span.parts = partsOf(span.frame);
        span.part = std::min(static_cast<int>((frames - std::floor(frames)) * span.parts), span.parts - 1);
        return span;
    }

    int partsOf(long frame) const
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_parts.find(frame);
        if (known != m_parts.end()) return known->second;
        return m_parts[frame] = m_source->partsOf(frame);
    }

    std::shared_ptr<const KeyedPath> pathAt(double time_s) const
    {
        const Span span = spanAt(time_s);
        const std::lock_guard lock(m_mutex);
        return pathOf(span);
    }

    std::shared_ptr<const KeyedPath> pathOf(const Span& span) const
    {
        return m_paths.get(span, [&] { return m_source->path(span.start_s(*m_source), span.end_s(*m_source)); });
    }

    std::shared_ptr<const KeyedInterval> intervalAt(double time_s) const
    {
        const Span span = spanAt(time_s);
        const std::lock_guard lock(m_mutex);
        return m_intervals.get(span, [&] {
            const auto path = pathOf(span);
            const auto first = levelAt(span.start_s(*m_source), path->first);
            const auto last = levelAt(span.end_s(*m_source), path->last);
            return std::make_shared<const KeyedInterval>(path, first, last);
        });
    }

    std::shared_ptr<const KeyLevel> levelAt(double time_s, const std::vector<Vec3d>& vertices) const
    {
        return m_levels.get(time_s, [&] { return m_source->level(time_s, vertices); });
    }

    const std::shared_ptr<const KeySource> m_source;
    const std::shared_ptr<const Motion> m_motion;
    const SurfaceFriction m_friction;

    mutable std::mutex m_mutex;  // of what follows
    mutable std::map<long, int> m_parts;
    mutable Recent<Span, KeyedPath> m_paths{4};
    mutable Recent<double, KeyLevel> m_levels{2};
    mutable Recent<Span, KeyedInterval> m_intervals{2};
};

}  // namespace

std::shared_ptr<const BodyPiece> makeKeyedPiece(std::shared_ptr<const DeformingSurface> surface,
                                                std::shared_ptr<const Motion> motion, const SurfaceFriction& friction,
                                                const KeyedOptions& options)
{
    return makeKeyedPiece(std::make_shared<const SurfaceSource>(std::move(surface), options), std::move(motion),
                          friction);
}

std::shared_ptr<const BodyPiece> makeKeyedPiece(std::shared_ptr<const KeySource> source,
                                                std::shared_ptr<const Motion> motion, const SurfaceFriction& friction)
{
    return std::make_shared<const KeyedPiece>(std::move(source), std::move(motion), friction);
}

}  // namespace firn

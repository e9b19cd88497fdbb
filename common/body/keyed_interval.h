#pragma once
// A deforming surface between two key times. Each of its points moves on a parabola, so that it is where the animation
// has it at both times, and its velocities there are those of the animation up to a common difference.

#include <memory>
#include <vector>

#include "common/body/deforming_surface.h"
#include "common/body/key_level.h"

namespace firn {

/// The paths of the vertices.
struct KeyedPath {
    double start_s = 0, length_s = 0;
    std::vector<Vec3d> first, last;                        // m, at both times
    std::vector<Vec3d> first_velocities, last_velocities;  // m/s, of the parabolas
    Box3d bounds;                                          // at all times between
    double fastest_m_s = 0;
};

KeyedPath makeKeyedPath(const DeformingSurface& surface, double start_s, double length_s);

/// The level sets at both times, and the velocities near them.
class KeyedInterval {
public:
    KeyedInterval(std::shared_ptr<const KeyedPath> path, std::shared_ptr<const KeyLevel> first,
                  std::shared_ptr<const KeyLevel> last);

    const KeyedPath& path() const { return *m_path; }

    /// Shares of the interval that has passed: 0 at its start, 1 at its end.
    double shareAt(double time_s) const { return (time_s - m_path->start_s) / m_path->length_s; }

    /// Signed distance (m) and unit normal at a point and a share.
    double distance(const Vec3d& point, double share, Vec3d& normal) const;

    /// Whether a ball may touch the piece at a share, from the level set at the nearer key time alone. It may be wrong
    /// only by answering true.
    bool mayTouch(const Vec3d& center, double radius_m, double share) const;

    /// The triangle that is nearest to the material at `point` at a share; -1 where it is not known.
    int triangleAt(const Vec3d& point, double share) const;

    /// Displacement (m), from one share to another, of the material that is at `point` at the share `to`.
    Vec3d displacement(const Vec3d& point, double from, double to) const;

private:
    /// Where the material at a point was and will be at the key times, and its velocities there.
    struct Trace {
        Vec3d first, last;
        Vec3d first_velocity = Vec3d::Zero(), last_velocity = Vec3d::Zero();

        /// From the start of the interval to a share of it.
        Vec3d displacement(double share, double length_s) const
        {
            return length_s * share * (first_velocity + 0.5 * share * (last_velocity - first_velocity));
        }
    };
    Trace trace(const Vec3d& point, double share) const;

    std::shared_ptr<const KeyedPath> m_path;
    KeyVectors m_first, m_last;  // velocities at both times, with the level sets
};

}  // namespace firn

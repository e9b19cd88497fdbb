#pragma once
// What a deforming piece is at its key times and between them, in its own frame.

#include <memory>
#include <vector>

#include "common/body/keyed_interval.h"
#include "common/body/mesh.h"

namespace firn {

/// All members may be called by several threads at a time.
class KeySource {
public:
    virtual ~KeySource() = default;

    /// Frame k begins at origin_s() + k frame_s(), in scene time. It is divided into partsOf(k) equal intervals; their
    /// ends are the key times.
    virtual double origin_s() const { return 0; }
    virtual double frame_s() const = 0;
    virtual int partsOf(long frame) const = 0;

    /// Between two neighbouring key times.
    virtual std::shared_ptr<const KeyedPath> path(double start_s, double end_s) const = 0;
    /// The level set at a key time; `vertices` are those of a path that begins or ends there.
    virtual std::shared_ptr<const KeyLevel> level(double time_s, const std::vector<Vec3d>& vertices) const = 0;
    /// The surface at any time, for rendering.
    virtual std::shared_ptr<const TriangleMesh> mesh(double time_s) const = 0;
};

}  // namespace firn

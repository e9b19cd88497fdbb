#pragma once
// Rays from vertices towards a light, which wait to be traced together.

#include <vector>

#include "render/render_scene.h"
#include "render/wide_tracking.h"

namespace firn {

class ShadowRays {
public:
    /// `scene` must outlive the rays.
    ShadowRays(const RenderScene& scene, int capacity);

    /// Where a ray to a light at this distance ends: a surface on which the light lies does not hide it.
    static float end(float distance) { return 0.9999f * distance; }

    void clear() { m_waiting.clear(); }

    /// `light` is what reaches path number `path` from `distance` (m) if nothing is in the way. `key` starts the random
    /// numbers of the estimate.
    void add(int path, const Ray& ray, float distance, const Vec3f& light, std::uint64_t key);

    /// Calls visit(path, light) with an unbiased estimate of the light that arrives, where it is not zero.
    template <class Visit>
    void trace(Visit visit)
    {
        passMedium();
        for (std::size_t i = 0; i < m_waiting.size(); ++i) {
            const Waiting& shadow = m_waiting[i];
            const float visible = m_transmittance[static_cast<int>(i)];
            if (visible > 0 && !isHidden(shadow)) visit(shadow.path, Vec3f(visible * shadow.light));
        }
    }

private:
    struct Waiting {
        int path;
        Ray ray;
        float distance;
        Vec3f light;
        std::uint64_t key;
    };

    void passMedium();
    bool isHidden(const Waiting& shadow) const;

    const RenderScene& m_scene;
    std::vector<Waiting> m_waiting;
    RayBatch m_rays;
    Column<float> m_transmittance;
};

}  // namespace firn

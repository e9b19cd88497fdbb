#include "render/shadow_rays.h"

#include "render/sampler.h"
#include "render/tracking.h"

namespace firn {

ShadowRays::ShadowRays(const RenderScene& scene, int capacity)
    : m_scene(scene), m_rays(capacity), m_transmittance(capacity)
{
    m_waiting.reserve(static_cast<std::size_t>(capacity));
}

void ShadowRays::add(int path, const Ray& ray, float distance, const Vec3f& light, std::uint64_t key)
{
    m_waiting.push_back({path, ray, distance, light, key});
}

void ShadowRays::passMedium()
{
    m_rays.count = static_cast<int>(m_waiting.size());
    if (m_scene.volume == nullptr) {
        for (int i = 0; i < m_rays.count; ++i) m_transmittance[i] = 1;
        return;
    }
    for (int i = 0; i < m_rays.count; ++i) {
        const Waiting& shadow = m_waiting[static_cast<std::size_t>(i)];
        m_rays.origin.set(i, m_scene.volume->toIndex(shadow.ray.origin));
        m_rays.direction.set(i, shadow.ray.direction);
        m_rays.t_max[i] = shadow.distance / m_scene.volume->voxelSize_m();
        m_rays.key[i] = mixBits(shadow.key);
        m_rays.depth[i] = sampleOpticalDepth(toUnitInterval(static_cast<std::uint32_t>(shadow.key >> 32)));
    }
    estimateTransmittances(*m_scene.volume, m_rays, m_transmittance);
}

bool ShadowRays::isHidden(const Waiting& shadow) const
{
    return m_scene.surfaces != nullptr && m_scene.surfaces->occluded(shadow.ray, end(shadow.distance));
}

}  // namespace firn

#include "render/shot.h"

#include "common/body/body.h"
#include "render/density.h"
#include "render/density_volume.h"
#include "render/reflectance.h"
#include "render/still_snow.h"

namespace firn {

Shot::Shot(const Scene& scene) : Shot(scene, makeBodies(scene)) {}

Shot::Shot(const Scene& scene, const std::vector<Body>& bodies)
    : m_scene(scene), m_still(stillSnow(scene, bodies)), m_surfaces(bodies), m_lights(scene.lights)
{
}

void Shot::setFrame(ParticleFrame particles)
{
    particles.append(m_still);
    const Render& render = m_scene.render;
    const double dx = particles.dx_m > 0 ? particles.dx_m : m_scene.solver.dx;
    DensitySettings settings;
    settings.voxel_m = render.voxel_m > 0 ? render.voxel_m : 0.5 * dx;
    const DensityGrid density = rasterizeDensity(particles, settings);
    m_voxel_m = settings.voxel_m;
    m_voxels = density.voxelCount();
    m_volume.reset();
    if (m_voxels) m_volume = volumeFromDensity(density, render.extinction_per_m / render.reference_density_kg_m3);
    m_shadowRoulettes.clear();
    if (m_volume) m_shadowRoulettes = makeShadowRoulettes(*m_volume, m_lights);
    m_time_s = m_scene.timeOfFrame(particles.frame);
    m_surfaces.setTime(m_time_s);
}

RenderScene Shot::renderScene() const
{
    RenderScene scene;
    scene.volume = m_volume ? &*m_volume : nullptr;
    scene.surfaces = &m_surfaces;
    scene.lights = m_lights;
    scene.shadow_roulettes = m_shadowRoulettes;
    scene.medium = {snowAlbedo(m_scene.render).cast<float>(), static_cast<float>(m_scene.render.anisotropy)};
    scene.max_bounces = m_scene.render.max_bounces;
    return scene;
}

PinholeCamera Shot::camera(int width, int height) const { return {m_scene.camera, m_time_s, width, height}; }

}  // namespace firn

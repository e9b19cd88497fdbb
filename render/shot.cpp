#include "render/shot.h"

#include "common/body/body.h"
#include "render/density.h"
#include "render/density_volume.h"
#include "render/reflectance.h"
#include "render/still_snow.h"

namespace firn {
namespace {

double voxelSize_m(const Scene& scene, const ParticleFrame& particles)
{
    const double dx = particles.dx_m > 0 ? particles.dx_m : scene.solver.dx;
    return scene.render.voxel_m > 0 ? scene.render.voxel_m : 0.5 * dx;
}

}  // namespace

ShotFrame::ShotFrame(const Scene& scene, const EmbreeSurfaces& bodies, const Lights& lights,
                     const ParticleFrame& particles)
    : m_camera(scene.camera),
      m_shutter(Shutter::instant(scene.timeOfFrame(particles.frame))),
      m_voxel_m(voxelSize_m(scene, particles))
{
    const Render& render = scene.render;
    DensitySettings settings;
    settings.voxel_m = m_voxel_m;
    const DensityGrid density = rasterizeDensity(particles, settings);
    m_voxelCount = density.voxelCount();
    if (m_voxelCount > 0) {
        const double extinctionPerDensity = render.extinction_per_m / render.reference_density_kg_m3;
        m_volume = std::make_unique<const Volume>(volumeFromDensity(density, extinctionPerDensity));
        m_shadowRoulettes = makeShadowRoulettes(*m_volume, lights);
    }
    m_surfaces = std::make_unique<const EmbreeSurfaces>(bodies.at(m_shutter));
    m_renderScene = {.volume = m_volume.get(),
                     .surfaces = m_surfaces.get(),
                     .lights = lights,
                     .medium = {snowAlbedo(render).cast<float>(), static_cast<float>(render.anisotropy)},
                     .max_bounces = render.max_bounces,
                     .shadow_roulettes = m_shadowRoulettes};
}

PinholeCamera ShotFrame::camera(int width, int height) const { return {m_camera, m_shutter.open_s, width, height}; }

Shot::Shot(const Scene& scene) : Shot(scene, makeBodies(scene)) {}

Shot::Shot(const Scene& scene, const std::vector<Body>& bodies)
    : m_scene(scene), m_still(stillSnow(scene, bodies)), m_bodies(bodies), m_lights(scene.lights)
{
}

ShotFrame Shot::frame(ParticleFrame particles) const
{
    particles.append(m_still);
    return {m_scene, m_bodies, m_lights, particles};
}

}  // namespace firn

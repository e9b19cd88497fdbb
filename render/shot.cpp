#include "render/shot.h"

#include "common/body/body.h"
#include "render/density.h"
#include "render/density_volume.h"
#include "render/detail_volume.h"
#include "render/reflectance.h"
#include "render/still_snow.h"

namespace firn {
namespace {

/// Width of voxels in the picture, by the names of render.detail.
double voxelPixels(const std::string& detail) { return detail == "coarse" ? 2 : detail == "fine" ? 1 : 0.5; }

}  // namespace

double voxelSize_m(const Scene& scene, double dx_m)
{
    const double dx = dx_m > 0 ? dx_m : scene.solver.dx;
    return scene.render.voxel_m > 0 ? scene.render.voxel_m : 0.5 * dx;
}

Volume ShotFrame::makeVolume(const Scene& scene, const ParticleFrame& particles, const RestPlaces& rest)
{
    const Render& render = scene.render;
    DensitySettings settings;
    settings.voxel_m = m_voxel_m;
    const double extinctionPerDensity = render.extinction_per_m / render.reference_density_kg_m3;
    if (render.detail == "off") {
        const DensityGrid density = rasterizeDensity(particles, settings);
        m_voxelCount = density.voxelCount();
        return volumeFromDensity(density, extinctionPerDensity);
    }
    const DetailSettings detail{voxelPixels(render.detail), static_cast<std::size_t>(render.detail_memory_MB * 1e6)};
    DetailVolume made =
        detailVolume(particles, rest, settings, extinctionPerDensity, camera(render.width, render.height), detail);
    m_voxelCount = made.volume.bricks().bricks.size() * Bricks::cells * Bricks::cells * Bricks::cells;
    m_detail = {made.volume.voxelSize_m(), made.voxel_pixels, made.voxel_pixels > detail.voxel_pixels};
    return std::move(made.volume);
}

ShotFrame::ShotFrame(const Scene& scene, const EmbreeSurfaces& bodies, const Lights& lights,
                     const ParticleFrame& particles, const RestPlaces& rest)
    : m_camera(scene.camera),
      m_shutter(Shutter::instant(scene.timeOfFrame(particles.frame))),
      m_voxel_m(voxelSize_m(scene, particles.dx_m))
{
    const Render& render = scene.render;
    if (particles.size() > 0) {
        m_volume = std::make_unique<const Volume>(makeVolume(scene, particles, rest));
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

Shot::Shot(const Scene& scene, RestPlaces rest) : Shot(scene, makeBodies(scene), std::move(rest)) {}

Shot::Shot(const Scene& scene, const std::vector<Body>& bodies, RestPlaces rest)
    : m_scene(scene),
      m_rest(std::move(rest)),
      m_still(stillSnow(scene, bodies)),
      m_bodies(bodies),
      m_lights(scene.lights)
{
}

ShotFrame Shot::frame(ParticleFrame particles) const
{
    particles.append(m_still);
    return {m_scene, m_bodies, m_lights, particles, m_rest};
}

}  // namespace firn

#include "render/shot.h"

#include <algorithm>

#include "common/body/body.h"
#include "render/density.h"
#include "render/density_volume.h"
#include "render/detail_volume.h"
#include "render/snow_optics.h"
#include "render/still_snow.h"

namespace firn {
namespace {

/// Width of voxels in the picture, by the names of render.detail.
double voxelPixels(const std::string& detail) { return detail == "coarse" ? 2 : detail == "fine" ? 1 : 0.5; }

bool haveOneAlbedo(std::span<const SnowOptics> optics)
{
    return std::all_of(optics.begin(), optics.end(),
                       [&](const SnowOptics& of) { return of.albedo == optics.front().albedo; });
}

/// Makes each mass that of the first region's snow with as much extinction.
void weighByExtinction(ParticleFrame& particles, std::span<const SnowOptics> optics)
{
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const double ratio =
            opticsOfParticle(optics, particles, i).extinction_m2_per_kg / optics.front().extinction_m2_per_kg;
        particles.mass_kg[i] = static_cast<float>(particles.mass_kg[i] * ratio);
    }
}

}  // namespace

double voxelSize_m(const Scene& scene, double dx_m)
{
    const double dx = dx_m > 0 ? dx_m : scene.solver.dx;
    return scene.render.voxel_m > 0 ? scene.render.voxel_m : 0.5 * dx;
}

Volume ShotFrame::makeVolume(const Scene& scene, const ParticleFrame& particles, const RestPlaces& rest,
                             double extinctionPerDensity)
{
    const Render& render = scene.render;
    DensitySettings settings;
    settings.voxel_m = m_voxel_m;
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
                     std::span<const SnowOptics> optics, ParticleFrame particles, const RestPlaces& rest)
    : m_camera(scene.camera),
      m_shutter(Shutter::instant(scene.timeOfFrame(particles.frame))),
      m_voxel_m(voxelSize_m(scene, particles.dx_m))
{
    const Render& render = scene.render;
    Medium medium{optics.front().albedo.cast<float>(), static_cast<float>(render.anisotropy)};
    if (particles.size() > 0) {
        if (!haveOneAlbedo(optics)) {
            m_albedo = std::make_unique<const AlbedoField>(particles, optics, 2 * m_voxel_m);
            medium.albedo = m_albedo->least();
            medium.field = m_albedo.get();
        }
        weighByExtinction(particles, optics);
        m_volume =
            std::make_unique<const Volume>(makeVolume(scene, particles, rest, optics.front().extinction_m2_per_kg));
        m_shadowRoulettes = makeShadowRoulettes(*m_volume, lights);
    }
    m_surfaces = std::make_unique<const EmbreeSurfaces>(bodies.at(m_shutter));
    m_renderScene = {.volume = m_volume.get(),
                     .surfaces = m_surfaces.get(),
                     .lights = lights,
                     .medium = medium,
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
      m_lights(scene.lights),
      m_optics(snowOptics(scene))
{
}

ShotFrame Shot::frame(ParticleFrame particles) const
{
    particles.append(m_still);
    return {m_scene, m_bodies, m_lights, m_optics, std::move(particles), m_rest};
}

}  // namespace firn

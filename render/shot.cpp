#include "render/shot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "common/body/body.h"
#include "common/error.h"
#include "render/density.h"
#include "render/density_volume.h"
#include "render/detail_volume.h"
#include "render/grains.h"
#include "render/mist.h"
#include "render/powder_density.h"
#include "render/roulette_factor.h"
#include "render/snow_optics.h"
#include "render/unseen_light.h"

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
void weighByExtinction(SnowParticles& particles, std::span<const SnowOptics> optics)
{
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const double ratio =
            opticsOfParticle(optics, particles, i).extinction_m2_per_kg / optics.front().extinction_m2_per_kg;
        particles.mass_kg[i] = static_cast<float>(particles.mass_kg[i] * ratio);
    }
}

constexpr double pixelsPerSlice = 2;  // that snow may move

std::vector<std::shared_ptr<const BodyPiece>> movingPieces(const std::vector<Body>& bodies)
{
    std::vector<std::shared_ptr<const BodyPiece>> moving;
    for (const Body& body : bodies)
        std::ranges::copy_if(body.pieces, std::back_inserter(moving), [](const auto& of) { return !of->isStatic(); });
    return moving;
}

std::vector<std::shared_ptr<const BodyPiece>> piecesOf(const std::vector<Body>& bodies, const std::string& name)
{
    const auto body = std::ranges::find(bodies, name, &Body::name);
    return body == bodies.end() ? std::vector<std::shared_ptr<const BodyPiece>>() : body->pieces;
}

bool deforms(const BodyPiece& piece, const Shutter& shutter)
{
    const PieceSurface before = piece.surface(shutter.open_s), after = piece.surface(shutter.close_s);
    const auto *first = std::get_if<PosedMesh>(&before), *last = std::get_if<PosedMesh>(&after);
    return first != nullptr && last != nullptr && first->mesh != last->mesh;
}

}  // namespace

double voxelSize_m(const Scene& scene, double dx_m)
{
    const double dx = dx_m > 0 ? dx_m : scene.solver.dx;
    return scene.render.voxel_m > 0 ? scene.render.voxel_m : 0.5 * dx;
}

std::string voxelRemark(const Scene& scene, double dx_m)
{
    constexpr double most = 2;  // cells
    const double cells = scene.render.voxel_m / (dx_m > 0 ? dx_m : scene.solver.dx);
    if (cells <= most) return "";
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(),
                  "render.voxel_m = %g is %.3g times the cells of the simulation: the snow loses its shape. "
                  "Expected at most %g",
                  scene.render.voxel_m, cells, most * scene.render.voxel_m / cells);
    return text.data();
}

ShotFrame::ShotFrame(const Shot& shot, SnowParticles particles, const Shutter& slice, int sliceCount,
                     std::shared_ptr<const Roulettes> roulettes)
    : m_camera(shot.focusedCamera(slice.middle_s())),
      m_shutter(slice),
      m_voxel_m(voxelSize_m(shot.m_scene, particles.dx_m)),
      m_roulettes(std::move(roulettes))
{
    const Render& render = shot.m_scene.render;
    m_renderScene.medium = {shot.m_optics.front().albedo.cast<float>(), static_cast<float>(render.anisotropy)};
    m_renderScene.lights = shot.m_lights.at(slice.middle_s());
    m_renderScene.max_bounces = render.max_bounces;
    m_renderScene.hides_sky = !render.show_sky;
    m_renderScene.has_mattes = render.mattes;
    m_surfaces = std::make_unique<const EmbreeSurfaces>(shot.m_bodies.at(m_shutter));
    m_renderScene.surfaces = m_surfaces.get();
    m_renderScene.catches_shadows = m_surfaces->catchShadows();
    if (particles.size() > 0) addSnow(shot, std::move(particles), sliceCount);
    m_renderScene.roulette_factor = rouletteFactor(m_renderScene, camera(render.width, render.height));
}

void ShotFrame::addSnow(const Shot& shot, SnowParticles particles, int sliceCount)
{
    if (!haveOneAlbedo(shot.m_optics)) {
        m_albedo = std::make_unique<const AlbedoField>(particles, shot.m_optics, 2 * m_voxel_m);
        m_renderScene.medium.albedo = m_albedo->least();
        m_renderScene.medium.field = m_albedo.get();
    }
    const Render& render = shot.m_scene.render;
    const PlacedCamera view = camera(render.width, render.height);
    DensitySettings settings;
    settings.voxel_m = m_voxel_m;
    std::vector<SnowRelief> reliefs = snowReliefs(shot.m_scene);
    const bool isAnyGlazed = std::ranges::any_of(reliefs, [](const SnowRelief& of) { return of.glaze > 0; });
    SnowHistory history;
    if (render.detail != "off" || render.glints > 0 || isAnyGlazed)
        history = historyOf(particles, shot.m_rest, settings);
    addWaterFilm(particles, filmShares(particles, shot.m_optics, glazeOf(particles, history, reliefs)));
    std::unique_ptr<const MeanField> shifts = std::move(history.shifts);
    weighByExtinction(particles, shot.m_optics);
    const DensityGrid powder = powderDensity(particles.powder, shot.m_optics, m_voxel_m);
    const double extinctionPerDensity = shot.m_optics.front().extinction_m2_per_kg;
    if (render.detail == "off") {
        const DensityGrid density =
            added(history.surroundings.empty() ? rasterizeDensity(particles, settings)
                                               : rasterizeDensity(particles, history.surroundings, settings),
                  powder);
        m_voxelCount = density.voxelCount();
        m_volume = std::make_shared<const Volume>(volumeFromDensity(density, extinctionPerDensity));
    } else {
        const DetailSettings detail{voxelPixels(render.detail),
                                    static_cast<std::size_t>(render.detail_memory_MB * 1e6 / sliceCount)};
        Mist mist = mistOf(particles, history, shot.m_optics, m_surfaces.get(), m_voxel_m);
        mist.density = added(std::move(mist.density), powder);
        DetailVolume made = detailVolume(
            {std::move(particles), std::move(history), std::move(reliefs), std::move(mist), m_surfaces.get()}, settings,
            extinctionPerDensity, view, detail);
        m_voxelCount = made.volume.bricks().bricks.size() * Bricks::cells * Bricks::cells * Bricks::cells;
        m_detail = {made.volume.voxelSize_m(), made.voxel_pixels, made.voxel_pixels > detail.voxel_pixels,
                    made.bytes()};
        m_volume = std::make_shared<const Volume>(std::move(made.volume));
    }
    if (!m_roulettes) m_roulettes.reset(new Roulettes{m_volume, makeShadowRoulettes(*m_volume, m_renderScene.lights)});
    if (render.glints > 0) {
        const GlintSettings glints{render.glints, 1e-3 * render.glint_size_mm, view.pixelAt(1),
                                   streakPixels(shot, sliceCount), view.lens()};
        m_glints = std::make_unique<const Glints>(std::move(shifts), glints);
    }
    m_renderScene.volume = m_volume.get();
    m_renderScene.shadow_roulettes = m_roulettes->of_lights;
    m_renderScene.glints = m_glints.get();
}

void ShotFrame::addWaterFilm(const SnowParticles& particles, const std::vector<float>& shares)
{
    if (shares.empty()) return;
    m_waterFilm = std::make_unique<const WaterFilm>(particles, shares, 2 * m_voxel_m);
    m_renderScene.water_film = m_waterFilm.get();
}

double ShotFrame::streakPixels(const Shot& shot, int sliceCount) const
{
    const int width = shot.m_scene.render.width, height = shot.m_scene.render.height;
    const MovingCamera moving(m_camera, m_shutter, width, height);
    const Vec3d middle = cameraAt(m_camera, m_shutter.middle_s()).look_at;
    const Vec3d way = moving.at(1).project(middle) - moving.at(0).project(middle);
    return sliceCount * way.head<2>().norm();
}

PlacedCamera ShotFrame::camera(int width, int height) const { return {m_camera, m_shutter.middle_s(), width, height}; }

Shot::Shot(const Scene& scene, std::optional<SnowParticles> first) : Shot(scene, makeBodies(scene), std::move(first)) {}

Shot::Shot(const Scene& scene, const std::vector<Body>& bodies, std::optional<SnowParticles> first)
    : m_scene(scene),
      m_moving(movingPieces(bodies)),
      m_inFocus(piecesOf(bodies, scene.camera.focus_body)),
      m_still(scene, bodies),
      m_bodies(bodies),
      m_lights(scene),
      m_optics(snowOptics(scene))
{
    if (!first) return;
    DensitySettings settings;
    settings.voxel_m = voxelSize_m(scene, 0);
    first->append(m_still.waitingAt(scene.start_frame));
    m_rest = RestPlaces(*first, settings, std::make_shared<const SourcePlaces>(m_scene, MovingWindow(m_scene, bodies)));
}

ShotFrame Shot::frame(SnowParticles particles) const
{
    const int count = sliceCount(particles);
    return slice(std::move(particles), count / 2, count, nullptr);
}

std::vector<ShotFrame> Shot::slices(const SnowParticles& particles) const
{
    const int count = sliceCount(particles), half = count / 2;
    ShotFrame middle = slice(particles, half, count, nullptr);
    // They decide only which shadow rays are worth their time, so those of one slice will do for all.
    const auto roulettes = middle.m_roulettes;
    std::vector<ShotFrame> result;
    result.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < half; ++k) result.push_back(slice(particles, k, count, roulettes));
    result.push_back(std::move(middle));
    for (int k = half + 1; k < count; ++k) result.push_back(slice(particles, k, count, roulettes));
    return result;
}

ShotFrame Shot::slice(SnowParticles particles, int index, int count,
                      const std::shared_ptr<const ShotFrame::Roulettes>& roulettes) const
{
    const Shutter part = shutterOf(particles.frame).slice(index, count);
    const double time_s = m_scene.timeOfFrame(particles.frame);
    particles.append(m_still.at(particles.frame));
    particles.advance(part.open_s - time_s, part.close_s - time_s);
    return {*this, std::move(particles), part, count, roulettes};
}

int Shot::sliceCount(const SnowParticles& particles) const
{
    constexpr int most = 24;
    if (shutterOf(particles.frame).isInstant()) return 1;
    if (m_scene.render.shutter_slices > 0) return m_scene.render.shutter_slices;
    return std::clamp(static_cast<int>(std::ceil(movedPixels(particles) / pixelsPerSlice)), 1, most);
}

std::string Shot::sliceRemark(const SnowParticles& particles) const
{
    constexpr double tolerated = 2;  // times pixelsPerSlice
    const int count = sliceCount(particles);
    const double pixels = shutterOf(particles.frame).isInstant() ? 0 : movedPixels(particles);
    if (pixels <= tolerated * pixelsPerSlice * count) return "";
    std::array<char, 200> text{};
    std::snprintf(
        text.data(), text.size(),
        "fast snow moves by %.0f pixels while the shutter is open, which shows in %d %s of its time: expected "
        "render.shutter_slices = %.0f",
        pixels, count, count == 1 ? "slice" : "slices", std::ceil(pixels / pixelsPerSlice));
    return text.data();
}

/// How far fast snow (99 % of it are slower) and bodies that deform move in the picture while the shutter is open.
double Shot::movedPixels(const SnowParticles& particles) const
{
    constexpr double share = 0.99;
    const Shutter shutter = shutterOf(particles.frame);
    const double open_s = shutter.close_s - shutter.open_s;
    const PlacedCamera view(m_scene.camera, shutter.middle_s(), m_scene.render.width, m_scene.render.height);
    std::vector<double> ways;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3d& place = particles.position_m[i];
        if (!view.mayShow(place, particles.dx_m)) continue;
        const double way_m = open_s * static_cast<double>(particles.velocity_m_s[i].norm());
        ways.push_back(way_m / view.pixelAt(view.distanceTo(place)));
    }
    double pixels = 0;
    if (!ways.empty()) {
        const auto fast = ways.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(ways.size() - 1));
        std::ranges::nth_element(ways, fast);
        pixels = *fast;
    }
    for (const auto& piece : m_moving) {
        const Box3d bounds = piece->bounds(shutter.open_s, open_s);
        if (!deforms(*piece, shutter) || !view.mayShow(bounds.center(), 0.5 * bounds.diagonal().norm())) continue;
        const double way_m = open_s * piece->maxSpeed(shutter.middle_s());
        pixels = std::max(pixels, way_m / view.pixelAt(view.distanceTo(bounds.center())));
    }
    return pixels;
}

std::string Shot::lightRemark(const ShotFrame& frame) const
{
    const int width = m_scene.render.width, height = m_scene.render.height;
    const std::vector<std::string> names = m_lights.sampledNames();
    std::string unseen;
    int count = 0;
    for (const std::size_t i : unseenLights(frame.renderScene(), frame.camera(width, height), width, height))
        if (!names[i].empty()) unseen += (count++ == 0 ? "'" : ", '") + names[i] + "'";
    if (count == 0) return "";
    return (count == 1 ? "light " + unseen + " lights" : "lights " + unseen + " light") +
           " nothing that the camera sees: inside a body or in snow, hidden, below the horizon, or facing elsewhere";
}

Camera Shot::focusedCamera(double time_s) const
{
    Camera camera = m_scene.camera;
    if (m_inFocus.empty()) return camera;
    Box3d bounds;
    for (const auto& piece : m_inFocus) bounds.extend(piece->bounds(time_s, 0));
    const CameraKey key = cameraAt(camera, time_s);
    const double distance_m = (bounds.center() - key.position).dot((key.look_at - key.position).normalized());
    if (!(distance_m > 1e-3 * key.focal_length_mm)) {
        std::array<char, 200> text{};
        std::snprintf(
            text.data(), text.size(),
            "camera.focus_body: at %.3f s, the middle of the body is %.3g m from the camera along the direction of "
            "view, expected more than the focal length",
            time_s, distance_m);
        throw Error(ExitCode::Usage, text.data());
    }
    camera.focus_distance_m = distance_m;
    for (CameraKey& each : camera.keys) each.focus_distance_m = distance_m;
    return camera;
}

Shutter Shot::shutterOf(int frame) const
{
    const double time_s = m_scene.timeOfFrame(frame);
    if (!(m_scene.camera.shutter_deg > 0)) return Shutter::instant(time_s);
    const double secondsPerDegree = 1 / (360 * m_scene.fps);
    const double middle_s = time_s + m_scene.camera.shutter_offset_deg * secondsPerDegree;
    const double half_s = 0.5 * m_scene.camera.shutter_deg * secondsPerDegree;
    return {middle_s - half_s, middle_s + half_s};
}

}  // namespace firn

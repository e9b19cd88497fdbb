#pragma once
// From a scene and a frame of the cache to what paths meet. A shot holds what stays the same over all frames; a frame
// of it holds the rest. Neither changes once it is made.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/scene/scene.h"
#include "render/camera.h"
#include "render/embree_surfaces.h"
#include "render/glints.h"
#include "render/lights.h"
#include "render/radiance.h"
#include "render/rest_places.h"
#include "render/shutter.h"
#include "render/snow_optics.h"
#include "render/snow_particles.h"
#include "render/still_snow.h"
#include "render/water_film.h"

namespace firn {

class Shot;

/// Snow, bodies, lights and camera of one frame, or of a slice of the time in which its shutter is open. In a slice,
/// the snow stands still, each particle as it is at some time of the slice; bodies and camera move.
class ShotFrame {
public:
    /// What the paths meet; valid as long as the frame.
    const RenderScene& renderScene() const { return m_renderScene; }
    /// In the middle of the slice.
    PlacedCamera camera(int width, int height) const;

    double time_s() const { return m_shutter.middle_s(); }
    /// Edge of the density grid's voxels, m.
    double voxel_m() const { return m_voxel_m; }
    /// Voxels of the density grid that hold snow; with detail, those of all bricks.
    std::size_t voxelCount() const { return m_voxelCount; }

    struct Detail {
        double finest_voxel_m = 0;
        double voxel_pixels = 0;  // width of voxels at surfaces in the picture; 0 = detail is off
        bool is_limited = false;  // by render.detail_memory_MB
        std::size_t bytes = 0;    // of memory, for the density grid and what is made with it
    };
    const Detail& detail() const { return m_detail; }

private:
    friend class Shot;
    /// The tables, and the volume that they are of.
    struct Roulettes {
        std::shared_ptr<const Volume> volume;
        std::vector<ShadowRoulette> of_lights;
    };

    /// `roulettes`: of a slice of the same frame, or null.
    ShotFrame(const Shot& shot, SnowParticles particles, const Shutter& slice, int sliceCount,
              std::shared_ptr<const Roulettes> roulettes);
    void addSnow(const Shot& shot, SnowParticles particles, int sliceCount);
    /// How far a point at rest in the middle of the picture moves in it while the shutter is open, pixels.
    double streakPixels(const Shot& shot, int sliceCount) const;
    void addWaterFilm(const SnowParticles& particles, const std::vector<float>& shares);

    Camera m_camera;
    Shutter m_shutter;
    double m_voxel_m;
    std::size_t m_voxelCount = 0;
    Detail m_detail;
    std::shared_ptr<const Volume> m_volume;       // none without snow
    std::unique_ptr<const AlbedoField> m_albedo;  // none where all snow has one albedo
    std::unique_ptr<const Glints> m_glints;
    std::unique_ptr<const WaterFilm> m_waterFilm;  // none where no snow is wet or glazed
    std::unique_ptr<const EmbreeSurfaces> m_surfaces;
    std::shared_ptr<const Roulettes> m_roulettes;  // where there is snow
    RenderScene m_renderScene;
};

/// Edge of the density grid's voxels (m) for particles that were simulated with a node spacing of dx_m; 0 = the
/// scene's.
double voxelSize_m(const Scene& scene, double dx_m);
/// A sentence for the user where render.voxel_m is so large that the snow loses its shape; empty otherwise. dx_m: of
/// the cache, or 0.
std::string voxelRemark(const Scene& scene, double dx_m);

class Shot {
public:
    /// Builds the bodies. `first` is the frame in which no particle has moved yet, where it is known. Throws Error as
    /// makeBodies does.
    explicit Shot(const Scene& scene, std::optional<SnowParticles> first = {});

    /// The frame with these particles at its time; with motion blur, the middle one of its slices. Throws Error as
    /// rasterizeDensity does.
    ShotFrame frame(SnowParticles particles) const;

    /// The frame while its shutter is open, in slices of equal length: sliceCount(). Throws as frame().
    std::vector<ShotFrame> slices(const SnowParticles& particles) const;

    /// 1 without motion blur; otherwise render.shutter_slices, or so many that fast snow and bodies that deform move by
    /// at most two pixels in a slice, up to 24.
    int sliceCount(const SnowParticles& particles) const;

    /// A sentence for the user where render.shutter_slices is too small for that; empty otherwise.
    std::string sliceRemark(const SnowParticles& particles) const;

    /// A sentence for the user about lights that light nothing that the camera sees; empty if there are none.
    std::string lightRemark(const ShotFrame& frame) const;

    /// The time in which the shutter is open for a frame.
    Shutter shutterOf(int frame) const;

    /// The scene's camera, with the body in focus that camera.focus_body names. Throws Error(Usage) if the middle of
    /// that body is behind the camera at that time.
    Camera focusedCamera(double time_s) const;

private:
    friend class ShotFrame;
    Shot(const Scene& scene, const std::vector<Body>& bodies, std::optional<SnowParticles> first);
    ShotFrame slice(SnowParticles particles, int index, int count,
                    const std::shared_ptr<const ShotFrame::Roulettes>& roulettes) const;
    double movedPixels(const SnowParticles& particles) const;

    Scene m_scene;
    std::vector<std::shared_ptr<const BodyPiece>> m_moving;   // those that are not static
    std::vector<std::shared_ptr<const BodyPiece>> m_inFocus;  // of camera.focus_body
    StillSnow m_still;
    RestPlaces m_rest;
    EmbreeSurfaces m_bodies;  // at time 0
    LightRig m_lights;
    std::vector<SnowOptics> m_optics;  // of each region
};

}  // namespace firn

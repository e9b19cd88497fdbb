#pragma once
// A scene made ready to be lit: bodies and lights once per shot; snow, camera and poses per frame.

#include <optional>
#include <vector>

#include "common/cache/particle_frame.h"
#include "common/scene/scene.h"
#include "render/camera.h"
#include "render/embree_surfaces.h"
#include "render/radiance.h"
#include "render/volume.h"

namespace firn {

class Shot {
public:
    /// Builds the bodies. Throws Error as makeBodies does.
    explicit Shot(const Scene& scene);

    /// Takes one frame's particles as snow and moves the bodies to its time. Throws Error as rasterizeDensity does.
    void setFrame(ParticleFrame particles);

    /// What the paths meet; valid until the next setFrame.
    RenderScene renderScene() const;
    PinholeCamera camera(int width, int height) const;

    double time_s() const { return m_time_s; }
    /// Edge of the density grid's voxels, m.
    double voxel_m() const { return m_voxel_m; }
    /// Active voxels of the density grid.
    std::size_t voxelCount() const { return m_voxels; }

private:
    Shot(const Scene& scene, const std::vector<Body>& bodies);

    Scene m_scene;
    ParticleFrame m_still;
    EmbreeSurfaces m_surfaces;
    Lights m_lights;
    std::optional<Volume> m_volume;                 // none without snow
    std::vector<ShadowRoulette> m_shadowRoulettes;  // of the lights, where there is snow
    double m_time_s = 0;
    double m_voxel_m = 0;
    std::size_t m_voxels = 0;
};

}  // namespace firn

#include "common/body/skinned_surface.h"

namespace firn {

namespace {

class SkinnedSurface final : public DeformingSurface {
public:
    SkinnedSurface(const FileMesh& mesh, std::shared_ptr<const Animation> animation, const Affine& toBody)
        : m_mesh(mesh), m_animation(std::move(animation)), m_toBody(toBody)
    {
    }

    const std::vector<Vec3i>& triangles() const override { return m_mesh.mesh.triangles; }

    MeshMaterials materials() const override { return m_mesh.mesh.materials; }

    void positions(double time_s, std::vector<Vec3d>& vertices) const override
    {
        std::vector<Affine> world;
        m_animation->pose(time_s, world);
        vertices.resize(m_mesh.mesh.vertices.size());
        if (m_mesh.bones.empty()) {
            const Affine move = m_toBody * world[m_mesh.node];
            for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] = move * at(v);
            return;
        }
        std::vector<Affine> moves;
        for (const FileBone& bone : m_mesh.bones) moves.push_back(m_toBody * world[bone.node] * bone.offset);
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            Vec3d sum = Vec3d::Zero();
            for (int i = m_mesh.first[v]; i < m_mesh.first[v + 1]; ++i)
                sum += static_cast<double>(m_mesh.influences[i].weight) * (moves[m_mesh.influences[i].bone] * at(v));
            vertices[v] = sum;
        }
    }

private:
    Vec3d at(std::size_t v) const { return m_mesh.mesh.vertices[v].cast<double>(); }

    const FileMesh m_mesh;
    const std::shared_ptr<const Animation> m_animation;
    const Affine m_toBody;
};

}  // namespace

std::shared_ptr<const DeformingSurface> makeSkinnedSurface(const FileMesh& mesh,
                                                           std::shared_ptr<const Animation> animation,
                                                           const Affine& toBody)
{
    return std::make_shared<const SkinnedSurface>(mesh, std::move(animation), toBody);
}

}  // namespace firn

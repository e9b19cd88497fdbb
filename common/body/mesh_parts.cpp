#include "common/body/mesh_parts.h"

#include <algorithm>

#include "common/body/vertex_sets.h"

namespace firn {

namespace {

/// The number of each vertex's part, or -1 without triangles; all are in part 0 if there are too many parts.
std::vector<int> partNumbers(const std::vector<Vec3i>& triangles, std::size_t vertices, int mostParts)
{
    VertexSets sets(vertices);
    for (const Vec3i& t : triangles) {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    int count = 0;
    std::vector<int> ofSet(vertices, -1), result(vertices, -1);
    for (const Vec3i& t : triangles) {
        int& part = ofSet[sets.find(t[0])];
        if (part < 0) part = count++;
        for (int c = 0; c < 3; ++c) result[t[c]] = part;
    }
    if (count > mostParts)
        for (int& part : result) part = std::min(part, 0);
    return result;
}

class SurfacePart final : public DeformingSurface {
public:
    SurfacePart(std::shared_ptr<const DeformingSurface> whole, MeshPart part)
        : m_whole(std::move(whole)), m_part(std::move(part))
    {
    }

    const std::vector<Vec3i>& triangles() const override { return m_part.triangles; }
    MeshMaterials materials() const override { return m_whole->materials().some(m_part.numbers); }

    void positions(double time_s, std::vector<Vec3d>& vertices) const override
    {
        std::vector<Vec3d> all;
        m_whole->positions(time_s, all);
        vertices.clear();
        for (const int v : m_part.vertices) vertices.push_back(all[v]);
    }

private:
    const std::shared_ptr<const DeformingSurface> m_whole;
    const MeshPart m_part;
};

}  // namespace

std::vector<MeshPart> connectedParts(const std::vector<Vec3i>& triangles, std::size_t vertices, int mostParts)
{
    const std::vector<int> partOf = partNumbers(triangles, vertices, mostParts);
    std::vector<MeshPart> parts;
    std::vector<int> numberOf(vertices, -1);  // in the part
    for (const Vec3i& t : triangles) parts.resize(std::max(parts.size(), static_cast<std::size_t>(partOf[t[0]]) + 1));
    for (std::size_t v = 0; v < vertices; ++v) {
        if (partOf[v] < 0) continue;
        std::vector<int>& own = parts[partOf[v]].vertices;
        numberOf[v] = static_cast<int>(own.size());
        own.push_back(static_cast<int>(v));
    }
    for (std::size_t k = 0; k < triangles.size(); ++k) {
        const Vec3i& t = triangles[k];
        MeshPart& part = parts[partOf[t[0]]];
        part.triangles.emplace_back(numberOf[t[0]], numberOf[t[1]], numberOf[t[2]]);
        part.numbers.push_back(static_cast<int>(k));
    }
    return parts;
}

std::vector<std::shared_ptr<const DeformingSurface>> partsOfSurface(std::shared_ptr<const DeformingSurface> surface)
{
    std::vector<Vec3d> vertices;
    surface->positions(0, vertices);
    std::vector<MeshPart> parts = connectedParts(surface->triangles(), vertices.size());
    if (parts.size() < 2) return {std::move(surface)};
    std::vector<std::shared_ptr<const DeformingSurface>> result;
    result.reserve(parts.size());
    for (MeshPart& part : parts) result.push_back(std::make_shared<const SurfacePart>(surface, std::move(part)));
    return result;
}

}  // namespace firn

#include "common/body/mesh_sequence.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>

#include "common/body/mesh.h"
#include "common/body/mesh_file.h"
#include "common/body/numbered_files.h"
#include "common/error.h"
#include "common/io/frame_range.h"

namespace firn {

namespace {

int sharedVertices(const Vec3i& a, const Vec3i& b)
{
    int count = 0;
    for (const int vertex : a) count += (b.array() == vertex).any() ? 1 : 0;
    return count;
}

/// Whether the vertices have the same order in both lists, which have the same length. The triangles of a quadrilateral
/// may be cut by its other diagonal.
bool haveSameOrder(const std::vector<Vec3i>& a, const std::vector<Vec3i>& b)
{
    std::size_t same = 0;
    for (std::size_t t = 0; t < a.size(); ++t) same += sharedVertices(a[t], b[t]) >= 2 ? 1 : 0;
    return 2 * same >= a.size();
}

class MeshSequence final : public DeformingSurface {
public:
    explicit MeshSequence(const SequenceOptions& options)
        : m_options(options), m_files(numberedFiles(options.pattern, options.source)), m_content(options.pattern)
    {
        const TriangleMesh mesh = load(m_files.first);
        m_triangles = mesh.triangles;
        m_materials = mesh.materials;
        m_vertices = mesh.vertices.size();
    }

    const std::vector<Vec3i>& triangles() const override { return m_triangles; }
    MeshMaterials materials() const override { return m_materials; }

    void positions(double time_s, std::vector<Vec3d>& vertices) const override
    {
        const double number =
            m_options.first_number - m_files.first + m_options.fps * (m_options.offset_s + m_options.speed * time_s);
        const double whole = std::floor(number), u = number - whole;
        const auto base = static_cast<long>(whole);
        const std::shared_ptr<const Points> p[] = {at(base - 1), at(base), at(base + 1), at(base + 2)};
        // Catmull-Rom weights.
        const double w[] = {u * (-1 + u * (2 - u)) / 2, 1 + u * u * (-5 + 3 * u) / 2, u * (1 + u * (4 - 3 * u)) / 2,
                            u * u * (u - 1) / 2};
        vertices.resize(m_vertices);
        for (std::size_t v = 0; v < m_vertices; ++v) {
            vertices[v] = Vec3d::Zero();
            for (int k = 0; k < 4; ++k) vertices[v] += w[k] * (*p[k])[v].template cast<double>();
        }
    }

private:
    using Points = std::vector<Vec3f>;

    TriangleMesh load(int number) const
    {
        const std::filesystem::path file = framePath(m_options.pattern, number);
        TriangleMesh mesh = loadNamed(file);
        m_content.requireSame(number, m_options.source);
        checkClosed(mesh, m_options.source + ": " + file.filename().string());
        return mesh;
    }

    TriangleMesh loadNamed(const std::filesystem::path& file) const
    {
        try {
            return loadMesh(file, m_options.scale, m_options.up_axis);
        } catch (const Error& error) {
            throw Error(error.code(), m_options.source + ": " + error.what());
        }
    }

    /// The vertices of the file with the given index, clamped or wrapped around.
    std::shared_ptr<const Points> at(long index) const
    {
        const auto count = static_cast<long>(m_files.count);
        const auto which =
            static_cast<int>(m_options.loop ? (index % count + count) % count : std::clamp(index, 0L, count - 1));
        const std::lock_guard lock(m_mutex);
        for (const auto& [known, points] : m_recent)
            if (known == which) return points;
        TriangleMesh mesh = load(m_files.first + which);
        if (mesh.vertices.size() != m_vertices || mesh.triangles.size() != m_triangles.size())
            throw Error(ExitCode::Usage, m_options.source + ": frame " + std::to_string(m_files.first + which) +
                                             " has " + std::to_string(mesh.vertices.size()) + " vertices and " +
                                             std::to_string(mesh.triangles.size()) + " triangles; expected " +
                                             std::to_string(m_vertices) + " and " + std::to_string(m_triangles.size()) +
                                             ", as in frame " + std::to_string(m_files.first));
        if (!haveSameOrder(mesh.triangles, m_triangles))
            throw Error(ExitCode::Usage, m_options.source + ": frame " + std::to_string(m_files.first + which) +
                                             " has its vertices in another order than frame " +
                                             std::to_string(m_files.first) + "; export the frames with one order");
        auto points = std::make_shared<const Points>(std::move(mesh.vertices));
        if (m_recent.size() == kept) m_recent.pop_front();
        m_recent.emplace_back(which, points);
        return points;
    }

    static constexpr std::size_t kept = 8;  // files

    const SequenceOptions m_options;
    const NumberedFiles m_files;
    const SequenceContent m_content;
    std::size_t m_vertices = 0;
    std::vector<Vec3i> m_triangles;
    MeshMaterials m_materials;
    mutable std::mutex m_mutex;  // of what follows
    mutable std::deque<std::pair<int, std::shared_ptr<const Points>>> m_recent;
};

}  // namespace

std::shared_ptr<const DeformingSurface> makeMeshSequence(const SequenceOptions& options)
{
    return std::make_shared<const MeshSequence>(options);
}

}  // namespace firn

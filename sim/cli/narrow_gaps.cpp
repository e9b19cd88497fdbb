#include "sim/cli/narrow_gaps.h"

#include <algorithm>
#include <cstdio>

#include "common/error.h"
#include "common/snow/region.h"

namespace firn {

namespace {

constexpr int mostFrames = 96;
constexpr double tight = 0.5, narrow = 1.6;  // cells
constexpr double far_m = 1e9;

struct Ground {
    std::string name;
    HalfSpace space;
};

struct Gap {
    double height_m = far_m;
    int frame = 0;
};

/// The planes that never move.
std::vector<Ground> groundsOf(const std::vector<Body>& bodies)
{
    std::vector<Ground> grounds;
    for (const Body& body : bodies) {
        for (const auto& piece : body.pieces) {
            if (!piece->isStatic()) continue;
            const PieceSurface surface = piece->surface(0);
            if (const auto* const space = std::get_if<HalfSpace>(&surface)) grounds.push_back({body.name, *space});
        }
    }
    return grounds;
}

/// Boxes of the snow that is simulated, as high as bodies may be.
std::vector<Box3d> columnsOfSnow(const Scene& scene)
{
    std::vector<Box3d> columns;
    for (const Region& region : regionsOf(scene)) {
        if (region.spec().still) continue;
        Box3d box = region.bounds();
        box.min().y() = -far_m;
        box.max().y() = far_m;
        columns.push_back(box);
    }
    return columns;
}

/// The heights of the vertices of a piece above a plane during the shot.
class Heights {
public:
    void add(const PieceSurface& surface, const HalfSpace& ground, const std::vector<Box3d>& snow, int frame)
    {
        const auto* const posed = std::get_if<PosedMesh>(&surface);
        if (posed == nullptr) return;
        const std::vector<Vec3f>& vertices = posed->mesh->vertices;
        m_isSame = m_isSame && (m_vertices.empty() || m_vertices.size() == vertices.size());
        m_vertices.resize(vertices.size());
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            Vertex& vertex = m_vertices[v];
            const Vec3d x = posed->pose.toWorld(vertices[v].cast<double>());
            const double height = ground.normal.dot(x) - ground.offset_m;
            vertex.highest = std::max(vertex.highest, height);
            const bool isLowest = height < vertex.least.height_m;
            if (isLowest && std::ranges::any_of(snow, [&](const Box3d& box) { return box.contains(x); }))
                vertex.least = {height, frame};
        }
    }

    /// The least height of a vertex that comes down by a cell or more: what slides along the ground, such as a blade,
    /// presses nothing against it. Of a surface whose vertices change, the least height above the ground.
    Gap least(double dx) const
    {
        Gap least;
        for (const Vertex& vertex : m_vertices) {
            const bool comesDown = m_isSame ? vertex.highest > vertex.least.height_m + dx : vertex.least.height_m > 0;
            if (comesDown && vertex.least.height_m < least.height_m) least = vertex.least;
        }
        return least;
    }

private:
    struct Vertex {
        Gap least;  // over snow
        double highest = -far_m;
    };
    std::vector<Vertex> m_vertices;
    bool m_isSame = true;  // the surface always has the same vertices
};

Gap leastGap(const Scene& scene, const Body& body, const HalfSpace& ground, const std::vector<Box3d>& snow)
{
    const int step = 1 + (scene.end_frame - scene.start_frame) / mostFrames;
    Gap least;
    for (const auto& piece : body.pieces) {
        if (piece->isStatic()) continue;
        Heights heights;
        for (int frame = scene.start_frame; frame <= scene.end_frame; frame += step)
            heights.add(piece->surface(scene.timeOfFrame(frame)), ground, snow, frame);
        const Gap gap = heights.least(scene.solver.dx);
        if (gap.height_m < least.height_m) least = gap;
    }
    return least;
}

/// "3 mm", "12 cm" or "1.8 m"
std::string gapText(double length_m)
{
    char text[32];
    if (length_m < 0.0095)
        std::snprintf(text, sizeof text, "%.2g mm", 1e3 * length_m);
    else if (length_m < 1)
        std::snprintf(text, sizeof text, "%.3g cm", 1e2 * length_m);
    else
        std::snprintf(text, sizeof text, "%.3g m", length_m);
    return text;
}

/// What becomes of snow that a body leaves this room.
std::string consequence(double height_m, double dx)
{
    if (height_m > tight * dx)
        return ". Snow below it has little room: it may be thrown out, down to the bare ground, or pressed "
               "to ice in many short steps. Leave two cells of room";
    return ". Snow between them is pressed to ice, which takes many times as many steps as forecast. Leave two cells "
           "of room, or set collides = false for a body that need not touch snow";
}

std::string remark(const std::string& body, const std::string& ground, const Gap& gap, double dx)
{
    const double touching_m = 0.01 * dx, wrong_m = 0.5;
    const std::string cell = " (solver.dx is " + gapText(dx) + ")", depth = gapText(std::abs(gap.height_m));
    std::string what = " comes within " + depth + " of the body " + quotedName(ground) + ", less than " +
                       (gap.height_m > tight * dx ? "two cells" : "half a cell") + cell;
    if (gap.height_m < touching_m) what = " touches the body " + quotedName(ground);
    if (gap.height_m < -touching_m) what = " is up to " + depth + " inside the body " + quotedName(ground);
    return "frame " + std::to_string(gap.frame) + ": body " + quotedName(body) + what + consequence(gap.height_m, dx) +
           (gap.height_m < -wrong_m ? ". Are its position and up_axis right?" : "");
}

}  // namespace

std::vector<std::string> remarksOnNarrowGaps(const Scene& scene, const std::vector<Body>& bodies)
{
    const std::vector<Ground> grounds = groundsOf(bodies);
    const std::vector<Box3d> snow = columnsOfSnow(scene);
    if (grounds.empty() || snow.empty()) return {};
    std::vector<std::string> remarks;
    for (const Body& body : bodies) {
        for (const Ground& ground : grounds) {
            const Gap gap = leastGap(scene, body, ground.space, snow);
            if (gap.height_m < narrow * scene.solver.dx)
                remarks.push_back(remark(body.name, ground.name, gap, scene.solver.dx));
        }
    }
    return remarks;
}

}  // namespace firn

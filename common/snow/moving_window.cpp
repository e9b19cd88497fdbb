#include "common/snow/moving_window.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "common/error.h"
#include "common/snow/region.h"
#include "common/snow/stream.h"

namespace firn {

namespace {

constexpr int blockCells = 8;

int floorToBlock(int node) { return node & ~(blockCells - 1); }

const Body& bodyOf(const Scene& scene, const std::vector<Body>& bodies)
{
    return *std::ranges::find(bodies, scene.window.body, &Body::name);
}

Box3d boundsOver(const Body& body, double start_s, double length_s)
{
    Box3d bounds;
    for (const auto& piece : body.pieces) bounds.extend(piece->bounds(start_s, length_s));
    return bounds;
}

/// checkScene refuses ground that moves by its keys; what a clip moves is known only now.
void checkGround(const Scene& scene, const std::vector<Body>& bodies)
{
    for (const SnowRegion& region : scene.snow) {
        const auto ground = std::ranges::find(bodies, region.ground, &Body::name);
        if (region.ground.empty() || ground == bodies.end()) continue;
        if (std::ranges::all_of(ground->pieces, [](const auto& piece) { return piece->isStatic(); })) continue;
        throw Error(ExitCode::Usage, scene.file.string() + ": snow region " + quotedName(region.name) + " lies on " +
                                         quotedName(region.ground) +
                                         ", whose clip moves it; snow that lies on a body that moves does not go with "
                                         "[window]");
    }
}

}  // namespace

MovingWindow::MovingWindow(const Scene& scene, const std::vector<Body>& bodies)
    : m_dx(scene.solver.dx),
      m_startFrame(scene.start_frame),
      m_trailFrames(static_cast<int>(std::ceil(scene.window.trail_s * scene.fps)))
{
    if (scene.window.body.empty()) return;
    checkGround(scene, bodies);
    const Body& body = bodyOf(scene, bodies);
    const Vec3d reach(scene.window.reach_m, 0, scene.window.reach_m);
    for (int frame = scene.start_frame; frame <= scene.end_frame; ++frame) {
        const double length_s = frame == scene.start_frame ? 0 : 1 / scene.fps;
        Box3d box = boundsOver(body, scene.timeOfFrame(frame) - length_s, length_s);
        box.min() -= reach;
        box.max() += reach;
        m_frames.push_back(box);
    }
}

bool MovingWindow::covers(const SnowRegion& region) const
{
    return isThere() && !region.still && region.shape == SnowShape::Layer && region.velocity.isZero(0) &&
           region.spin_rad_s.isZero(0) && !region.source.isThere();
}

Vec3i MovingWindow::blockOf(const Vec3i& cell)
{
    return {floorToBlock(cell.x() - 1), floorToBlock(cell.y() - 1), floorToBlock(cell.z() - 1)};
}

MovingWindow::Cells MovingWindow::cells(int frame) const
{
    const Box3d& box = m_frames[static_cast<std::size_t>(frame - m_startFrame)];
    const auto cell = [&](double x) { return static_cast<int>(std::floor(x / m_dx)); };
    const auto low = [&](double x) { return floorToBlock(cell(x) - 1) + 1; };
    const auto high = [&](double x) { return floorToBlock(cell(x) - 1) + blockCells; };
    return {low(box.min().x()), high(box.max().x()), low(box.min().z()), high(box.max().z())};
}

bool MovingWindow::meets(const Vec3i& block, int frame) const
{
    if (frame < m_startFrame || frame >= m_startFrame + frameCount()) return false;
    const Box3d& box = m_frames[static_cast<std::size_t>(frame - m_startFrame)];
    for (const int a : {0, 2}) {
        const double low = (block[a] + 1) * m_dx, high = (block[a] + 1 + blockCells) * m_dx;
        if (high < box.min()[a] || low > box.max()[a]) return false;
    }
    return true;
}

int MovingWindow::firstFrame(const Vec3i& block) const
{
    for (int frame = m_startFrame; frame < m_startFrame + frameCount(); ++frame)
        if (meets(block, frame)) return frame;
    return INT_MAX;
}

bool MovingWindow::isPast(const Vec3i& block, int frame) const
{
    for (int f = std::max(m_startFrame, frame - m_trailFrames); f <= frame; ++f)
        if (meets(block, f)) return false;
    return true;
}

std::vector<double> MovingWindow::shares(const Box3d& region) const
{
    const Vec3i low = blockOf((region.min() / m_dx).array().floor().cast<int>()),
                high = blockOf((region.max() / m_dx).array().floor().cast<int>());
    std::vector<double> inFrame(m_frames.size());
    int columns = 0;
    for (int x = low.x(); x <= high.x(); x += blockCells)
        for (int z = low.z(); z <= high.z(); z += blockCells, ++columns)
            for (int i = 0, until = -1; i < frameCount(); ++i) {
                if (meets({x, 0, z}, m_startFrame + i)) until = i + m_trailFrames;
                inFrame[static_cast<std::size_t>(i)] += i <= until;
            }
    for (double& share : inFrame) share /= columns;
    return inFrame;
}

int MovingWindow::returnFrame() const
{
    if (!isThere()) return INT_MIN;
    Box3d all;
    for (const Box3d& box : m_frames) all.extend(box);
    const Vec3i low = blockOf((all.min() / m_dx).array().floor().cast<int>()),
                high = blockOf((all.max() / m_dx).array().floor().cast<int>());
    int last = INT_MIN;
    for (int x = low.x(); x <= high.x(); x += blockCells)
        for (int z = low.z(); z <= high.z(); z += blockCells) {
            int met = INT_MAX;  // the last frame so far that meets the block
            for (int frame = m_startFrame; frame < m_startFrame + frameCount(); ++frame) {
                if (!meets({x, 0, z}, frame)) continue;
                // A block leaves in a frame between the two that does not meet it (isPast).
                if (met != INT_MAX && frame - met > m_trailFrames + 1) last = std::max(last, frame);
                met = frame;
            }
        }
    return last;
}

namespace {

std::uint64_t placesThatCome(const Scene& scene, const SnowRegion& spec, const MovingWindow& window)
{
    if (!spec.source.isThere() && !window.covers(spec)) return 0;
    const Region region(scene, spec);
    if (spec.source.length_s == 0) return placesIn(region, scene.solver.dx);
    return SnowStream(scene, region).places();
}

/// Whether part of a region is above part of a layer that the window does not reach in `frame`. Bounds in m.
bool isOverWaiting(const MovingWindow& window, const Box3d& region, const Box3d& layer, double dx, int frame)
{
    const Box3d both = region.intersection(Box3d(Vec3d(layer.min().x(), region.min().y(), layer.min().z()),
                                                 Vec3d(layer.max().x(), region.max().y(), layer.max().z())));
    if (both.isEmpty() || region.max().y() <= layer.min().y()) return false;
    const Vec3i low = MovingWindow::blockOf((both.min() / dx).array().floor().cast<int>()),
                high = MovingWindow::blockOf((both.max() / dx).array().floor().cast<int>());
    for (int x = low.x(); x <= high.x(); x += blockCells)
        for (int z = low.z(); z <= high.z(); z += blockCells)
            if (!window.meets({x, 0, z}, frame)) return true;
    return false;
}

/// Snow that is simulated before the layer below it: it would fall through.
void remarkOnWaitingGround(const MovingWindow& window, const Scene& scene, std::vector<std::string>& remarks)
{
    const std::vector<Region> regions = regionsOf(scene);
    for (const Region& region : regions) {
        const SnowRegion& spec = region.spec();
        if (spec.still || !spec.source.body.empty() || window.covers(spec)) continue;
        const int frame = scene.start_frame + static_cast<int>(std::ceil(spec.source.start_s * scene.fps));
        if (frame > scene.end_frame) continue;
        const auto layer = std::ranges::find_if(regions, [&](const Region& other) {
            return window.covers(other.spec()) &&
                   isOverWaiting(window, region.bounds(), other.bounds(), scene.solver.dx, frame);
        });
        if (layer != regions.end())
            remarks.push_back("snow region " + quotedName(spec.name) + " is above " + quotedName(layer->spec().name) +
                              ", which is not simulated there before the window reaches it: snow that moves falls "
                              "through it. A larger window.reach_m avoids this");
    }
}

}  // namespace

std::vector<std::string> remarksOf(const MovingWindow& window, const Scene& scene)
{
    std::vector<std::string> remarks;
    if (!window.isThere()) return remarks;
    for (const SnowRegion& region : scene.snow)
        if (region.shape == SnowShape::Layer && !region.still && !region.source.isThere() && !window.covers(region))
            remarks.push_back("snow region " + quotedName(region.name) +
                              " has a velocity or a spin, so it does not wait for the window: it is simulated from the "
                              "start, and stays");
    remarkOnWaitingGround(window, scene, remarks);
    if (const int frame = window.returnFrame(); frame >= scene.start_frame)
        remarks.push_back("until frame " + std::to_string(frame) +
                          " the window comes back to snow that may have left the simulation; that snow does not move "
                          "again. A longer window.trail_s keeps it");
    return remarks;
}

PlaceNumbers::PlaceNumbers(const Scene& scene, const MovingWindow& window) : m_before(1)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 31;
    for (const SnowRegion& region : scene.snow) {
        m_before.push_back(m_before.back() + placesThatCome(scene, region, window));
        if (m_before.back() > most)
            throw Error(ExitCode::Usage, scene.file.string() + ": snow region " + quotedName(region.name) +
                                             " has too many places for particles: layers that wait for the window " +
                                             "and regions with [snow.source] may have 2.1e+09 together. Use a larger "
                                             "solver.dx, shorter layers, or shorter and slower streams");
    }
}

std::optional<PlaceNumbers::Place> PlaceNumbers::placeOf(std::uint32_t id) const
{
    const std::uint64_t number = ~id;
    if (number >= count()) return {};
    const auto after = std::ranges::upper_bound(m_before, number);
    const auto region = static_cast<std::size_t>(after - m_before.begin()) - 1;
    return Place{region, number - m_before[region]};
}

}  // namespace firn

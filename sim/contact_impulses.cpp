#include "sim/contact_impulses.h"

#include <algorithm>

#include "sim/block_loops.h"
#include "sim/contact_sums.h"

namespace firn {

namespace {

// Each step begins with the impulses of the last one, so in explicit steps more sweeps change little.
constexpr int explicitSweeps = 2, implicitSweeps = 10;

void change(Tile& tile, ContactPoint& point, const Vec3f& impulse)
{
    if (impulse == point.impulse) return;
    push(tile, point, impulse - point.impulse);
    point.impulse = impulse;
}

/// Sets the 64 nodes that begin with a cell's first one.
void setNodes(int cell, const LeafNeighbours& leaves, NodeFlags& flags)
{
    for (int n = 0; n < 64; ++n) {
        const int x = (cell >> 6) + (n >> 4), y = (cell >> 3 & 7) + (n >> 2 & 3), z = (cell & 7) + (n & 3);
        const int leaf = leaves[static_cast<std::size_t>(x >> 3 | y >> 3 << 1 | z >> 3 << 2)];
        const int node = (x & 7) << 6 | (y & 7) << 3 | (z & 7);
        if (leaf >= 0) flags[static_cast<std::size_t>(leaf)].set(static_cast<std::size_t>(node));
    }
}

/// Copies a block's nodes in. Nodes of leaves that are not active are at rest and have no 1 / m.
template <class NodesOf>
void loadAll(Tile& tile, const LeafNeighbours& leaves, const NodesOf& nodesOf)
{
    if (std::ranges::any_of(leaves, [](int leaf) { return leaf < 0; })) tile.clear();
    tile.load(leaves, nodesOf);
}

/// Calls f(tile of the new velocities) for a block and writes the tile back.
template <class F>
void changeVelocities(Grid& grid, const Block& block, const F& f)
{
    const auto nodes = [&](int leaf) { return grid.newVelocity(static_cast<std::size_t>(leaf)); };
    Tile tile;
    loadAll(tile, block.leaves, nodes);
    f(tile);
    tile.store(block.leaves, nodes);
}

/// Applies the remembered impulse. A point of sleeping snow most of whose nodes are not active takes no part: to stop
/// it, the others would have to be thrown.
void begin(Tile& tile, ContactPoint& point)
{
    const bool takesPart = weightWithMass(tile, point) > 0.5f;
    point.response = takesPart ? responseAt(tile, point) : 0;
    point.impulse = takesPart ? admissible(point, point.impulse) : Vec3f(Vec3f::Zero());
    push(tile, point, point.impulse);
}

template <class Vector>
auto leavesOf(Vector& vector)
{
    return [&](int leaf) { return vector.leaf(static_cast<std::size_t>(leaf)); };
}

}  // namespace

void ContactImpulses::start(const ContactStep& step)
{
    m_step = step;
    m_groups.clear();
}

void ContactImpulses::find(const Contact& contact, const Particles& particles, const Order& order,
                           const Touches& touches)
{
    Group& group = m_groups.emplace_back();
    for (std::size_t colour = 0; colour < order.colours.size(); ++colour) {
        const std::vector<int>& blocks = order.colours[colour];
        std::vector<BlockPoints> found(blocks.size());
        parallelFor(blocks.size(), [&](std::size_t k) {
            const Block& block = order.blocks[static_cast<std::size_t>(blocks[k])];
            found[k] = {&block, findContacts(contact, particles, order, block, touches, m_step)};
        });
        for (BlockPoints& block : found)
            if (!block.points.empty()) group[colour].push_back(std::move(block));
    }
}

template <class Groups, class F>
void ContactImpulses::forEachBlock(Groups& groups, const F& f)
{
    for (std::size_t colour = 0; colour < 8; ++colour)
        for (auto& group : groups) parallelFor(group[colour].size(), [&](std::size_t k) { f(group[colour][k]); });
}

void ContactImpulses::apply(Grid& grid)
{
    forEachBlock(m_groups, [&](BlockPoints& block) {
        changeVelocities(grid, *block.block, [&](Tile& tile) {
            for (ContactPoint& point : block.points) begin(tile, point);
        });
    });
    improve(grid);
}

void ContactImpulses::improve(Grid& grid)
{
    const int sweeps = m_step.implicit ? implicitSweeps : explicitSweeps;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        forEachBlock(m_groups, [&](BlockPoints& block) {
            changeVelocities(grid, *block.block, [&](Tile& tile) {
                for (ContactPoint& point : block.points) change(tile, point, improved(point, velocityAt(tile, point)));
            });
        });
}

void ContactImpulses::addResistance(const NodeVector& u, float factor, NodeVector& f) const
{
    forEachBlock(m_groups, [&](const BlockPoints& block) {
        Tile velocity, sums;
        loadAll(velocity, block.block->leaves, leavesOf(u));
        sums.clear();
        for (const ContactPoint& point : block.points)
            if (bearsLoad(point)) addAt(sums, point, factor * resistance(point, velocityAt(velocity, point)));
        sums.addTo(block.block->leaves, leavesOf(f));
    });
}

void ContactImpulses::addImpulsesOf(const NodeVector& u)
{
    forEachBlock(m_groups, [&](BlockPoints& block) {
        Tile velocity;
        loadAll(velocity, block.block->leaves, leavesOf(u));
        for (ContactPoint& point : block.points)
            if (bearsLoad(point)) point.impulse -= resistance(point, velocityAt(velocity, point));
    });
}

NodeFlags ContactImpulses::touchedNodes(const Grid& grid) const
{
    NodeFlags touched(grid.leafCount());
    forEachBlock(m_groups, [&](const BlockPoints& block) {
        for (const ContactPoint& point : block.points)
            if (bearsLoad(point)) setNodes(point.cell, block.block->leaves, touched);
    });
    return touched;
}

Touches ContactImpulses::touches() const
{
    if (m_groups.empty()) return {};
    const float perDt = static_cast<float>(1 / m_step.dt_s);
    std::vector<Touch> all;
    for (const auto& blocks : m_groups.front())
        for (const BlockPoints& block : blocks)
            for (const ContactPoint& p : block.points) all.push_back({p.particle, p.piece, p.reach, perDt * p.impulse});
    return Touches(std::move(all));
}

}  // namespace firn

#include "sim/contact_impulses.h"

#include <algorithm>
#include <bit>

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

/// Nodes of a block's tile, a row along z in each number.
class TileFlags {
public:
    /// Sets the 64 nodes that begin with a cell's first one.
    void set(int cell)
    {
        const int x = cell >> 6, y = cell >> 3 & 7, z = cell & 7;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) m_rows[x + i][y + j] |= 15u << z;
    }

    void addTo(const LeafNeighbours& leaves, NodeFlags& flags) const
    {
        for (std::size_t slot = 0; slot < leaves.size(); ++slot)
            if (leaves[slot] >= 0)
                addTo(flags[static_cast<std::size_t>(leaves[slot])], slot & 1, slot >> 1 & 1, slot >> 2);
    }

private:
    static constexpr std::size_t size = leafSize;

    /// Those of one leaf, which is so many leaves ahead along each axis.
    void addTo(std::bitset<nodesPerLeaf>& leaf, std::size_t ahead_x, std::size_t ahead_y, std::size_t ahead_z) const
    {
        for (std::size_t x = 0; x < (ahead_x ? Tile::edge - size : size); ++x)
            for (std::size_t y = 0; y < (ahead_y ? Tile::edge - size : size); ++y)
                for (unsigned row = m_rows[size * ahead_x + x][size * ahead_y + y] >> size * ahead_z & 255; row != 0;
                     row &= row - 1)
                    leaf.set(size * (size * x + y) + static_cast<std::size_t>(std::countr_zero(row)));
    }

    unsigned m_rows[Tile::edge][Tile::edge] = {};
};

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
    const bool takesPart = allHaveMass(tile, point) || weightWithMass(tile, point) > 0.5f;
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
        TileFlags tile;
        for (const ContactPoint& point : block.points)
            if (bearsLoad(point)) tile.set(point.cell);
        tile.addTo(block.block->leaves, touched);
    });
    return touched;
}

Touches ContactImpulses::touches() const
{
    if (m_groups.empty()) return {};
    const float perDt = static_cast<float>(1 / m_step.dt_s);
    std::size_t count = 0;
    for (const auto& blocks : m_groups.front())
        for (const BlockPoints& block : blocks) count += block.points.size();
    std::vector<Touch> all;
    all.reserve(count);
    for (const auto& blocks : m_groups.front())
        for (const BlockPoints& block : blocks)
            for (const ContactPoint& p : block.points) all.push_back({p.particle, p.piece, p.reach, perDt * p.impulse});
    return Touches(std::move(all));
}

}  // namespace firn

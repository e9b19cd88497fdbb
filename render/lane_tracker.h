#pragma once
// Walks rays through bricks, one in each lane of a register (wide_tracking.h). A step takes every ray either to its
// next tentative collision or to the next block. A lane whose ray has ended takes the next ray that waits.

#include "render/ray_batch.h"
#include "render/wide_bricks.h"

namespace firn {

/// `Rule` says what a tentative collision means:
///     static constexpr float start;  // the result of a ray without collisions
///     /// Changes the result of the lanes that collide; returns those whose ray ends. `share`: sigma_t over majorant.
///     Ints collide(Ints collides, Floats t, Floats share, Floats u, Floats& result);
template <class Rule>
class LaneTracker {
public:
    LaneTracker(const Bricks& bricks, const RayBatch& rays, Column<float>& results)
        : m_bricks(bricks), m_rays(rays), m_results(results)
    {
    }

    void run()
    {
        while (takeRays()) step();
    }

private:
    struct Axis {
        Floats origin{}, direction{}, inverse{};
        Ints cell{};
        int min = 0, max = 0;  // of cells, half open
    };
    /// Cubes of one majorant each.
    struct Blocks {
        std::array<Ints, 3> low;  // first cell
        Ints size, brick, level;
        Floats majorant;
    };

    /// Gives rays that wait to free lanes. False when no lane has a ray.
    bool takeRays()
    {
        while (m_active != allLanes && m_next < m_rays.count) {
            const int waiting = m_rays.count - m_next;
            LaneBits taken = ~m_active & allLanes;
            while (std::popcount(taken) > waiting) taken &= taken - 1;
            m_ray = select(maskOf(taken), expandNumbers(taken), m_ray);
            takeAxis(m_axes[0], m_rays.origin.x, m_rays.direction.x, taken);
            takeAxis(m_axes[1], m_rays.origin.y, m_rays.direction.y, taken);
            takeAxis(m_axes[2], m_rays.origin.z, m_rays.direction.z, taken);
            m_tMax = expand(m_rays.t_max.from(m_next), taken, m_tMax);
            m_depth = expand(m_rays.depth.from(m_next), taken, m_depth);
            m_random.fill(m_rays.key.from(m_next), taken);
            m_result = select(maskOf(taken), floats(Rule::start), m_result);
            m_next += std::popcount(taken);
            m_active |= taken;
            enterBounds(taken);
        }
        return m_active != 0;
    }

    /// Takes every ray to its next tentative collision or to its next block.
    void step()
    {
        const Ints active = maskOf(m_active);
        const Blocks blocks = lookUp(active);
        std::array<Floats, 3> border;
        for (int a = 0; a < 3; ++a) {
            const Axis& axis = m_axes[a];
            const Ints far = blocks.low[a] + ((axis.inverse > 0.f) & blocks.size);
            border[a] = (toFloats(far) - axis.origin) * axis.inverse;
        }
        const Floats tBorder = smaller(border[0], smaller(border[1], border[2]));
        const Floats tExit = larger(m_t, smaller(tBorder, m_tMax));
        const Floats optical = (tExit - m_t) * blocks.majorant;
        const Ints collides = active & (m_depth < optical);
        const Floats freePath = reciprocal(blocks.majorant);  // not a number where nothing is
        const Floats tCollision = m_t + m_depth * freePath;
        // Only tentative collisions consume random numbers. Blocks that the ray merely crosses do not change them.
        Words random = m_random;
        const Uniforms u = nextUniforms(random);
        stepLanes(m_random, collides);
        const Floats share = freePath * interpolate(blocks, tCollision, collides);
        const Ints stops = Rule::collide(collides, tCollision, share, u.first, m_result);
        m_depth = select(collides, sampleOpticalDepths(u.second), m_depth - optical);
        const Floats tNext = larger(m_t, tBorder);
        m_t = select(collides, tCollision, tNext);
        const Ints leaves = enterNextBlocks(blocks, border, tNext, ~collides);
        end(bitsOf((stops & collides) | (leaves & ~collides)) & m_active);
    }

    /// Moves the lanes of `moves` across the borders at tNext. Returns the lanes where no block follows. The next
    /// block's cell is computed in integers, so rounding cannot stop the walk.
    Ints enterNextBlocks(const Blocks& blocks, const std::array<Floats, 3>& border, Floats tNext, Ints moves)
    {
        Ints leaves = tNext >= m_tMax;
        for (int a = 0; a < 3; ++a) {
            Axis& axis = m_axes[a];
            const Ints low = blocks.low[a], end = low + blocks.size;
            const Ints across = select(axis.inverse > 0.f, end, low - 1);
            const Ints along = larger(low, smaller(toInts(axis.origin + tNext * axis.direction), end - 1));
            const Ints next = select(border[a] <= tNext, across, along);
            leaves |= (next < axis.min) | (next >= axis.max);
            axis.cell = select(moves, next, axis.cell);
        }
        return leaves;
    }

    /// The numbers of the next rays, in the lanes that take them.
    Ints expandNumbers(LaneBits taken) const
    {
        alignas(64) std::array<float, laneCount> numbers;
        storeRegister(numbers.data(), laneNumbers() + m_next);
        return reinterpret_cast<Ints>(expand(numbers.data(), taken, Floats{}));
    }

    void takeAxis(Axis& axis, const Column<float>& origin, const Column<float>& direction, LaneBits taken)
    {
        constexpr float tiny = 1e-12f;  // keeps distances to borders finite
        axis.origin = expand(origin.from(m_next), taken, axis.origin);
        axis.direction = expand(direction.from(m_next), taken, axis.direction);
        axis.inverse = reciprocal(select(magnitude(axis.direction) < tiny, floats(tiny), axis.direction));
    }

    /// Moves new rays to where they enter the bounds. Those that miss them end.
    void enterBounds(LaneBits taken)
    {
        Floats t0{}, t1 = m_tMax;
        for (int a = 0; a < 3; ++a) {
            Axis& axis = m_axes[a];
            axis.min = m_bricks.cell_min[a];
            axis.max = m_bricks.cell_max[a];
            const Floats low = (static_cast<float>(axis.min) - axis.origin) * axis.inverse;
            const Floats high = (static_cast<float>(axis.max) - axis.origin) * axis.inverse;
            t0 = larger(t0, smaller(low, high));
            t1 = smaller(t1, larger(low, high));
        }
        const Ints isNew = maskOf(taken);
        m_t = select(isNew, t0, m_t);
        for (Axis& axis : m_axes) {
            const Ints cell = toInts(axis.origin + t0 * axis.direction);
            const Ints inside = larger(ints(axis.min), smaller(cell, ints(axis.max - 1)));
            axis.cell = select(isNew, inside, axis.cell);
        }
        end(taken & ~bitsOf(t0 < t1));
    }

    Blocks lookUp(Ints active) const
    {
        const Ints x = m_axes[0].cell, y = m_axes[1].cell, z = m_axes[2].cell;
        const BrickLookUp at = findBricks(m_bricks, x, y, z, active);
        const int shift = m_bricks.block_shift, log = 3 - shift;  // log2 of the blocks along an edge of a brick
        const auto inBrick = [&](Ints cell) { return ((cell >> at.level) & 7) >> shift; };
        const Ints block = (at.brick << (3 * log)) + (((inBrick(x) << log) + inBrick(y)) << log) + inBrick(z);
        const Ints margin = select(at.has_brick, Ints{}, (-1 - at.brick) * Bricks::cells);  // empty on all sides
        const Ints edge = select(at.has_brick, ints(1) << (at.block_shift + at.level),
                                 select(at.has_chunk, ints(Bricks::cells), ints(Bricks::chunkCells)));
        const auto low = [&](Ints cell) { return (cell & -edge) - margin; };
        return {{low(x), low(y), low(z)},
                edge + 2 * margin,
                at.brick,
                at.level,
                gather(m_bricks.majorants.data(), block, at.has_brick, Floats{})};
    }

    /// The field at t along the rays, within the bricks of the current cells.
    Floats interpolate(const Blocks& blocks, Floats t, Ints lanes) const
    {
        const auto local = [&](const Axis& axis) {
            return localCoordinate(axis.origin + t * axis.direction, axis.cell, blocks.level);
        };
        return interpolateBricks(m_bricks.allValues(), blocks.brick, local(m_axes[0]), local(m_axes[1]),
                                 local(m_axes[2]), lanes);
    }

    void end(LaneBits lanes)
    {
        if (lanes == 0) return;
        scatter(m_results.from(0), m_ray, lanes, m_result);
        m_active &= ~lanes;
    }

    const Bricks& m_bricks;
    const RayBatch& m_rays;
    Column<float>& m_results;
    int m_next = 0;  // the first ray that waits
    LaneBits m_active = 0;
    Ints m_ray{};
    std::array<Axis, 3> m_axes;
    Floats m_t{}, m_tMax{}, m_depth{}, m_result{};
    Words m_random;
};

}  // namespace firn

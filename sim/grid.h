#pragma once
// The background grid. Its leaves exist only where kernels of particles reach, and are leaf nodes of OpenVDB, two for
// each place. Hot loops count through the leaves and use their buffers directly (see simd/leaf.h).
//
// A leaf has two fields of four floats per node. What they hold changes twice in a step:
//                                                      first field                   second field
//   Sums        from activate() on                     momentum m v, mass m          force f, 0
//   Velocities  after replaceSumsByVelocities()        v_old, mass m                 v_new, 1 / m
//   Blend       after replaceOldVelocitiesByBlend()    v_new - alpha v_old, mass m   v_new, 1 / m
//   Shares      after replaceMassesByShares()          v_old, share of FLIP          v_new, 1 / m
// The functions below give a field under the name of what it holds, and assert that it does.

#include <cassert>
#include <memory>
#include <vector>

#include "sim/order.h"
#include "sim/parallel.h"

namespace firn {

class Grid {
public:
    explicit Grid(double spacing_m);
    ~Grid();

    /// Leaves, zeroed, for all blocks and for the forward neighbours that their kernels reach. Fills Block::leaves.
    void activate(Order& order);

    /// Fills Block::leaves with those of the block's leaves that are active; tells whether there are any.
    bool link(Block& block) const;

    double spacing() const { return m_h; }
    std::size_t leafCount() const { return m_leaves.size(); }
    const Vec3i& origin(std::size_t leaf) const
    {
        return m_leaves[leaf].origin;
    }  // its first node; leaves are by origin
    std::size_t bytes() const;

    // Fields of a leaf.
    float* momentum(std::size_t leaf) { return first(leaf, Holds::Sums); }                             // kg m/s, kg
    const float* momentum(std::size_t leaf) const { return first(leaf, Holds::Sums); }                 // kg m/s, kg
    float* force(std::size_t leaf) { return second(leaf, m_holds == Holds::Sums); }                    // N
    const float* force(std::size_t leaf) const { return second(leaf, m_holds == Holds::Sums); }        // N
    const float* oldVelocity(std::size_t leaf) const { return first(leaf, Holds::Velocities); }        // m/s, kg
    float* newVelocity(std::size_t leaf) { return second(leaf, m_holds != Holds::Sums); }              // m/s
    const float* newVelocity(std::size_t leaf) const { return second(leaf, m_holds != Holds::Sums); }  // m/s
    const float* blend(std::size_t leaf) const { return first(leaf, Holds::Blend); }                   // m/s, kg
    const float* oldVelocityAndShare(std::size_t leaf) const { return first(leaf, Holds::Shares); }    // m/s, 1

    /// m_i of a node, kg; not in the state Shares.
    float mass(std::size_t leaf, int node) const
    {
        assert(m_holds != Holds::Shares);
        return m_leaves[leaf].first[4 * node + 3];
    }

    /// Calls f(momentum, force) for every leaf, which replaces them by v_old and v_new.
    template <class F>
    void replaceSumsByVelocities(const F& f)
    {
        assert(m_holds == Holds::Sums);
        parallelFor(m_leaves.size(), [&](std::size_t i) { f(m_leaves[i].first, m_leaves[i].second); });
        m_holds = Holds::Velocities;
    }

    /// Calls f(v_old, v_new) for every leaf, which replaces v_old by v_new - alpha v_old.
    template <class F>
    void replaceOldVelocitiesByBlend(const F& f)
    {
        assert(m_holds == Holds::Velocities);
        parallelFor(m_leaves.size(), [&](std::size_t i) {
            const float* newVelocity = m_leaves[i].second;
            f(m_leaves[i].first, newVelocity);
        });
        m_holds = Holds::Blend;
    }

    /// Calls f(leaf, (v_old, m)) for every leaf, which replaces the masses by shares of FLIP.
    template <class F>
    void replaceMassesByShares(const F& f)
    {
        assert(m_holds == Holds::Velocities);
        parallelFor(m_leaves.size(), [&](std::size_t i) { f(i, m_leaves[i].first); });
        m_holds = Holds::Shares;
    }

private:
    enum class Holds { Sums, Velocities, Blend, Shares };
    struct VdbLeaves;
    struct Leaf {
        Vec3i origin;
        float *first, *second;
    };

    void setLeaves(const std::vector<Vec3i>& origins);  // keeps the leaves that it has

    float* first(std::size_t leaf, Holds wanted) const
    {
        assert(m_holds == wanted);
        return m_leaves[leaf].first;
    }
    float* second(std::size_t leaf, bool holdsIt) const
    {
        assert(holdsIt);
        return m_leaves[leaf].second;
    }

    std::vector<Leaf> m_leaves;
    std::vector<VdbLeaves> m_owned;  // in the order of m_leaves
    Holds m_holds = Holds::Sums;
    double m_h;
};

}  // namespace firn

#pragma once
// What contact remembers from step to step of particles near bodies.

#include <cstdint>
#include <span>
#include <vector>

#include "common/math.h"

namespace firn {

/// One particle near one piece of a body.
struct Touch {
    std::uint32_t particle;  // id
    std::uint32_t piece;     // as Contact numbers them
    float reach;             // m: the particle touches at this distance from the surface
    Vec3f force;             // N, of the piece on the particle in the last step
};
static_assert(sizeof(Touch) == 24, "checkpoints hold touches as they lie in memory");

/// Touches by particle and piece.
class Touches {
public:
    Touches() = default;
    explicit Touches(std::vector<Touch> touches);  // in any order, each particle and piece once

    /// That of a particle with a piece, or nullptr.
    const Touch* find(std::uint32_t particle, std::uint32_t piece) const;

    /// Takes out those of the given particles (ids in any order) and returns them.
    Touches extract(std::span<const std::uint32_t> particles);
    void add(const Touches& others);

    /// In the order in which they were given.
    std::span<const Touch> all() const { return m_touches; }

private:
    std::size_t bucketOf(std::uint32_t particle) const;
    void index();

    // Lists of those whose particles share a bucket: m_first[bucket], then m_next[touch]. They are read in every step
    // for every particle near a body, and sorting would take as long as all the rest of finding contacts.
    std::vector<Touch> m_touches;
    std::vector<std::uint32_t> m_first, m_next;
};

}  // namespace firn

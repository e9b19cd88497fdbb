#include "sim/touch.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <iterator>

namespace firn {

namespace {

std::uint64_t keyOf(std::uint32_t particle, std::uint32_t piece) { return std::uint64_t{particle} << 32 | piece; }
bool isBefore(const Touch& a, const Touch& b) { return keyOf(a.particle, a.piece) < keyOf(b.particle, b.piece); }

}  // namespace

Touches::Touches(std::vector<Touch> touches) : m_touches(std::move(touches))
{
    tbb::parallel_sort(m_touches.begin(), m_touches.end(), isBefore);
}

const Touch* Touches::find(std::uint32_t particle, std::uint32_t piece) const
{
    const auto found = std::lower_bound(
        m_touches.begin(), m_touches.end(), keyOf(particle, piece),
        [](const Touch& touch, std::uint64_t key) { return keyOf(touch.particle, touch.piece) < key; });
    if (found == m_touches.end() || found->particle != particle || found->piece != piece) return nullptr;
    return &*found;
}

Touches Touches::extract(std::span<const std::uint32_t> particles)
{
    std::vector<std::uint32_t> ids(particles.begin(), particles.end());
    std::sort(ids.begin(), ids.end());
    const auto isKept = [&](const Touch& touch) { return !std::binary_search(ids.begin(), ids.end(), touch.particle); };
    const auto first = std::stable_partition(m_touches.begin(), m_touches.end(), isKept);
    Touches taken(std::vector<Touch>(first, m_touches.end()));
    m_touches.erase(first, m_touches.end());
    return taken;
}

void Touches::add(const Touches& others)
{
    std::vector<Touch> merged;
    merged.reserve(m_touches.size() + others.m_touches.size());
    std::merge(m_touches.begin(), m_touches.end(), others.m_touches.begin(), others.m_touches.end(),
               std::back_inserter(merged), isBefore);
    m_touches = std::move(merged);
}

}  // namespace firn

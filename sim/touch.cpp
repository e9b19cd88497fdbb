#include "sim/touch.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>

#include "sim/parallel.h"

namespace firn {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

}  // namespace

Touches::Touches(std::vector<Touch> touches) : m_touches(std::move(touches)) { index(); }

/// Neighbours often have successive ids, which then have buckets of their own.
std::size_t Touches::bucketOf(std::uint32_t particle) const { return particle & (m_first.size() - 1); }

/// The order within a list depends on threads; what find() answers does not.
void Touches::index()
{
    m_first.assign(m_touches.empty() ? 0 : std::bit_ceil(m_touches.size()), none);
    m_next.resize(m_touches.size());
    parallelFor(m_touches.size(), [&](std::size_t i) {
        std::uint32_t& first = m_first[bucketOf(m_touches[i].particle)];
        m_next[i] = std::atomic_ref(first).exchange(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
    });
}

const Touch* Touches::find(std::uint32_t particle, std::uint32_t piece) const
{
    if (m_touches.empty()) return nullptr;
    for (std::uint32_t i = m_first[bucketOf(particle)]; i != none; i = m_next[i])
        if (m_touches[i].particle == particle && m_touches[i].piece == piece) return &m_touches[i];
    return nullptr;
}

Touches Touches::extract(std::span<const std::uint32_t> particles)
{
    if (m_touches.empty()) return {};
    std::vector<std::uint32_t> ids(particles.begin(), particles.end());
    std::sort(ids.begin(), ids.end());
    const auto isKept = [&](const Touch& touch) { return !std::binary_search(ids.begin(), ids.end(), touch.particle); };
    const auto first = std::stable_partition(m_touches.begin(), m_touches.end(), isKept);
    if (first == m_touches.end()) return {};
    Touches taken(std::vector<Touch>(first, m_touches.end()));
    m_touches.erase(first, m_touches.end());
    index();
    return taken;
}

void Touches::add(const Touches& others)
{
    if (others.m_touches.empty()) return;
    std::ranges::copy(others.m_touches, std::back_inserter(m_touches));
    index();
}

}  // namespace firn

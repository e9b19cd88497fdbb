#pragma once
// Bricks that are made when they are first asked for, by any thread.

#include <atomic>
#include <memory>
#include <vector>

namespace firn {

template <class Brick>
class LazyBricks {
public:
    explicit LazyBricks(std::size_t count) : m_bricks(count) {}
    ~LazyBricks()
    {
        for (const std::atomic<const Brick*>& brick : m_bricks) delete brick.load(std::memory_order_relaxed);
    }
    LazyBricks(const LazyBricks&) = delete;
    LazyBricks& operator=(const LazyBricks&) = delete;

    /// The brick with an index. Two threads may make the same brick at a time; both then get the first one that is
    /// done, so `make` must give the same brick every time.
    template <class Make>
    const Brick& get(std::size_t index, Make&& make) const
    {
        std::atomic<const Brick*>& slot = m_bricks[index];
        const Brick* known = slot.load(std::memory_order_acquire);
        if (known) return *known;
        std::unique_ptr<const Brick> made = make();
        if (slot.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel, std::memory_order_acquire))
            return *made.release();
        return *known;
    }

private:
    mutable std::vector<std::atomic<const Brick*>> m_bricks;
};

}  // namespace firn

#pragma once
// Wall time that has passed.

#include <chrono>

namespace firn {

class Stopwatch {
public:
    /// Since construction or the last restart.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }
    void restart() { m_start = Clock::now(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_start = Clock::now();
};

/// Adds the time of a scope to a counter.
class Timed {
public:
    explicit Timed(double& seconds) : m_seconds(seconds) {}
    ~Timed() { m_seconds += m_watch.seconds(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    double& m_seconds;
    Stopwatch m_watch;
};

}  // namespace firn

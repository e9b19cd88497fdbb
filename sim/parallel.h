#pragma once
// Parallel loops of the solver. Denormal numbers are flushed to zero in every task, on whichever thread it runs, so
// that speed does not collapse at kernel edges and results do not depend on the schedule.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <xmmintrin.h>

#include <cstddef>

namespace firn {

class FlushDenormals {
public:
    FlushDenormals() : m_saved(_mm_getcsr()) { _mm_setcsr(m_saved | 0x8040); }  // FTZ and DAZ
    ~FlushDenormals() { _mm_setcsr(m_saved); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned m_saved;
};

/// Calls f(i) for i in [0, count), `grain` consecutive ones per task at least.
template <class F>
void parallelFor(std::size_t count, const F& f, std::size_t grain = 1)
{
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
        const FlushDenormals flush;
        for (std::size_t i = range.begin(); i != range.end(); ++i) f(i);
    });
}

}  // namespace firn

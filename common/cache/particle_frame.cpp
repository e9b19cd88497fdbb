#include "common/cache/particle_frame.h"

#include <algorithm>
#include <numeric>

namespace firn {

ParticleFrame takePowder(ParticleFrame& frame)
{
    ParticleFrame powder;
    if (std::ranges::find(frame.state, ParticleFrame::powder) == frame.state.end()) return powder;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (frame.state[i] == ParticleFrame::powder) {
            ParticleFrame::zipColumns([i](auto& to, const auto& from) { to.push_back(from[i]); }, powder, frame);
            continue;
        }
        ParticleFrame::zipColumns([i, kept](auto& column) { column[kept] = column[i]; }, frame);
        ++kept;
    }
    ParticleFrame::zipColumns([kept](auto& column) { column.resize(kept); }, frame);
    return powder;
}

ParticleSource sourceOf(const ParticleFrame& frame)
{
    ParticleSource source;
    source.about.frame = frame.frame;
    source.about.time_s = frame.time_s;
    source.about.fps = frame.fps;
    source.about.dx_m = frame.dx_m;
    source.about.scene_hash = frame.scene_hash;
    source.about.frozen = frame.frozen;
    source.count = frame.size();
    source.read = [&frame](std::span<const std::uint32_t> rows, ParticleFrame& to) {
        ParticleFrame::zipColumns(
            [&](const auto& from, auto& column) {
                column.clear();
                for (const std::uint32_t row : rows) column.push_back(from[row]);
            },
            frame, to);
    };
    return source;
}

ParticleFrame wholeFrame(const ParticleSource& source)
{
    ParticleFrame frame = source.about;
    std::vector<std::uint32_t> rows(source.count);
    std::iota(rows.begin(), rows.end(), 0u);
    source.read(rows, frame);
    return frame;
}

}  // namespace firn

#include "common/cache/particle_frame.h"

#include <numeric>

namespace firn {

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

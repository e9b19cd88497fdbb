// Measures how a ball of snow grows while it rolls over other snow.
//
//     ninja -C build rolling && build/tests/campaign/rolling CACHE FRAME ...
//
// The ball is the first region of the scene. Prints for each frame what tests/sim/rolling_ball.h says: how far the
// centre has moved, the speed, the speed over rate of turning and first radius, and the ball's own snow and other snow
// that turns with it, over the ball's mass in frame 1.

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"
#include "tests/sim/rolling_ball.h"

int main(int argc, char** argv)
{
    using namespace firn;
    if (argc < 3) {
        std::fputs("usage: rolling CACHE FRAME ...\n", stderr);
        return 2;
    }
    try {
        const auto read = [&](int frame) {
            return readPointsFile(framePath(std::filesystem::path(argv[1]) / "snow.####.vdb", frame));
        };
        const RollingBall ball(read(1));
        std::puts("frame  moved m    m/s  v/(wR)    own  other");
        for (int a = 2; a < argc; ++a) {
            const int frame = std::atoi(argv[a]);
            const RollingBall::State at = ball.at(read(frame));
            std::printf("%5d  %7.2f  %5.2f  %6.2f  %5.2f  %5.2f\n", frame, at.moved_m, at.speed_m_s, at.slip, at.own,
                        at.other);
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.code());
    }
}

// Times the level sets of an animated body: level_sets FILE VOXEL_M [SCALE]
// Prints the key times of the first second at 24 frames per second, and the milliseconds that each takes: skinning,
// level set, nearest points and velocities. Run it with the threads that a shot would have.

#include <cstdio>
#include <cstdlib>

#include "common/body/body.h"
#include "common/io/stopwatch.h"

using namespace firn;

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: level_sets FILE VOXEL_M [SCALE]\n");
        return 2;
    }
    Scene scene;
    BodySpec body;
    body.name = "body";
    body.shape = BodyShape::Mesh;
    body.file = argv[1];
    body.voxel_m = std::atof(argv[2]);
    body.scale = argc > 3 ? std::atof(argv[3]) : 1;
    scene.solver.dx = 2 * body.voxel_m;
    scene.bodies.push_back(body);
    const Stopwatch reading;
    const std::vector<Body> bodies = makeBodies(scene);
    std::printf("%zu pieces, read in %.0f ms\n", bodies[0].pieces.size(), 1e3 * reading.seconds());
    for (int frame = 0; frame < 24; ++frame) {
        const Stopwatch made;
        int intervals = 0;
        for (const auto& piece : bodies[0].pieces)
            for (int part = 0; part < 32; ++part) {
                const Stopwatch one;
                piece->place((frame + (part + 0.5) / 32) / scene.fps, 1e-5);
                intervals += one.seconds() > 1e-3;  // a placement takes microseconds once its level sets are made
            }
        std::printf("frame %2d  %d key times  %.0f ms\n", frame, intervals, 1e3 * made.seconds());
    }
    return 0;
}

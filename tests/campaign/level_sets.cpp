// Times the level sets of an animated body: level_sets FILE VOXEL_M [SCALE [HEIGHT_M]]
// Prints the key times of the first second at 24 frames per second, and the milliseconds that each takes: skinning, and
// distances and velocities at all vertices below HEIGHT_M, for which the bricks around them are made. Run it with one
// thread.

#include <cstdio>
#include <cstdlib>

#include "common/body/body.h"
#include "common/io/stopwatch.h"

using namespace firn;

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: level_sets FILE VOXEL_M [SCALE [HEIGHT_M]]\n");
        return 2;
    }
    Scene scene;
    BodySpec body;
    body.name = "body";
    body.shape = BodyShape::Mesh;
    body.file = argv[1];
    body.voxel_m = std::atof(argv[2]);
    body.scale = argc > 3 ? std::atof(argv[3]) : 1;
    const double height_m = argc > 4 ? std::atof(argv[4]) : 1e9;
    scene.solver.dx = 2 * body.voxel_m;
    scene.bodies.push_back(body);
    const Stopwatch reading;
    const std::vector<Body> bodies = makeBodies(scene);
    std::printf("%zu pieces, read in %.0f ms\n", bodies[0].pieces.size(), 1e3 * reading.seconds());
    for (int frame = 0; frame < 24; ++frame) {
        const Stopwatch made;
        int keys = 0;
        for (const auto& piece : bodies[0].pieces)
            for (int part = 0; part < 32; ++part) {
                const double time_s = (frame + (part + 0.5) / 32) / scene.fps;
                const Stopwatch one;
                const auto placed = piece->place(time_s, 1e-5);
                // A placement takes microseconds once its vertices have been moved.
                if (one.seconds() < 2e-4) continue;
                ++keys;
                const PosedMesh surface = std::get<PosedMesh>(piece->surface(time_s));
                for (const Vec3f& v : surface.mesh->vertices) {
                    const Vec3d point = surface.pose.toWorld(v.cast<double>());
                    Vec3d normal;
                    if (point.y() < height_m && placed->distance(point, normal) < 1) placed->velocity(point);
                }
            }
        std::printf("frame %2d  %d key times  %.0f ms\n", frame, keys, 1e3 * made.seconds());
    }
    return 0;
}

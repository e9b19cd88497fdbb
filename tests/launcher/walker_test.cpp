// The walker of the demo's shot against its strip of snow.

#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "common/body/body.h"
#include "common/scene/load.h"

using namespace firn;

namespace {

const std::filesystem::path folder = FIRN_SCENES;

const Body& walker(const std::vector<Body>& bodies)
{
    return *std::find_if(bodies.begin(), bodies.end(), [](const Body& body) { return body.name == "walker"; });
}

/// The pieces of a body at a time.
std::vector<std::unique_ptr<const PlacedPiece>> at(const Body& body, double time_s)
{
    return placeAll({body}, time_s, 0);
}

/// Signed distance over all pieces.
double distance(const std::vector<std::unique_ptr<const PlacedPiece>>& pieces, const Vec3d& point)
{
    double phi = std::numeric_limits<double>::infinity();
    for (const auto& piece : pieces) {
        Vec3d normal;
        phi = std::min(phi, piece->distance(point, normal));
    }
    return phi;
}

/// Whether a boot comes within 1.5 cm of its lowest at this place of the way.
bool isSteppedOn(const Body& body, double z, double first_s, double last_s)
{
    for (int i = 0; first_s + i / 48.0 <= last_s; ++i) {
        const auto pieces = at(body, first_s + i / 48.0);
        for (const double x : {-0.095, 0.095})
            if (distance(pieces, Vec3d(x, 0.105, z)) < 0) return true;
    }
    return false;
}

/// Two frames of a root that starts at (300, 90, 50) cm and travels 200 cm along +x.
std::filesystem::path writeSideways()
{
    std::string name = (std::filesystem::temp_directory_path() / "firn-walk-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    std::filesystem::path path = std::filesystem::path(name) / "sideways.bvh";
    std::ofstream(path) << "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n"
                           "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                           "JOINT Head\n{\nOFFSET 0 60 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                           "End Site\n{\nOFFSET 0 20 0\n}\n}\n}\n"
                           "MOTION\nFrames: 3\nFrame Time: 0.5\n"
                           "300 90 50 0 5 0 0 0 0\n400 90 50 0 5 0 0 0 0\n500 90 50 0 5 0 0 0 0\n";
    return path;
}

}  // namespace

TEST_CASE("At the first frame no part of the walker is in the snow")
{
    const Scene scene = loadScene(folder / "footsteps.toml").scene;
    const std::vector<Body> bodies = makeBodies(scene);
    const auto pieces = at(walker(bodies), 0);
    const SnowRegion& strip = scene.snow.at(0);
    double nearest = std::numeric_limits<double>::infinity();
    constexpr double step = 0.02;
    const Vec3d size(strip.max.x() - strip.min.x(), strip.depth_m + strip.roughness_m, 1 - strip.min.z());
    const Vec3i count = (size / step).cast<int>();
    for (int x = 0; x <= count.x(); ++x)
        for (int y = 0; y <= count.y(); ++y)
            for (int z = 0; z <= count.z(); ++z)
                nearest = std::min(nearest, distance(pieces, strip.min + step * Vec3d(x, y, z)));
    CHECK(nearest > 0.005);
}

TEST_CASE("Six steps fall into the strip by the last frame, two by frame 36")
{
    // Steps of 0.58 m. The clip begins 0.56 s in; the first boot on snow lands with its ankle at 0.15 m. It reaches from 8
    // cm behind it to 22 cm before it, and its ball is 12 cm before it.
    const Scene scene = loadScene(folder / "footsteps.toml").scene;
    const std::vector<Body> bodies = makeBodies(scene);
    for (int step = 0; step < 6; ++step) {
        const double ball = 0.15 + 0.58 * step + 0.12;
        INFO("step " << step);
        CHECK(ball + 0.1 < scene.snow.at(0).max.z());
        CHECK(isSteppedOn(walker(bodies), ball, scene.timeOfFrame(1), scene.timeOfFrame(120)));
        CHECK(isSteppedOn(walker(bodies), ball, scene.timeOfFrame(1), scene.timeOfFrame(36)) == (step < 2));
    }
}

TEST_CASE("With align_root a clip starts at the position and walks along the heading, wherever it was recorded")
{
    Scene scene;
    BodySpec spec;
    spec.shape = BodyShape::Character;
    spec.file = writeSideways();
    spec.scale = 0.01;
    spec.position = Vec3d(1, 0, 2);
    spec.heading_deg = 90;  // +x
    spec.align_root = true;
    spec.on_ground = false;
    spec.shoe_m = Vec3d::Zero();
    scene.bodies.push_back(spec);
    const std::vector<Body> bodies = makeBodies(scene);
    std::filesystem::remove_all(spec.file.parent_path());
    const auto place = [&](double time_s) {
        return std::get<PosedMesh>(bodies.at(0).pieces.at(0)->surface(time_s)).pose.translation;
    };
    const Vec3d start = place(0), end = place(1);
    // The piece hangs on the root 5° off the vertical: its middle is at most 8 cm from above the root.
    CHECK(std::hypot(start.x() - 1, start.z() - 2) < 0.08);
    CHECK((end - start - Vec3d(2, 0, 0)).norm() < 1e-9);
}

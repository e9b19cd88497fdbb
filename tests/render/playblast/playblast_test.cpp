// Quick pictures: what is drawn where, what hides what, and shadows.
#include "render/playblast/playblast.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "common/error.h"
#include "common/io/threads.h"
#include "common/scene/load.h"
#include "render/playblast/drawn_bodies.h"
#include "render/playblast/drawn_snow.h"
#include "render/playblast/powder_haze.h"
#include "render/playblast/smoothed_snow.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

Camera lookingDown()
{
    Camera camera;
    camera.position = {0.3, 2, 3};
    camera.look_at = {0, 0.2, 0};
    return camera;
}

/// A cube of snow of 0.4 m on a plane, with the sun from +x.
constexpr const char* shot = R"(version = 1
frames = "1-2"
[[snow]]
shape = "box"
min = [-0.2, 0, -0.2]
max = [0.2, 0.4, 0.2]
[[body]]
name = "ground"
shape = "plane"
color = [0.3, 0.3, 0.3]
[camera]
position = [0, 1.5, 4]
look_at = [0, 0.8, 0]
[solver]
dx = 0.05
[[light]]
name = "sun"
kind = "sun"
elevation_deg = 45
azimuth_deg = 90
)";

SnowParticles cube(const Vec3d& corner = {-0.2, 0, -0.2}, const Vec3f& velocity_m_s = Vec3f::Zero())
{
    SnowParticles particles;
    particles.frame = 1;
    particles.dx_m = 0.05;
    for (int i = 0; i < 16 * 16 * 16; ++i) {
        particles.position_m.emplace_back(corner + 0.025 * Vec3d(i % 16 + 0.5, i / 16 % 16 + 0.5, i / 256 + 0.5));
        particles.velocity_m_s.push_back(velocity_m_s);
        particles.mass_kg.push_back(0.006f);
        particles.volume0_m3.push_back(0.025f * 0.025f * 0.025f);
        particles.stretch.push_back(1);
        particles.id.push_back(static_cast<std::uint32_t>(i));
        particles.material.push_back(0);
    }
    return particles;
}

Scene loadedShot(const TemporaryFolder& folder, const std::string& more = "", const SceneOptions& options = {})
{
    std::ofstream(folder / "shot.toml") << shot << more;
    return loadScene(folder / "shot.toml", options).scene;
}

/// Mean of the red channel in a square of pixels around the place where a point appears.
double brightness(const Rgb8Image& image, const Scene& scene, const Vec3d& point, int channel = 0)
{
    const PlacedCamera camera(scene.camera, 0, image.width, image.height);
    const Vec3d at = camera.project(point);
    REQUIRE((at.x() > 3 && at.y() > 3 && at.x() < image.width - 3 && at.y() < image.height - 3));
    double sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const int x = static_cast<int>(at.x()) + dx, y = static_cast<int>(at.y()) + dy;
            sum += image.pixels[static_cast<std::size_t>(3 * (y * image.width + x) + channel)];
        }
    return sum / 25;
}

}  // namespace

TEST_CASE("Of surfaces in a pixel the nearest is drawn, and of equals the first")
{
    DepthPicture picture(20, 10);
    const std::vector<DrawnTriangle> triangles{{{{{-5, -5, 1}, {40, -5, 1}, {-5, 40, 1}}}, 1},
                                               {{{{0, 0, 2}, {10, 0, 2}, {0, 10, 2}}}, 2},
                                               {{{{0, 0, 2}, {10, 0, 2}, {0, 10, 2}}}, 3},
                                               {{{{0, 0, 0.5f}, {10, 0, 0.5f}, {0, 10, 0.5f}}}, 4}};
    picture.draw(std::span<const DrawnTriangle>(triangles));
    CHECK(picture.surface(2, 2) == 2);
    CHECK(picture.nearness(2, 2) == Approx(2));
    CHECK(picture.surface(12, 2) == 1);
    const DrawnTriangle slanted{{{{0, 0, 3}, {20, 0, 5}, {0, 20, 3}}}, 5};
    picture.draw(std::span(&slanted, 1));
    CHECK(picture.nearness(9, 4) == Approx(3 + 2 * 9.5 / 20));
}

TEST_CASE("A disc covers its area, and at least the pixel of its middle")
{
    for (const float radius : {1.5f, 3.0f, 7.7f}) {
        int covered = 0;
        for (int shift = 0; shift < 16; ++shift) {
            DepthPicture picture(32, 32);
            const DrawnDisc disc{
                {16 + 0.07f * static_cast<float>(shift), 16 + 0.11f * static_cast<float>(shift), 1}, radius, 7};
            picture.draw(std::span(&disc, 1));
            for (int i = 0; i < 32 * 32; ++i) covered += picture.surface(i % 32, i / 32) == 7;
        }
        CHECK(covered / 16.0 == Approx(pi * radius * radius).epsilon(0.05));
    }
    DepthPicture picture(8, 8);
    const std::vector<DrawnDisc> discs{
        {{3.9f, 2.1f, 1}, 0.01f, 9}, {{-3, 4, 1}, 1, 9}, {{4, 90, 1}, 2, 9}, {{1, 1, -1}, 0, 9}};
    picture.draw(std::span<const DrawnDisc>(discs));
    int covered = 0;
    for (int i = 0; i < 64; ++i) covered += picture.surface(i % 8, i / 8) == 9;
    CHECK(covered == 1);
    CHECK(picture.surface(3, 2) == 9);
}

TEST_CASE("The eye sees points where the camera does")
{
    Camera spec = lookingDown();
    spec.roll_deg = 20;
    spec.lens_shift_x = 0.1;
    const PlacedCamera camera(spec, 0, 640, 360);
    const PinholeEye eye(camera);
    for (const Vec3d& point : {Vec3d(0, 0, 0), Vec3d(0.5, 0.1, -2), Vec3d(-1, 0.7, 1)}) {
        const Vec3d expected = camera.project(point);
        const DrawnPoint seen = PinholeEye::drawn(eye.toPicture(point.cast<float>()));
        CHECK(static_cast<double>(seen.x) == Approx(expected.x()).margin(0.01));
        CHECK(static_cast<double>(seen.y) == Approx(expected.y()).margin(0.01));
        CHECK(1 / static_cast<double>(seen.nearness) == Approx(expected.z()).epsilon(1e-5));
        CHECK((eye.point(seen.x, seen.y, seen.nearness).cast<double>() - point).norm() < 1e-4);
    }
}

TEST_CASE("The light of the sun reaches what is nearest to it")
{
    const Vec3f direction = Vec3f(1, 2, 0.5f).normalized();
    const SunEye eye(direction, {0, 0, 0}, 2, 100);
    const DrawnPoint middle = eye.drawn({0, 0, 0}), nearer = eye.drawn(0.5f * direction);
    CHECK(middle.x == Approx(50));
    CHECK(nearer.x == Approx(50).margin(1e-3));
    CHECK(nearer.y == Approx(50).margin(1e-3));
    CHECK(nearer.nearness - middle.nearness == Approx(0.5f));
    const DrawnPoint aside = eye.drawn(direction.cross(Vec3f::UnitX()).normalized());
    CHECK(std::hypot(aside.x - 50, aside.y - 50) == Approx(25).epsilon(1e-3));
}

TEST_CASE("A plane and a square that reaches behind the camera are drawn alike")
{
    const TemporaryFolder folder;
    std::ofstream(folder / "square.obj") << "v -500 0 -500\nv 500 0 -500\nv 500 0 500\nv -500 0 500\n"
                                            "v -500 -1 -500\nv 500 -1 -500\nv 500 -1 500\nv -500 -1 500\n"
                                            "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    const auto pictureOf = [&](const std::string& body) {
        std::ofstream(folder / "shot.toml") << "version = 1\nframes = \"1-2\"\n[[snow]]\nshape = \"box\"\nmin = [0, 0, "
                                               "0]\nmax = [1, 1, 1]\n[[body]]\nname = \"ground\"\n"
                                            << body;
        const Scene scene = loadScene(folder / "shot.toml").scene;
        const std::vector<Body> bodies = makeBodies(scene);
        DepthPicture picture(160, 90);
        DrawnBodies(bodies, 0).draw(PinholeEye(PlacedCamera(lookingDown(), 0, 160, 90)), picture);
        return picture;
    };
    const DepthPicture plane = pictureOf("shape = \"plane\"\n"),
                       square = pictureOf("shape = \"mesh\"\nfile = \"square.obj\"\ncollides = false\n");
    int covered = 0;
    for (int y = 0; y < 90; ++y)
        for (int x = 0; x < 160; ++x) {
            if (plane.nearness(x, y) < 0.02f) continue;  // the square ends
            ++covered;
            REQUIRE(square.nearness(x, y) == Approx(plane.nearness(x, y)).epsilon(1e-3));
        }
    CHECK(covered > 160 * 90 / 2);
}

TEST_CASE("Snow is white, its shadow is dark, and the picture is the same for any number of threads")
{
    const TemporaryFolder folder;
    const Scene scene = loadedShot(folder);
    const Playblast playblast(scene, {320, 180, SnowColor::Plain, 0});
    Rgb8Image one, three;
    runWithThreads(1, [&] { one = playblast.picture(cube()); });
    runWithThreads(3, [&] { three = playblast.picture(cube()); });
    CHECK(one.pixels == three.pixels);
    const double snow = brightness(one, scene, {0, 0.4, 0}), open = brightness(one, scene, {1, 0, 0}),
                 shadow = brightness(one, scene, {-0.4, 0, 0}), beyond = brightness(one, scene, {-1, 0, 0});
    CHECK(snow > 200);
    CHECK(open == Approx(beyond).epsilon(0.05));
    CHECK(shadow < 0.75 * open);
    CHECK(brightness(one, scene, {0, 3, -40}, 2) > 1.05 * brightness(one, scene, {0, 3, -40}, 0));  // the sky is blue
}

TEST_CASE("The ground far behind all that casts shadows is lit")
{
    const TemporaryFolder folder;
    const Scene scene = loadedShot(folder, "", {.set = {"camera.focal_length_mm=8", "light.sun.elevation_deg=20"}});
    const Rgb8Image image = Playblast(scene, {320, 180, SnowColor::Plain, 0}).picture(cube());
    CHECK(brightness(image, scene, {-18, 0, -5}) == Approx(brightness(image, scene, {1.5, 0, 0})).epsilon(0.05));
}

TEST_CASE("Bodies hide snow, and invisible ones do not")
{
    const TemporaryFolder folder;
    const std::string wall =
        "[[body]]\nname = \"wall\"\nshape = \"box\"\nsize = [2, 2, 0.1]\nposition = [0, 0.5, 1]\n"
        "color = [0.8, 0.1, 0.1]\ncollides = false\n";
    const Vec3d front(0, 0.2, 0.2);
    const Scene hidden = loadedShot(folder, wall), seen = loadedShot(folder, wall + "visible = false\n");
    const auto share = [&](const Scene& scene) {
        const Rgb8Image image = Playblast(scene, {320, 180, SnowColor::Plain, 0}).picture(cube());
        return brightness(image, scene, front, 1) / brightness(image, scene, front, 0);
    };
    CHECK(share(hidden) < 0.7);
    CHECK(share(seen) > 0.9);
}

TEST_CASE("Colours of snow tell its speed, its packing and its region")
{
    const TemporaryFolder folder;
    const Scene scene = loadedShot(folder);
    const auto redOverBlue = [&](SnowParticles snow, SnowColor color, double fastest_m_s = 0) {
        const Rgb8Image image = Playblast(scene, {320, 180, color, fastest_m_s}).picture(std::move(snow));
        return brightness(image, scene, {0, 0.4, 0}, 0) / brightness(image, scene, {0, 0.4, 0}, 2);
    };
    SnowParticles packed = cube(), loose = cube(), other = cube();
    for (float& stretch : packed.stretch) stretch = 0.5f;
    for (float& stretch : loose.stretch) stretch = 2;
    for (std::uint8_t& region : other.material) region = 2;
    const SnowParticles fast = cube({-0.2, 0, -0.2}, {0, 3, 0});
    CHECK(redOverBlue(cube(), SnowColor::Speed) == Approx(1).margin(0.06));
    CHECK(redOverBlue(fast, SnowColor::Speed) > 2);        // red: the greatest speed
    CHECK(redOverBlue(fast, SnowColor::Speed, 12) < 0.8);  // blue: a quarter of the given one
    CHECK(redOverBlue(packed, SnowColor::Packing) < 0.5);  // blue
    CHECK(redOverBlue(loose, SnowColor::Packing) > 1.5);   // orange
    CHECK(redOverBlue(other, SnowColor::Region) > 1.3);
    CHECK(redOverBlue(other, SnowColor::Plain) == Approx(1).margin(0.06));
    CHECK(snowColorByName("packing") == SnowColor::Packing);
    CHECK_THROWS_WITH(snowColorByName("heat"), "colour 'heat', expected plain, speed, packing or region");
}

TEST_CASE("Powder in the air veils what is behind it, and not what is before it")
{
    const PinholeEye eye(PlacedCamera(lookingDown(), 0, 64, 36));
    DepthPicture picture(64, 36);
    for (int x = 0; x < 32; ++x)
        for (int y = 0; y < 36; ++y) picture.set(x, y, 1, 1);  // a surface at a depth of 1 m in the left half
    PowderPuffs puffs;
    puffs.position_m = {Vec3d(0, 0.2, 0)};  // in the middle, 3.2 m away
    puffs.radius_m = {0.5f};
    puffs.mass_kg = {0.01f};
    puffs.material = {0};
    puffs.velocity_m_s = {Vec3f::Zero()};
    puffs.id = {0};
    const std::vector<float> haze = powderHaze(puffs, {20}, eye, picture);
    const auto at = [&](int x, int y) { return haze[static_cast<std::size_t>(y * 64 + x)]; };
    CHECK(at(32, 18) == Approx(2 * 20 * 0.01 / (pi * 0.25)).epsilon(0.03));
    CHECK(at(36, 18) < at(32, 18));
    CHECK(at(36, 18) > 0);
    CHECK(at(62, 18) == 0);
    CHECK(at(31, 18) == 0);  // the surface is before it
}

TEST_CASE("Without snow, bodies alone are drawn")
{
    const TemporaryFolder folder;
    const Scene scene = loadedShot(folder);
    SnowParticles none;
    none.frame = 1;
    const Rgb8Image image = Playblast(scene, {64, 36, SnowColor::Speed, 0}).picture(none);
    CHECK(brightness(image, scene, {1, 0, 0}) > 60);
}

// A shot as a USD layer.
#include "render/export/usd_shot.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>

#include "common/scene/load.h"
#include "render/camera.h"
#include "render/export/usd_text.h"
#include "render/sun.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

constexpr const char* shot = R"(version = 1
frames = "1-3"
fps = 24
[[snow]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.2, 1]
[[body]]
name = "my ground"
shape = "plane"
[[body]]
name = "crate"
shape = "box"
size = [0.2, 0.4, 0.6]
color = [0.5, 0.25, 0.125]
[[body.key]]
time_s = 0
position = [0, 1, 0]
[[body.key]]
time_s = 1
position = [24, 1, 0]
rotation_deg = [0, 90, 0]
[[body]]
name = "hidden"
shape = "box"
visible = false
[camera]
position = [1, 2, 3]
look_at = [0.2, 0.5, -1]
focal_length_mm = 28
roll_deg = 12
lens_shift_x = 0.1
lens_shift_y = -0.05
[render]
width = 640
height = 360
[[light]]
name = "sun"
kind = "sun"
strength = 3
color = [1, 0.5, 0.25]
elevation_deg = 25
azimuth_deg = 70
[[light]]
name = "all around"
kind = "constant"
strength = 0.25
[[light]]
name = "bulb"
kind = "sphere"
radius_m = 0.1
strength = 2
position = [1, 2, 0]
)";

struct Layer {
    TemporaryFolder folder;
    Scene scene;
    std::string text;

    explicit Layer(const UsdShot& usd = {{1, 2, 3}, {}})
    {
        std::ofstream(folder / "shot.toml") << shot;
        scene = loadScene(folder / "shot.toml").scene;
        text = usdShotText(scene, usd);
    }
    /// What follows the first `key` after the first `from`.
    std::string after(const std::string& from, const std::string& key) const
    {
        const std::size_t start = text.find(from);
        REQUIRE(start != std::string::npos);
        const std::size_t at = text.find(key, start);
        REQUIRE(at != std::string::npos);
        return text.substr(at + key.size());
    }
    bool has(const std::string& part) const { return text.find(part) != std::string::npos; }
};

Eigen::Matrix4d matrixOf(const std::string& text)
{
    Eigen::Matrix4d m;
    REQUIRE(std::sscanf(text.c_str(),
                        " ( (%lf, %lf, %lf, %lf), (%lf, %lf, %lf, %lf), (%lf, %lf, %lf, %lf), (%lf, %lf, %lf, %lf) )",
                        &m(0, 0), &m(0, 1), &m(0, 2), &m(0, 3), &m(1, 0), &m(1, 1), &m(1, 2), &m(1, 3), &m(2, 0),
                        &m(2, 1), &m(2, 2), &m(2, 3), &m(3, 0), &m(3, 1), &m(3, 2), &m(3, 3)) == 16);
    return m;
}

double numberOf(const std::string& text) { return std::stod(text); }

}  // namespace

TEST_CASE("The layer's camera shows points where the scene's camera does")
{
    const Layer layer;
    const PlacedCamera camera(layer.scene.camera, 0, 640, 360);
    const Eigen::Matrix4d m = matrixOf(layer.after("\"camera\"", "xformOp:transform = "));
    const auto value = [&](const std::string& name) { return numberOf(layer.after("\"camera\"", name + " = ")); };
    const double focal = value("focalLength"), wide = value("horizontalAperture"), high = value("verticalAperture");
    CHECK(focal / wide == Approx(28.0 / 36));
    for (const Vec3d& point : {Vec3d(0, 0, 0), Vec3d(0.5, 1, -2), Vec3d(-0.4, 0.3, 0.2)}) {
        // Points are rows in USD; cameras look along -z.
        const Eigen::RowVector4d local = Eigen::RowVector4d(point.x(), point.y(), point.z(), 1) * m.inverse();
        const double x = focal * local[0] / -local[2] - value("horizontalApertureOffset"),
                     y = focal * local[1] / -local[2] - value("verticalApertureOffset");
        const Vec3d seen = camera.project(point);
        CHECK(640 * (0.5 + x / wide) == Approx(seen.x()).margin(0.01));
        CHECK(360 * (0.5 - y / high) == Approx(seen.y()).margin(0.01));
    }
}

TEST_CASE("Bodies of the layer are meshes that transforms move")
{
    const Layer layer;
    CHECK(layer.has("def Xform \"my_ground\""));
    CHECK_FALSE(layer.has("hidden"));
    CHECK_FALSE(layer.has("\"crate_2\""));
    CHECK(layer.after("\"crate\"", "displayColor = ").starts_with("[(0.5, 0.25, 0.125)]"));
    const std::string samples = layer.after("\"crate\"", "xformOp:transform.timeSamples = {");
    for (const int frame : {1, 2, 3}) {
        const std::string key = "\n                    " + std::to_string(frame) + ": ";
        REQUIRE(samples.find(key) != std::string::npos);
        const Eigen::Matrix4d m = matrixOf(samples.substr(samples.find(key) + key.size()));
        CHECK(m(3, 0) == Approx(frame - 1).margin(1e-5));
        CHECK(m(3, 1) == Approx(1));
        CHECK((m.block<3, 3>(0, 0) * m.block<3, 3>(0, 0).transpose()).isIdentity(1e-5));
    }
    CHECK(layer.has("startTimeCode = 1\n    endTimeCode = 3\n    framesPerSecond = 24"));
    CHECK(std::ranges::count(layer.text, '{') == std::ranges::count(layer.text, '}'));
}

TEST_CASE("Lights of the layer have the direction and the light of the scene's")
{
    const Layer layer;
    const Eigen::Matrix4d m = matrixOf(layer.after("\"sun\"", "xformOp:transform = "));
    const Eigen::RowVector3d shine = -m.block<1, 3>(2, 0);  // lights of USD shine along -z
    CHECK((shine.transpose().cast<float>() + lightDirection(25, 70)).norm() < 1e-5f);
    CHECK(numberOf(layer.after("\"sun\"", "inputs:intensity = ")) == Approx(3).epsilon(1e-4));
    CHECK(layer.after("\"sun\"", "inputs:color = ").starts_with("(1, 0.5, 0.25)"));
    CHECK(numberOf(layer.after("\"sky\"", "inputs:intensity = ")) == Approx(0.25).epsilon(1e-4));
    CHECK(numberOf(layer.after("\"bulb\"", "inputs:intensity = ")) == Approx(2 / (pi * 0.01)).epsilon(1e-5));
    CHECK(numberOf(layer.after("\"bulb\"", "inputs:radius = ")) == Approx(0.1));
}

TEST_CASE("The snow of the layer is the volumes by frame, and without them there is none")
{
    CHECK_FALSE(Layer().has("OpenVDBAsset"));
    const Layer layer({{1, 3}, {{1, "./v/shot.0001.vdb"}, {3, "./v/shot.0003.vdb"}}});
    CHECK(layer.has("rel field:density = </shot/snow/density>"));
    CHECK(layer.has("1: @./v/shot.0001.vdb@,\n"));
    CHECK(layer.has("3: @./v/shot.0003.vdb@,\n"));
}

TEST_CASE("Names of a layer are valid and unique, and values that repeat are written once")
{
    UsdText usd;
    CHECK(usd.open("Xform", "a b") == "a_b");
    CHECK(usd.open("Mesh", "1") == "_1");
    usd.close();
    CHECK(usd.open("Mesh", "1") == "_1_2");
    usd.attribute("float", "still", {{1, "5"}, {2, "5"}});
    usd.attribute("float", "moving", {{1, "5"}, {2, "5"}, {3, "5"}, {4, "6"}});
    usd.close();
    usd.close();
    CHECK(usd.open("Xform", "") == "_");
    CHECK(usd.text().find("float still = 5\n") != std::string::npos);
    CHECK(usd.text().find("1: 5,\n            3: 5,\n            4: 6,\n") != std::string::npos);
    CHECK(UsdText::number(-0.0) == "0");
}

#include "common/cache/points_file.h"

#include <openvdb/io/File.h>
#include <openvdb/points/PointDataGrid.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>

#include "common/cache/vdb_bytes.h"
#include "common/error.h"
#include "common/io/checksum.h"
#include "common/io/threads.h"
#include "tests/temporary_folder.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

constexpr double dx = 0.01;

/// A ball of snow around `center`: eight particles per cell, deformed a little, moving at up to 10 m/s.
ParticleFrame snowball(std::size_t count, const Vec3d& center)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    ParticleFrame frame;
    frame.frame = 1012;
    frame.time_s = 11 / 24.0;
    frame.fps = 24;
    frame.dx_m = dx;
    frame.scene_hash = "0123456789abcdef";
    const double edge = std::cbrt(static_cast<double>(count) / 8) * dx;
    for (std::size_t i = 0; i < count; ++i) {
        frame.position_m.push_back(center + edge / 2 * Vec3d(unit(random), unit(random), unit(random)));
        frame.velocity_m_s.push_back(10 * Vec3d(unit(random), unit(random), unit(random)).cast<float>());
        Mat3f F = Mat3f::Identity();
        for (int e = 0; e < 9; ++e) F(e / 3, e % 3) += static_cast<float>(0.02 * unit(random));
        frame.F_E.push_back(F);
        frame.J_P.push_back(static_cast<float>(1 + 0.3 * unit(random)));
        frame.mass_kg.push_back(5e-5f);
        frame.volume0_m3.push_back(static_cast<float>(dx * dx * dx / 8 * (1 + 0.1 * unit(random))));
        frame.id.push_back(static_cast<std::uint32_t>(i));
        frame.material.push_back(i % 5 == 0);
        frame.state.push_back(0);
    }
    return frame;
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order)
{
    std::vector<T> result;
    result.reserve(order.size());
    for (const std::size_t i : order) result.push_back(values[i]);
    values = std::move(result);
}

void reorder(ParticleFrame& f, const std::vector<std::size_t>& order)
{
    reorder(f.position_m, order);
    reorder(f.velocity_m_s, order);
    reorder(f.F_E, order);
    reorder(f.J_P, order);
    reorder(f.mass_kg, order);
    reorder(f.volume0_m3, order);
    reorder(f.id, order);
    reorder(f.material, order);
    reorder(f.state, order);
}

std::vector<std::size_t> orderById(const ParticleFrame& frame)
{
    std::vector<std::size_t> order(frame.size());
    std::iota(order.begin(), order.end(), static_cast<std::size_t>(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return frame.id[a] < frame.id[b]; });
    return order;
}

/// Flips one bit of a file in place.
void flipBit(const fs::path& path, std::size_t bit)
{
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(bit / 8));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(bit / 8));
    file.put(static_cast<char>(byte ^ (1 << (bit % 8))));
}

bool isRefused(const fs::path& path, const std::string& expected = "")
{
    try {
        readPointsFile(path, expected);
        return false;
    } catch (const Error& error) {
        return error.code() == ExitCode::File && std::string(error.what()).find(path.string()) != std::string::npos;
    }
}

void writePlain(const fs::path& path, std::span<const std::byte> bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("A frame survives the cache within the precision of its codecs, also 100 m from the origin")
{
    TemporaryFolder folder;
    const ParticleFrame frame = snowball(20000, Vec3d(100, 0.03, -100));
    writePointsFile(folder / "snow.vdb", frame);
    ParticleFrame read = readPointsFile(folder / "snow.vdb");
    REQUIRE(read.size() == frame.size());
    CHECK(read.frame == 1012);
    CHECK(read.time_s == frame.time_s);
    CHECK(read.fps == 24);
    CHECK(read.dx_m == dx);
    CHECK(read.scene_hash == frame.scene_hash);
    reorder(read, orderById(read));

    // P: voxels of dx are divided into 2^16 - 1 steps; the error is half a step along each axis. The codec works on
    // floats of size up to 1, which adds a rounding of 2^-24 when it encodes and when it decodes.
    const double positionError = 0.5 * dx / 65535 + 2 * dx / (1 << 24);
    // Half precision has 11 significant bits: a relative error of 2^-12 of the binade's top, so 2^-11 of the value.
    const float halfError = 1.0f / 2048;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        REQUIRE((read.position_m[i] - frame.position_m[i]).cwiseAbs().maxCoeff() <= positionError);
        REQUIRE((read.velocity_m_s[i] - frame.velocity_m_s[i]).cwiseAbs().maxCoeff() <= 10 * halfError);
        REQUIRE((read.F_E[i] - frame.F_E[i]).cwiseAbs().maxCoeff() <= 1.02f * halfError);
        REQUIRE(read.J_P[i] == frame.J_P[i]);
        REQUIRE(read.id[i] == frame.id[i]);
        REQUIRE(read.material[i] == frame.material[i]);
    }
    CHECK(read.mass_kg == frame.mass_kg);
    CHECK(read.volume0_m3 == frame.volume0_m3);
    CHECK(read.state == frame.state);
}

TEST_CASE("The same snow gives the same bytes, whatever the order of particles and the number of threads")
{
    TemporaryFolder folder;
    ParticleFrame frame = snowball(30000, Vec3d(0, 1, 0));
    const std::string expected = writePointsFile(folder / "a.vdb", frame).checksum;
    CHECK(writePointsFile(folder / "b.vdb", frame).checksum == expected);
    std::vector<std::size_t> order = orderById(frame);
    std::reverse(order.begin(), order.end());
    reorder(frame, order);
    for (const int threads : {1, 2, 7}) {
        std::string found;
        runWithThreads(threads, [&] { found = writePointsFile(folder / "c.vdb", frame).checksum; });
        CHECK(found == expected);
    }
    frame.J_P[7] += 1e-6f;
    CHECK(writePointsFile(folder / "d.vdb", frame).checksum != expected);
}

TEST_CASE("Other programs find the grid, its attributes and about eight points per voxel")
{
    TemporaryFolder folder;
    writePointsFile(folder / "snow.vdb", snowball(40000, Vec3d::Zero()));
    openvdb::initialize();
    openvdb::io::File file((folder / "snow.vdb").string());
    file.open(/*delayLoad*/ false);
    CHECK(file.getMetadata()->metaValue<std::int32_t>("frame") == 1012);
    CHECK(file.getMetadata()->metaValue<double>("fps") == 24);
    CHECK(file.getMetadata()->metaValue<std::string>("program").find("Firn ") == 0);
    const auto grid = openvdb::gridPtrCast<openvdb::points::PointDataGrid>(file.readGrid("snow"));
    REQUIRE(grid);
    CHECK(grid->voxelSize().x() == Approx(dx));  // eight particles of dx^3 / 8 fill dx^3
    const auto leaf = grid->tree().cbeginLeaf();
    REQUIRE(leaf);
    for (const char* name :
         {"P", "v", "pscale", "id", "Cd", "Jp", "F_E0", "F_E1", "F_E2", "mass", "vol0", "material", "state"}) {
        INFO(name);
        CHECK(leaf->hasAttribute(name));
    }
    CHECK(leaf->constAttributeArray("mass").isUniform());
    // pscale is the radius of a sphere of the particle's volume: 4/3 pi r^3 = vol0.
    const auto pscale = openvdb::points::AttributeHandle<float>::create(leaf->constAttributeArray("pscale"));
    const auto volume = openvdb::points::AttributeHandle<float>::create(leaf->constAttributeArray("vol0"));
    CHECK(4 * pi / 3 * std::pow(pscale->get(0), 3) == Approx(volume->get(0)));
}

TEST_CASE("The checksum of the scene is found in the first bytes of a frame")
{
    const TemporaryFolder folder;
    const fs::path path = folder / "snow.0001.vdb";
    writePointsFile(path, snowball(1000, Vec3d::Zero()));
    CHECK(sceneHashIn(path) == "0123456789abcdef");
    fs::resize_file(path, 2000);
    CHECK(sceneHashIn(path) == "0123456789abcdef");
    fs::resize_file(path, 70);
    CHECK(sceneHashIn(path).empty());
    std::ofstream(path) << std::string(3000, '\xff');
    CHECK(sceneHashIn(path).empty());
    CHECK(sceneHashIn(folder / "none.vdb").empty());
}

TEST_CASE("A frame under the name of another frame is refused, from its first bytes")
{
    const TemporaryFolder folder;
    const fs::path path = folder / "snow.0002.vdb";
    ParticleFrame frame = snowball(1000, Vec3d::Zero());
    frame.frame = -5;
    writePointsFile(path, frame);
    fs::resize_file(path, 2000);
    CHECK_NOTHROW(requireFrameNumber(path, -5));
    const std::string text = path.string() + ": holds frame -5, expected frame 2: the file was copied or renamed";
    CHECK_THROWS_WITH(requireFrameNumber(path, 2), text);
    std::ofstream(folder / "stats.jsonl") << "";
    CHECK_THROWS_WITH(requireFrameNumber(path, 2),
                      Catch::StartsWith(text) &&
                          Catch::EndsWith("; 'firn-sim info " + folder.path.string() + "' says how to restore it"));
    fs::resize_file(path, 70);
    CHECK_NOTHROW(requireFrameNumber(path, 2));
}

TEST_CASE("A frame without particles is a file like any other")
{
    TemporaryFolder folder;
    ParticleFrame frame;
    frame.frame = -3;
    frame.dx_m = dx;
    writePointsFile(folder / "snow.vdb", frame);
    CHECK(readPointsFile(folder / "snow.vdb").size() == 0);
    CHECK(readPointsFile(folder / "snow.vdb").frame == -3);
}

TEST_CASE("No value that is not finite gets to the disk")
{
    TemporaryFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto refused = [&](auto&& spoil) {
        ParticleFrame frame = snowball(100, Vec3d::Zero());
        spoil(frame);
        CHECK_THROWS_AS(writePointsFile(folder / "snow.vdb", frame), Error);
        CHECK_FALSE(fs::exists(folder / "snow.vdb"));
    };
    refused([&](ParticleFrame& f) { f.position_m[17].y() = std::numeric_limits<double>::infinity(); });
    refused([&](ParticleFrame& f) { f.position_m[17].y() = 1e9; });
    refused([&](ParticleFrame& f) { f.velocity_m_s[17].x() = nan; });
    refused([&](ParticleFrame& f) { f.F_E[17](2, 1) = nan; });
    refused([&](ParticleFrame& f) { f.J_P[17] = nan; });
    refused([&](ParticleFrame& f) { f.mass_kg[17] = nan; });
}

TEST_CASE("A points file that is cut or has a bit flipped is refused")
{
    TemporaryFolder folder;
    const WrittenFile written = writePointsFile(folder / "whole.vdb", snowball(500, Vec3d::Zero()));
    const std::vector<std::byte> whole = readFile(folder / "whole.vdb");
    const fs::path damaged = folder / "damaged.vdb";
    long accepted = 0;
    writePlain(damaged, whole);
    for (std::size_t length = whole.size(); length-- > 0;) {
        fs::resize_file(damaged, length);
        accepted += !isRefused(damaged);
    }
    std::mt19937 random(5);
    writePlain(damaged, whole);
    for (int i = 0; i < 3000; ++i) {
        const std::size_t bit = random() % (8 * whole.size());
        flipBit(damaged, bit);
        accepted += !isRefused(damaged);
        flipBit(damaged, bit);
    }
    CHECK_FALSE(isRefused(damaged));  // every flip was undone
    CHECK(accepted == 0);
    CHECK_FALSE(isRefused(folder / "whole.vdb", written.checksum));
    CHECK(isRefused(folder / "whole.vdb", "0000000000000000"));
}

TEST_CASE("Files by other programs are refused as frames of snow")
{
    TemporaryFolder folder;
    openvdb::initialize();
    openvdb::io::File((folder / "fog.vdb").string()).write({openvdb::FloatGrid::create()});
    CHECK(isRefused(folder / "fog.vdb"));
    std::ofstream(folder / "text.vdb") << "not a grid at all";
    CHECK(isRefused(folder / "text.vdb"));
    std::ofstream(folder / "empty.vdb") << "";
    CHECK(isRefused(folder / "empty.vdb"));
    CHECK(isRefused(folder / "missing.vdb"));
    // Written by us, but fog: refused for what it holds.
    writeFileChecked(folder / "ours.vdb", vdbBytes({openvdb::FloatGrid::create()}, openvdb::MetaMap()));
    CHECK(isRefused(folder / "ours.vdb"));
}

// The cache of a shot with a window: snow that has left the simulation is in files of its own, which are restored and
// removed as frames are.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/cache/points_file.h"
#include "common/cache/stats.h"
#include "common/io/checksum.h"
#include "common/io/json.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

/// A ball flies over a strip of snow, a metre in ten frames. The snow behind it leaves after a frame.
constexpr const char* strip = R"(version = 1
fps = 100
frames = "1-10"
[[snow]]
shape = "layer"
preset = "packing"
min = [-0.1, 0.0, -0.2]
max = [0.1, 0.0, 1.6]
depth_m = 0.1
[[body]]
name = "ground"
shape = "plane"
[[body]]
name = "ball"
shape = "sphere"
radius_m = 0.05
position = [0.0, 0.4, 0.0]
velocity = [0.0, 0.0, 12.0]
[window]
body = "ball"
reach_m = 0.1
trail_s = 0.01
[solver]
dx = 0.025
sleeping = true
)";

/// Checksums of all points files.
std::map<std::string, std::string> pointsChecksums(const fs::path& folder)
{
    std::map<std::string, std::string> sums;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".vdb") sums[entry.path().filename()] = checksum(readFile(entry.path()));
    return sums;
}

}  // namespace

TEST_CASE("Snow that leaves the window is written once, and restored where its file is damaged or removed", "[window]")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "strip.toml", strip), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out}).code == 0);
    const auto whole = pointsChecksums(out);
    std::vector<std::string> frozen;
    std::size_t left = 0;
    for (const auto& [name, sum] : whole) {
        if (!name.starts_with("frozen.")) continue;
        frozen.push_back(name);
        left += readPointsFile(fs::path(out) / name).size();
    }
    REQUIRE(frozen.size() >= 2);
    CHECK(readPointsFile(fs::path(out) / "snow.0010.vdb").frozen == left);
    CHECK(StatsFile(fs::path(out) / "stats.jsonl").lines().back().text.find("\"frozen\":" + std::to_string(left)) !=
          std::string::npos);

    fs::remove(fs::path(out) / frozen.front());
    fs::resize_file(fs::path(out) / frozen.back(), 500);
    CHECK(firnSim({"info", out}).code != 0);
    const Outcome outcome = firnSim({"run", shot, "--out", out, "--resume"});
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.says(frozen.front() + " is missing"));
    CHECK(outcome.says(frozen.front() + " is restored"));
    CHECK(outcome.says(frozen.back() + " is restored"));
    CHECK(pointsChecksums(out) == whole);
    CHECK(firnSim({"info", out}).code == 0);

    // Without pictures of the middle, the snow that leaves there is kept all the same.
    REQUIRE(firnSim({"run", shot, "--out", out, "--force", "--frames", "10"}).code == 0);
    auto last = whole;
    std::erase_if(last,
                  [](const auto& file) { return file.first.starts_with("snow.") && file.first != "snow.0010.vdb"; });
    CHECK(pointsChecksums(out) == last);
    CHECK(firnSim({"run", shot, "--out", out, "--force", "--frames", "1-1"}).code == 0);
    CHECK(pointsChecksums(out).size() == 1);  // a new start removes the files of the run before
}

TEST_CASE("A file that is not of a run is not replaced by frozen snow", "[window]")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "strip.toml", strip), out = (folder / "out").string();
    fs::create_directory(out);
    std::ofstream(out + "/frozen.0003.vdb") << "mine";
    refused({"run", shot, "--out", out}, 3, {"frozen.0003.vdb"});
    CHECK(textOf(out + "/frozen.0003.vdb") == "mine");
}

TEST_CASE("Only the snow in the window counts for the memory of a run", "[window]")
{
    const TemporaryFolder folder;
    std::string text = strip;
    text.replace(text.find("1.6]"), 4, "80000.0]");  // 1e8 particles
    text.replace(text.find("dx = 0.025"), 10, "dx = 0.05");
    const std::string shot = writeShot(folder / "long.toml", text), out = (folder / "out").string();
    const Outcome outcome = firnSim({"run", shot, "--out", out, "--frames", "1-2"});
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    text.replace(text.find("[0.0, 0.4, 0.0]"), 15, "[9.0, 0.4, 0.0]");
    refused({"run", writeShot(folder / "beside.toml", text), "--out", out + "2"}, 2,
            {"the window around body 'ball' reaches no snow in any frame"});
}

TEST_CASE("The forecast of a window is that of the snow in it", "[window]")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "strip.toml", strip), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out}).code == 0);
    double most = 0, sum = 0;
    const StatsFile stats(fs::path(out) / "stats.jsonl");
    for (const StatsLine& line : stats.lines()) {
        const auto particles = parseJson(line.text).at("particles").get<double>();
        most = std::max(most, particles);
        sum += particles;
    }
    const auto forecast = parseJson(firnSim({"check", shot, "--json"}).output);
    INFO("most " << most << ", mean " << sum / 10);
    CHECK(forecast.at("particles").get<double>() == Approx(most).epsilon(0.25));
    CHECK(forecast.at("mean_particles").get<double>() == Approx(sum / 10).epsilon(0.25));
}

// What the program says of powder in the air, and what a cache holds of it.
#include <catch2/catch.hpp>

#include "common/cache/points_file.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

using namespace firn;

namespace {

std::string powderyShot()
{
    const std::string region = "velocity = [0.6, -2.6, 0.0]\n";
    std::string text = ballShot();
    text.insert(text.find(region) + region.size(), "[snow.powder]\nshare = 0.1\nwork_J_kg = 0.2\n");
    return text + "[air]\ndensity_kg_m3 = 1.3\n";
}

}  // namespace

TEST_CASE("A cache holds powder beside the particles, and a damaged frame gets its powder back", "[powder]")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml", powderyShot());
    const std::string out = (folder / "out").string();
    CHECK(firnSim({"check", shot}).output.find("  powder       at most 500000 puffs (air.most_puffs)") !=
          std::string::npos);
    REQUIRE(firnSim({"run", shot, "--out", out}).code == 0);
    const std::string last = out + "/snow.0006.vdb";
    ParticleFrame frame = readPointsFile(last);
    const ParticleFrame powder = takePowder(frame);
    REQUIRE(powder.size() > 0);
    CHECK(frame.size() == readPointsFile(out + "/snow.0001.vdb").size());
    CHECK(firnSim({"info", last, "--json"}).output.find("\"puffs\": " + std::to_string(powder.size())) !=
          std::string::npos);
    CHECK(textOf(out + "/stats.jsonl").find("\"settled_powder_kg\":") != std::string::npos);
    const std::string whole = textOf(last);
    std::ofstream(last, std::ios::app) << "damage";
    CHECK(firnSim({"run", shot, "--out", out, "--resume"}).code == 0);
    CHECK(textOf(last) == whole);
}

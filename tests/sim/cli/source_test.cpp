// What `check` says about snow that comes during the shot.
#include <catch2/catch.hpp>
#include <regex>

#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

using namespace firn;

namespace {

/// A stream and a block, over a ground without snow at the first frame.
constexpr const char* sources = R"(version = 1
fps = 24
frames = "1-13"
[[snow]]
name = "stream"
min = [0.0, 1.0, 0.0]
max = [0.3, 1.3, 0.3]
velocity = [2.0, 0.0, 0.0]
[snow.source]
start_s = 0.1
length_s = 0.2
[[snow]]
name = "late"
min = [0.0, 0.0, 0.0]
max = [0.3, 0.3, 0.3]
[snow.source]
start_s = 0.25
[[body]]
name = "ground"
[solver]
dx = 0.05
)";

#ifdef FIRN_ADDRESS_SANITIZER
constexpr int longestForecast_s = 600;  // check measures the speed of its own program
#else
constexpr int longestForecast_s = 10;
#endif

}  // namespace

TEST_CASE("check lists the sources of a shot without snow at its first frame, and forecasts it", "[source]")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "sources.toml", sources);
    const Outcome check = firnSim({"check", shot});
    const auto prints = [&](const std::string& text) { return check.output.find(text) != std::string::npos; };
    CHECK(check.code == 0);
    CHECK(prints("  source       'stream' (settled): about 230"));
    CHECK(prints("  source       'late' (settled): about 1728 particles, at 0.25 s"));
    CHECK(prints("  substeps     "));
    std::smatch time;
    REQUIRE(std::regex_search(check.output, time, std::regex("  time         (\\d+):(\\d\\d)")));
    CHECK(60 * std::stoi(time[1]) + std::stoi(time[2]) < longestForecast_s);
    CHECK(firnSim({"check", shot, "--set", "snow.late.source.start_s=9"})
              .says("warning: snow region 'late': its snow would start after the last frame, so none appears"));
    CHECK(firnSim({"check", shot, "--set", "snow.stream.source.share=0.001"})
              .says("snow region 'stream' brings only about 2 particles until the last frame"));
    CHECK_FALSE(check.says("of its mouth is inside"));
    CHECK(
        firnSim({"check", shot, "--set", "snow.stream.source.start_s=8", "--set", "snow.late.source.start_s=9"})
            .says("no particle fits into the [[snow]] regions; the snow of 'stream' comes at 8 s, after the last frame "
                  "(0.5 s)"));
    CHECK(firnSim({"check", shot, "--set", "body.ground.position=[0, 1.15, 0]"})
              .says("snow region 'stream': 50 % of its mouth is inside bodies when its snow begins to flow"));
    CHECK(firnSim({"check", shot, "--set", "body.ground.position=[0,0.15,0]"})
              .says("snow region 'late': 50 % of its places are inside bodies when its snow comes"));
    const Outcome half = firnSim({"check", shot, "--set", "body.ground.position=[0, 1.15, 0]"});
    CHECK(half.output.find("  source       'stream' (settled): about 116") != std::string::npos);
    // A run warns too.
    CHECK(firnSim({"run", shot, "--out", (folder / "out").string(), "--frames", "1-13", "--set",
                   "body.ground.position=[0, 1.15, 0]"})
              .says("50 % of its mouth is inside bodies"));
}

TEST_CASE("A run tells that the mouth of a source is full of snow", "[source]")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "pour.toml", R"(version = 1
fps = 24
frames = "1-16"
[[snow]]
name = "pour"
min = [-0.2, 0.1, -0.2]
max = [0.2, 0.3, 0.2]
velocity = [0.0, -1.0, 0.0]
[snow.source]
length_s = 2.0
[[body]]
name = "ground"
[solver]
dx = 0.05
)");
    const auto isTold = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"run", shot, "--out", (folder / name).string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return firnSim(arguments).says("the mouth of snow region 'pour' holds 2.");
    };
    CHECK(isTold("full", {}));
    CHECK_FALSE(isTold("free", {"--set", "body.ground.position=[0, -3, 0]"}));
}

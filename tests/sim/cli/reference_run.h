#pragma once
// A shot, what an undisturbed run makes of it, and another folder, whose run a test disturbs.

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace firn {

/// The shot, and what an undisturbed run makes of it.
struct ReferenceRun {
    TemporaryFolder folder;
    std::string shot = writeShot(folder / "ball.toml");
    std::string out = (folder / "out").string();
    std::map<std::string, std::string> frames;
    double seconds = 0;

    ReferenceRun()
    {
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = firnSim({"run", shot, "--out", (folder / "reference").string(), "--threads", "2"});
        INFO(outcome.error);
        REQUIRE(outcome.code == 0);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        frames = frameChecksums(folder / "reference");
        REQUIRE(frames.size() == lastFrame);
    }

    std::vector<std::string> resume(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{"run", shot, "--out", out, "--resume", "--threads", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    /// A cache of a changed scene beside that of the test.
    std::string otherCache(const std::string& range) const
    {
        std::string other = out + "-other";
        REQUIRE(firnSim({"run", shot, "--out", other, "--frames", range, "--set", "solver.cfl=0.2"}).code == 0);
        return other;
    }

    bool isSame() const { return frameChecksums(out) == frames && firnSim({"info", out}).code == 0; }
};

}  // namespace firn

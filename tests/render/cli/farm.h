#pragma once
// A shot with a small cache, to be rendered by the commands of firn-render.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/cache/stats.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/scene/hash.h"
#include "render/cli/frames_job.h"
#include "render/cli/program.h"
#include "tests/sanitized.h"

namespace firn::test {

namespace fs = std::filesystem;

/// Adds a particle of snow of 400 kg/m^3 that has never been deformed.
inline void addAtRest(ParticleFrame& frame, int id, const Vec3d& position_m, float volume_m3)
{
    frame.position_m.push_back(position_m);
    frame.velocity_m_s.push_back(Vec3f::Zero());
    frame.F_E.push_back(Mat3f::Identity());
    frame.J_P.push_back(1);
    frame.mass_kg.push_back(400 * volume_m3);
    frame.volume0_m3.push_back(volume_m3);
    frame.id.push_back(static_cast<std::uint32_t>(id));
    frame.material.push_back(0);
    frame.state.push_back(0);
}

inline constexpr const char* sceneText = R"(version = 1
frames = "1-4"
[[snow]]
shape = "box"
min = [-0.1, 0, -0.1]
max = [0.1, 0.1, 0.1]
[[body]]
name = "ground"
shape = "plane"
[[body]]
name = "ball"
shape = "sphere"
radius_m = 0.05
[[body.key]]
time_s = 0
position = [0, 0.2, 0]
[[body.key]]
time_s = 1
position = [1, 0.2, 0]
[camera]
position = [0.4, 0.3, 0.5]
look_at = [0, 0.05, 0]
[solver]
dx = 0.05
[render]
width = 24
height = 16
spp = 2
)";

/// Lists the frames of a cache in its stats.jsonl, as a run does.
inline void listFrames(const fs::path& cache)
{
    StatsFile stats(cache / "stats.jsonl");
    for (const int frame : CacheLayout{cache}.frames()) {
        const fs::path path = CacheLayout{cache}.framePath(frame);
        const nlohmann::json file = {
            {"name", path.filename().string()}, {"bytes", fs::file_size(path)}, {"checksum", checksum(readFile(path))}};
        stats.add(
            parseStatsLine(nlohmann::json{{"frame", frame}, {"files", nlohmann::json::array({file})}}.dump(), "line"));
    }
}

/// A folder with a shot and a cache of its frames 1 and 2, removed at the end.
struct Farm {
    fs::path root = fs::temp_directory_path() / ("firn_test_cli_" + std::to_string(::getpid()));
    FramesJob job;

    Farm()
    {
        fs::remove_all(root);
        fs::create_directories(root / "cache");
        std::ofstream(root / "tiny.toml") << sceneText;
        job.shot = root / "tiny.toml";
        job.cache = root / "cache";
        job.out = root / "out";
        job.progress = ProgressMode::None;
        const Scene scene = loadScene(job.shot).scene;
        for (const int frame : {1, 2}) writePointsFile(cacheFile(frame), snow(scene, frame));
    }
    ~Farm() { fs::remove_all(root); }

    fs::path cacheFile(int frame) const { return job.cache / ("snow.000" + std::to_string(frame) + ".vdb"); }
    fs::path image(int frame, const char* extension) const
    {
        return job.out / ("tiny.000" + std::to_string(frame) + extension);
    }

    static ParticleFrame snow(const Scene& scene, int number)
    {
        ParticleFrame frame;
        frame.frame = number;
        frame.fps = scene.fps;
        frame.time_s = scene.timeOfFrame(number);
        frame.dx_m = scene.solver.dx;
        frame.scene_hash = sceneHash(scene);
        for (int i = 0; i < 8 * 4 * 8; ++i) {
            const Vec3i cell(i % 8, i / 64, i / 8 % 8);
            addAtRest(frame, i, 0.025 * cell.cast<double>() + Vec3d(-0.0875, 0.0125, -0.0875), 1.5625e-5f);
        }
        return frame;
    }

    std::vector<nlohmann::json> stats() const
    {
        std::vector<nlohmann::json> lines;
        std::ifstream in(job.out / "render_stats.jsonl");
        for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
        return lines;
    }

    /// Runs the program as from a shell.
    int run(const std::vector<std::string>& arguments) const
    {
        std::vector<const char*> argv = {"firn-render"};
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        return runProgram(renderProgram(), static_cast<int>(argv.size()), argv.data());
    }
    std::vector<std::string> framesArguments(const std::vector<std::string>& more) const
    {
        return argumentsOf("frames", more);
    }
    std::vector<std::string> argumentsOf(const std::string& command, const std::vector<std::string>& more) const
    {
        std::vector<std::string> arguments = {command, job.shot.string(), "--cache",    job.cache.string(),
                                              "--out", job.out.string(),  "--progress", "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    int frames(const std::vector<std::string>& more) const { return run(framesArguments(more)); }
};

/// The code of the Error that renderFrames throws within `quick_s`; its text goes to `message`.
inline ExitCode refusal(const FramesJob& job, std::string& message)
{
    const std::clock_t start = std::clock();
    try {
        renderFrames(job);
    } catch (const Error& error) {
        message = error.what();
        CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < quick_s);
        return error.code();
    }
    return ExitCode::Done;
}

}  // namespace firn::test

#pragma once
// A shot that takes a fraction of a second: a small ball of soft snow hits the ground.

#include <filesystem>
#include <fstream>
#include <string>

namespace firn {

inline constexpr const char* ball_shot = R"(version = 1
fps = 100
frames = "1-6"

[[snow]]
name = "ball"
shape = "sphere"
center = [0.0, 0.07, 0.0]
radius_m = 0.06
velocity = [0.6, -2.6, 0.0]

[[body]]
name = "ground"
shape = "plane"

[solver]
dx = 0.02
)";

/// The frames of ball_shot.
inline constexpr int first_frame = 1, last_frame = 6;

inline std::string writeShot(const std::filesystem::path& path, const std::string& text = ball_shot)
{
    std::ofstream(path) << text;
    return path.string();
}

}  // namespace firn

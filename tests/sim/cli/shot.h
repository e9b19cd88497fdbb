#pragma once
// The shot of the programs' tests.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace firn {

/// ball.toml.
inline std::string ballShot()
{
    std::ifstream file(FIRN_BALL_SHOT);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Its frames.
inline constexpr int firstFrame = 1, lastFrame = 6;

inline std::string writeShot(const std::filesystem::path& path, const std::string& text = ballShot())
{
    std::ofstream(path) << text;
    return path.string();
}

}  // namespace firn

#include "render/cli/sequences.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "common/error.h"
#include "common/io/frame_range.h"

namespace firn {

namespace fs = std::filesystem;

std::map<fs::path, std::vector<int>> sequences(const fs::path& folder, const std::string& extension)
{
    std::map<fs::path, std::vector<int>> result;
    std::error_code error;
    if (fs::is_regular_file(folder, error))
        throw Error(ExitCode::File, folder.string() + " is a file; expected a folder of pictures");
    fs::directory_iterator entries(folder, error);
    if (error) throw Error(ExitCode::File, "cannot read " + folder.string() + ": " + error.message());
    for (const fs::directory_entry& entry : entries) {
        const fs::path name = entry.path().filename();
        if (name.string().starts_with('.')) continue;  // hidden, as temporary files are
        if (name.extension() != extension || !name.stem().has_extension()) continue;
        const fs::path pattern = folder / (name.stem().stem().string() + ".####" + extension);
        const std::vector<int> frames = existingFrames(pattern);
        if (!frames.empty()) result[pattern] = frames;
    }
    return result;
}

namespace {

/// The frame that a picture of this name is of; none if the name has no number of a frame.
std::optional<int> frameOfName(const fs::path& picture, const fs::path& pattern)
{
    const std::string digits = picture.stem().extension().string();
    int frame = 0;
    if (digits.size() < 2) return std::nullopt;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data() + 1, end, frame);
    const bool isFrame =
        read.ec == std::errc() && read.ptr == end && framePath(pattern, frame).filename() == picture.filename();
    return isFrame ? std::optional(frame) : std::nullopt;
}

}  // namespace

void requireNoFrameName(const fs::path& out)
{
    const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
    const fs::path pattern = folder / (out.stem().stem().string() + ".####" + out.extension().string());
    const std::optional<int> frame = frameOfName(out, pattern);
    std::error_code error;
    std::string extension = out.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    if (extension != ".png" && extension != ".exr") return;
    if (!frame || !fs::is_directory(folder, error)) return;
    std::map<fs::path, std::vector<int>> beside = sequences(folder, out.extension().string());
    beside.merge(sequences(folder, ".exr"));  // a picture without preview is shown from its EXR
    for (auto& [found, frames] : beside) {
        if (found == pattern) std::erase(frames, *frame);
        if (frames.empty()) continue;
        throw Error(ExitCode::Usage, "--out " + clampText(out.string()) + ": it would count as a frame beside " +
                                         found.string() + ". Choose a name without a number");
    }
}

}  // namespace firn

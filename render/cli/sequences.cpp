#include "render/cli/sequences.h"

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

void requireNoFrameName(const fs::path& out)
{
    const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
    std::error_code error;
    if (!fs::is_directory(folder, error) || !out.stem().has_extension()) return;
    const fs::path pattern = folder / (out.stem().stem().string() + ".####" + out.extension().string());
    std::vector<int> frames = existingFrames(pattern);
    std::erase_if(frames, [&](int frame) { return framePath(pattern, frame).filename() == out.filename(); });
    const std::string number = out.stem().extension().string().substr(1);
    const bool isNumber = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (frames.empty() || !isNumber) return;
    throw Error(ExitCode::Usage, "--out " + clampText(out.string()) + ": it would count as a frame of the sequence " +
                                     pattern.string() + ". Choose another name");
}

}  // namespace firn

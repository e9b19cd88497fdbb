#include "render/cli/compare_frames.h"

#include <algorithm>
#include <iterator>

#include "common/error.h"
#include "common/io/frame_range.h"
#include "render/cli/sequences.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

struct PictureSource {
    fs::path path;  // a file, or the pattern of a sequence
    bool is_sequence = false;
    std::vector<int> frames;  // ascending
};

bool isPattern(const fs::path& path)
{
    const std::string name = path.filename().string();
    return !fs::exists(path) && name.find_first_of("#%$") != std::string::npos;
}

PictureSource sequenceIn(const fs::path& folder)
{
    const auto found = sequences(folder);
    if (found.empty()) throw Error(ExitCode::File, folder.string() + ": holds no frames name.####.exr");
    if (found.size() > 1) {
        throw Error(ExitCode::Usage, folder.string() + ": holds " + std::to_string(found.size()) +
                                         " sequences: give one of them, such as \"" + found.begin()->first.string() +
                                         "\"");
    }
    return {found.begin()->first, true, found.begin()->second};
}

PictureSource picturesAt(const fs::path& path)
{
    if (fs::is_directory(path)) return sequenceIn(path);
    if (!isPattern(path)) return {path, false, {}};
    const std::vector<int> frames = existingFrames(path);
    if (frames.empty()) throw Error(ExitCode::File, path.string() + ": no such frames");
    return {path, true, frames};
}

std::vector<int> wantedFrames(const PictureSource& a, const PictureSource& b, const std::string& frames)
{
    std::vector<int> wanted;
    if (frames.empty()) {
        std::set_union(a.frames.begin(), a.frames.end(), b.frames.begin(), b.frames.end(), std::back_inserter(wanted));
    } else {
        wanted = parseFrames(frames);
        std::sort(wanted.begin(), wanted.end());
    }
    return wanted;
}

}  // namespace

std::string PicturePair::name() const
{
    return frame ? "frame " + std::to_string(*frame) : clampText(a.filename().string());
}

PicturePairs matchPictures(const fs::path& a, const fs::path& b, const std::string& frames)
{
    const PictureSource ofA = picturesAt(a), ofB = picturesAt(b);
    if (ofA.is_sequence != ofB.is_sequence) {
        for (const fs::path& path : {a, b}) {
            const bool isPattern = path.string().find('#') != std::string::npos;
            if (!isPattern && !fs::exists(path))
                throw Error(ExitCode::File, path.string() + ": no such file or folder");
        }
        throw Error(ExitCode::Usage,
                    a.string() + " and " + b.string() +
                        ": one is a picture and the other a sequence: give two pictures or two sequences");
    }
    if (!ofA.is_sequence) {
        if (!frames.empty()) throw Error(ExitCode::Usage, "--frames is for sequences; " + a.string() + " is a picture");
        return {{{std::nullopt, ofA.path, ofB.path}}, {}, {}, {}, {}};
    }
    PicturePairs result;
    result.sequence_a = ofA.path;
    result.sequence_b = ofB.path;
    for (const int frame : wantedFrames(ofA, ofB, frames)) {
        const bool isInA = std::binary_search(ofA.frames.begin(), ofA.frames.end(), frame);
        const bool isInB = std::binary_search(ofB.frames.begin(), ofB.frames.end(), frame);
        if (!isInA) result.missing_a.push_back(frame);
        if (!isInB) result.missing_b.push_back(frame);
        if (isInA && isInB) result.pairs.push_back({frame, framePath(ofA.path, frame), framePath(ofB.path, frame)});
    }
    if (result.pairs.empty()) {
        throw Error(ExitCode::File, "no frame to compare" +
                                        (frames.empty() ? "" : " for --frames " + clampText(frames)) + ": " +
                                        ofA.path.string() + " has " + formatFrames(ofA.frames) + ", " +
                                        ofB.path.string() + " has " + formatFrames(ofB.frames));
    }
    return result;
}

}  // namespace firn

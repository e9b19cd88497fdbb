#include "common/body/bvh.h"

#include <algorithm>
#include <string_view>

#include "common/body/text_input.h"

namespace firn {
namespace {

constexpr std::array<std::string_view, 6> channelNames = {"Xposition", "Yposition", "Zposition",
                                                          "Xrotation", "Yrotation", "Zrotation"};

/// Words of the hierarchy, whatever their lines.
std::string_view nextWord(TextInput& in)
{
    while (in.peek().empty())
        if (!in.nextLine()) in.fail("the file ends within its hierarchy");
    return in.word();
}

void expect(TextInput& in, std::string_view word)
{
    const std::string_view found = nextWord(in);
    if (found != word) in.failFound(found, "\"" + std::string(word) + "\"");
}

/// The words up to the brace; names of joints may contain blanks.
std::string nameFrom(TextInput& in)
{
    std::string name;
    while (!in.peek().empty() && in.peek() != "{") name += (name.empty() ? "" : " ") + std::string(in.word());
    if (name.empty()) in.failFound(in.peek(), "the name of a joint");
    return name;
}

void readOffset(TextInput& in, BvhJoint& joint)
{
    expect(in, "OFFSET");
    for (int a = 0; a < 3; ++a) joint.offset[a] = in.number("an offset");
}

void readChannels(TextInput& in, Bvh& bvh, BvhJoint& joint)
{
    joint.first_value = bvh.channels;
    const long count = in.integer("the count of channels", 0, 6);
    for (long c = 0; c < count; ++c) {
        const std::string_view name = in.word();
        const auto found = std::find(channelNames.begin(), channelNames.end(), name);
        if (found == channelNames.end())
            in.failFound(name, "channel " + std::to_string(c + 1) + " of " + std::to_string(count) +
                                   ": one of Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation");
        const auto channel = static_cast<BvhChannel>(found - channelNames.begin());
        if (std::find(joint.channels.begin(), joint.channels.end(), channel) != joint.channels.end())
            in.fail("found the channel " + std::string(name) + " twice");
        joint.channels.push_back(channel);
    }
    in.endOfLine();
    bvh.channels += static_cast<int>(count);
}

int addJoint(TextInput& in, Bvh& bvh, int parent, const std::string& name, bool isEnd)
{
    if (static_cast<int>(bvh.joints.size()) == bvhJointLimit)
        in.fail("found more than " + std::to_string(bvhJointLimit) + " joints");
    const bool isKnown =
        std::any_of(bvh.joints.begin(), bvh.joints.end(), [&](const BvhJoint& j) { return j.name == name; });
    if (isKnown && !isEnd) in.fail("found the joint \"" + name + "\" twice");
    BvhJoint joint;
    joint.name = name;
    joint.parent = parent;
    joint.is_end = isEnd;
    expect(in, "{");
    readOffset(in, joint);
    bvh.joints.push_back(std::move(joint));
    return static_cast<int>(bvh.joints.size()) - 1;
}

/// All joints, from the opening brace of the root to its closing brace.
void readHierarchy(TextInput& in, Bvh& bvh)
{
    expect(in, "HIERARCHY");
    expect(in, "ROOT");
    int joint = addJoint(in, bvh, -1, nameFrom(in), false);
    while (joint >= 0) {
        const std::string_view word = nextWord(in);
        if (word == "CHANNELS") {
            if (!bvh.joints[joint].channels.empty()) in.fail("found CHANNELS twice in one joint");
            readChannels(in, bvh, bvh.joints[joint]);
        } else if (word == "JOINT") {
            joint = addJoint(in, bvh, joint, nameFrom(in), false);
        } else if (word == "End") {
            expect(in, "Site");
            addJoint(in, bvh, joint, bvh.joints[joint].name + " end", true);
            expect(in, "}");
        } else if (word == "}") {
            joint = bvh.joints[joint].parent;
        } else {
            in.failFound(word, "CHANNELS, JOINT, End Site or }");
        }
    }
    if (bvh.channels == 0) in.fail("the skeleton has no channels");
}

void readFrames(TextInput& in, Bvh& bvh)
{
    const auto frames = static_cast<std::size_t>(bvh.frames);
    for (std::size_t f = 0; f < frames; ++f) {
        const std::string place = "frame " + std::to_string(f + 1) + " of " + std::to_string(frames);
        if (!in.nextLine())
            in.fail("the file is cut short: found " + std::to_string(f) + " frames; expected " +
                    std::to_string(frames));
        for (int c = 0; c < bvh.channels; ++c) {
            if (in.peek().empty())
                in.fail(place + " has " + std::to_string(c) + " values; expected " + std::to_string(bvh.channels) +
                        ", one for each channel" +
                        (in.atEnd() ? "; the file is cut short: found " + std::to_string(f) +
                                          " whole frames, expected " + std::to_string(frames)
                                    : ""));
            bvh.values.push_back(in.number("value " + std::to_string(c + 1) + " of " + place));
        }
        if (!in.peek().empty())
            in.fail(place + " has more than " + std::to_string(bvh.channels) + " values, one for each channel");
    }
    if (in.nextLine()) in.fail("found more frames than the " + std::to_string(frames) + " that the file announces");
}

}  // namespace

Bvh parseBvh(const std::filesystem::path& file, const std::string& text)
{
    TextInput in(file, text);
    Bvh bvh;
    readHierarchy(in, bvh);
    expect(in, "MOTION");
    expect(in, "Frames:");
    bvh.frames = static_cast<int>(in.integer("the count of frames", 1, bvhFrameLimit));
    expect(in, "Frame");
    expect(in, "Time:");
    bvh.frame_time_s = in.number("the seconds of a frame");
    if (!(bvh.frame_time_s > 0))
        in.fail("found a frame time of " + std::to_string(bvh.frame_time_s) + " s; expected more than 0");
    in.endOfLine();
    readFrames(in, bvh);
    return bvh;
}

Bvh loadBvh(const std::filesystem::path& file)
{
    constexpr std::uintmax_t limit = std::uintmax_t{1} << 30;
    return parseBvh(file, readWholeFile(file, limit));
}

}  // namespace firn

#include "common/image/image.h"

#include <cassert>

#include "common/error.h"

namespace firn {

Image::Image(int width_px, int height_px)
    : width(width_px), height(height_px), display_width(width_px), display_height(height_px)
{
    assert(width_px > 0 && height_px > 0);
}

Channel& Image::add(const std::string& name, bool fullPrecision)
{
    assert(!find(name));
    channels.push_back({name, std::vector<float>(pixelCount(), 0.0f), fullPrecision});
    return channels.back();
}

const Channel* Image::find(const std::string& name) const
{
    for (const Channel& channel : channels) {
        if (channel.name == name) return &channel;
    }
    return nullptr;
}

Channel* Image::find(const std::string& name)
{
    return const_cast<Channel*>(static_cast<const Image*>(this)->find(name));
}

const Channel& Image::at(const std::string& name) const
{
    if (const Channel* channel = find(name)) return *channel;
    std::string known;
    for (const Channel& channel : channels) known += (known.empty() ? "" : ", ") + channel.name;
    throw Error(ExitCode::File, "no channel " + name + " in the image; it has " + clampText(known));
}

}  // namespace firn

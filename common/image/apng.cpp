#include "common/image/apng.h"

#include <zlib.h>

#include <cassert>
#include <cmath>
#include <span>
#include <string>

namespace firn {

namespace {

constexpr std::size_t signatureBytes = 8;

void append(std::vector<std::byte>& to, std::uint32_t value, int bytes)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) to.push_back(std::byte(value >> shift & 0xff));
}

std::uint32_t numberAt(std::span<const std::byte> bytes)
{
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<std::uint32_t>(bytes[i]);
    return number;
}

/// Calls `use` with the type and the content of each chunk of a PNG that libpng wrote.
template <typename Use>
void forEachChunk(std::span<const std::byte> png, Use use)
{
    png = png.subspan(signatureBytes);
    while (!png.empty()) {
        const std::size_t size = numberAt(png);
        use(std::string(reinterpret_cast<const char*>(png.data()) + 4, 4), png.subspan(8, size));
        png = png.subspan(12 + size);  // length, type, content, checksum
    }
}

}  // namespace

void AnimatedPng::put(const char* type, const std::vector<std::byte>& content)
{
    append(m_bytes, static_cast<std::uint32_t>(content.size()), 4);
    const std::size_t begin = m_bytes.size();
    for (int i = 0; i < 4; ++i) m_bytes.push_back(std::byte(type[i]));
    m_bytes.insert(m_bytes.end(), content.begin(), content.end());
    const auto* const checked = reinterpret_cast<const Bytef*>(m_bytes.data() + begin);
    append(m_bytes, static_cast<std::uint32_t>(crc32(0, checked, static_cast<uInt>(m_bytes.size() - begin))), 4);
}

void AnimatedPng::putControl(int width, int height)
{
    std::vector<std::byte> control;
    append(control, m_number++, 4);
    append(control, static_cast<std::uint32_t>(width), 4);
    append(control, static_cast<std::uint32_t>(height), 4);
    append(control, 0, 4);  // x and y within the whole
    append(control, 0, 4);
    append(control, 100, 2);  // 100 / (100 fps) seconds
    append(control, static_cast<std::uint32_t>(std::lround(100 * m_fps)), 2);
    append(control, 0, 2);  // leave the frame as it is, and replace it by the next
    put("fcTL", control);
}

void AnimatedPng::add(const Rgb8Image& image)
{
    assert(m_added < m_frames);
    const std::vector<std::byte> png = encodePng(image);
    if (m_added == 0) m_bytes.assign(png.begin(), png.begin() + signatureBytes);
    bool isControlled = false;
    forEachChunk(png, [&](const std::string& type, std::span<const std::byte> content) {
        std::vector<std::byte> copy;
        if (type == "IDAT") {
            if (!isControlled) putControl(image.width, image.height);
            isControlled = true;
            if (m_added > 0) append(copy, m_number++, 4);
            copy.insert(copy.end(), content.begin(), content.end());
            put(m_added > 0 ? "fdAT" : "IDAT", copy);
        } else if (m_added == 0 && type != "IEND") {
            put(type.c_str(), {content.begin(), content.end()});
            if (type != "IHDR") return;
            append(copy, static_cast<std::uint32_t>(m_frames), 4);
            append(copy, 0, 4);  // loops: no end
            put("acTL", copy);
        }
    });
    ++m_added;
}

std::vector<std::byte> AnimatedPng::finish()
{
    assert(m_added == m_frames);
    put("IEND", {});
    return std::move(m_bytes);
}

}  // namespace firn

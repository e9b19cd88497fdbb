#pragma once
// Grey PNG files for tests.

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace firn {

inline std::string pngChunk(const std::string& type, const std::string& data)
{
    const auto number = [](std::uint64_t value) {
        std::string text;
        for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
        return text;
    };
    const std::string body = type + data;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return number(data.size()) + body + number(sum);
}

/// A grey PNG of 16 bits. With colour type 2, three values make a pixel; with type 4, grey and alpha do.
inline std::string png16(int width, int height, const std::vector<int>& values, char colourType = 0)
{
    std::string rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % static_cast<std::size_t>(width) == 0) rows += '\0';
        rows += static_cast<char>(values[i] >> 8);
        rows += static_cast<char>(values[i]);
    }
    std::string packed(compressBound(rows.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
    packed.resize(size);
    const int columns = width / (colourType == 2 ? 3 : colourType == 4 ? 2 : 1);
    const std::string header{0, 0, 0, static_cast<char>(columns), 0, 0, 0, static_cast<char>(height), 16, colourType,
                             0, 0, 0};
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) + pngChunk("IDAT", packed) + pngChunk("IEND", "");
}

}  // namespace firn

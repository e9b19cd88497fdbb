#include "common/image/exr.h"

#include <Iex.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfFramesPerSecond.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfIntAttribute.h>
#include <ImfMatrixAttribute.h>
#include <ImfOutputFile.h>
#include <ImfRationalAttribute.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>
#include <ImfVersion.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "common/error.h"

namespace firn {

namespace {

constexpr std::uint64_t maxValues = static_cast<std::uint64_t>(1) << 28;
constexpr int maxEdge = 1 << 16;
constexpr std::uint64_t maxFileBytes = static_cast<std::uint64_t>(1) << 32;
constexpr float maxHalf = 65504;

class MemoryOut : public Imf::OStream {
public:
    MemoryOut() : OStream("memory") {}
    void write(const char c[], int n) override
    {
        const std::size_t end = m_position + static_cast<std::size_t>(n);
        if (bytes.size() < end) bytes.resize(end);
        std::memcpy(bytes.data() + m_position, c, static_cast<std::size_t>(n));
        m_position = end;
    }
    std::uint64_t tellp() override { return m_position; }
    void seekp(std::uint64_t position) override { m_position = position; }

    std::vector<std::byte> bytes;

private:
    std::size_t m_position = 0;
};

class MemoryIn : public Imf::IStream {
public:
    MemoryIn(std::span<const std::byte> bytes, const std::string& name) : IStream(name.c_str()), m_bytes(bytes) {}
    bool read(char c[], int n) override
    {
        if (n < 0 || m_position > m_bytes.size() || static_cast<std::size_t>(n) > m_bytes.size() - m_position) {
            throw Iex::InputExc("early end of file");
        }
        std::memcpy(c, m_bytes.data() + m_position, static_cast<std::size_t>(n));
        m_position += static_cast<std::size_t>(n);
        return m_position < m_bytes.size();
    }
    std::uint64_t tellg() override { return m_position; }
    void seekg(std::uint64_t position) override { m_position = position; }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
};

Imath::Box2i window(int x, int y, int width, int height)
{
    return {Imath::V2i(x, y), Imath::V2i(x + width - 1, y + height - 1)};
}

struct AddAttribute {
    Imf::Header& header;
    const std::string& name;

    void operator()(int value) const { header.insert(name, Imf::IntAttribute(value)); }
    void operator()(float value) const
    {
        if (name == "framesPerSecond") {
            Imf::addFramesPerSecond(header, Imf::guessExactFps(value));
        } else {
            header.insert(name, Imf::FloatAttribute(value));
        }
    }
    void operator()(const std::string& value) const { header.insert(name, Imf::StringAttribute(value)); }
    void operator()(const Matrix4f& value) const
    {
        // Imath multiplies row vectors from the left, so its matrices are the transposes of ours.
        Imath::M44f matrix;
        for (int row = 0; row < 4; ++row) {
            for (int column = 0; column < 4; ++column)
                matrix[column][row] = value[4 * static_cast<std::size_t>(row) + column];
        }
        header.insert(name, Imf::M44fAttribute(matrix));
    }
};

Imf::Header makeHeader(const Image& image, const ExrOptions& options)
{
    Imf::Header header(window(0, 0, image.display_width, image.display_height),
                       window(image.origin_x, image.origin_y, image.width, image.height));
    header.compression() = Imf::ZIP_COMPRESSION;
    Imf::addChromaticities(header, Imf::Chromaticities());  // the default ones are those of Rec. 709
    for (const auto& [name, value] : image.metadata) std::visit(AddAttribute{header, name}, value);
    for (const Channel& channel : image.channels) {
        const bool isHalf = options.half && !channel.full_precision;
        header.channels().insert(channel.name, Imf::Channel(isHalf ? Imf::HALF : Imf::FLOAT));
    }
    return header;
}

std::vector<half> toHalf(const std::vector<float>& values)
{
    std::vector<half> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), [](float value) {
        return half(std::isfinite(value) ? std::clamp(value, -maxHalf, maxHalf) : value);
    });
    return result;
}

/// Slice over `data`, which holds the pixels of the data window row by row.
template <typename T>
Imf::Slice slice(Imf::PixelType type, const T* data, const Imath::Box2i& box)
{
    const std::size_t width = static_cast<std::size_t>(box.max.x - box.min.x) + 1;
    return Imf::Slice::Make(type, data, box, sizeof(T), sizeof(T) * width);
}

void collectMetadata(const Imf::Header& header, Metadata& metadata)
{
    for (auto entry = header.begin(); entry != header.end(); ++entry) {
        const Imf::Attribute& attribute = entry.attribute();
        if (const auto* number = dynamic_cast<const Imf::IntAttribute*>(&attribute)) {
            metadata[entry.name()] = number->value();
        } else if (const auto* real = dynamic_cast<const Imf::FloatAttribute*>(&attribute)) {
            metadata[entry.name()] = real->value();
        } else if (const auto* ratio = dynamic_cast<const Imf::RationalAttribute*>(&attribute)) {
            metadata[entry.name()] = static_cast<float>(static_cast<double>(ratio->value()));
        } else if (const auto* text = dynamic_cast<const Imf::StringAttribute*>(&attribute)) {
            metadata[entry.name()] = text->value();
        } else if (const auto* matrix = dynamic_cast<const Imf::M44fAttribute*>(&attribute)) {
            Matrix4f value;
            for (int i = 0; i < 16; ++i) value[static_cast<std::size_t>(i)] = matrix->value()[i % 4][i / 4];
            metadata[entry.name()] = value;
        }
    }
}

/// The text of the library without its beginning, 'Cannot read image file "NAME". '.
std::string withoutName(const std::string& text, const std::string& name)
{
    const std::string named = "image file \"" + name + "\". ";
    const std::size_t at = text.find(named);
    return at == std::string::npos ? text : text.substr(at + named.size());
}

[[noreturn]] void refuse(const std::string& name, const std::string& why)
{
    throw Error(ExitCode::File, name + ": not a readable EXR image: " + clampText(why));
}

void requireMagic(std::span<const std::byte> bytes, const std::string& name)
{
    const bool isExr = bytes.size() >= 4 && Imf::isImfMagic(reinterpret_cast<const char*>(bytes.data()));
    if (!isExr)
        throw Error(ExitCode::File,
                    name + (bytes.empty() ? ": the file is empty; expected an EXR image" : ": not an EXR image"));
}

/// Size and channels of the header, checked before memory is allocated.
Image layout(const Imf::Header& header, const std::string& name)
{
    const Imath::Box2i& data = header.dataWindow();
    const Imath::Box2i& display = header.displayWindow();
    const auto edge = [&](int min, int max) {
        const std::int64_t length = static_cast<std::int64_t>(max) - min + 1;
        if (length < 1 || length > maxEdge) refuse(name, "an edge of " + std::to_string(length) + " pixels");
        return static_cast<int>(length);
    };
    Image image(edge(data.min.x, data.max.x), edge(data.min.y, data.max.y));
    image.display_width = edge(display.min.x, display.max.x);
    image.display_height = edge(display.min.y, display.max.y);
    image.origin_x = static_cast<int>(static_cast<std::int64_t>(data.min.x) - display.min.x);
    image.origin_y = static_cast<int>(static_cast<std::int64_t>(data.min.y) - display.min.y);
    std::uint64_t values = 0;
    for (auto entry = header.channels().begin(); entry != header.channels().end(); ++entry) {
        if (entry.channel().xSampling != 1 || entry.channel().ySampling != 1) refuse(name, "subsampled channels");
        values += image.pixelCount();
        if (values > maxValues) refuse(name, "more than 2^28 values");
    }
    return image;
}

Image decode(std::span<const std::byte> bytes, const std::string& name)
{
    requireMagic(bytes, name);
    Imf::Header::setMaxImageSize(maxEdge, maxEdge);  // before tables for a huge window are allocated
    MemoryIn stream(bytes, name);
    Imf::InputFile file(stream, 0);
    if (!file.isComplete()) refuse(name, "scanlines are missing");
    const Imf::Header& header = file.header();
    Image image = layout(header, name);
    for (auto entry = header.channels().begin(); entry != header.channels().end(); ++entry) {
        image.add(entry.name(), entry.channel().type != Imf::HALF);
    }
    Imf::FrameBuffer buffer;
    for (const Channel& channel : image.channels) {
        buffer.insert(channel.name, slice(Imf::FLOAT, channel.pixels.data(), header.dataWindow()));
    }
    file.setFrameBuffer(buffer);
    file.readPixels(header.dataWindow().min.y, header.dataWindow().max.y);
    collectMetadata(header, image.metadata);
    return image;
}

}  // namespace

std::vector<std::byte> encodeExr(const Image& image, const ExrOptions& options)
{
    assert(!image.channels.empty());
    const Imf::Header header = makeHeader(image, options);
    const Imath::Box2i& box = header.dataWindow();
    std::vector<std::vector<half>> halves(image.channels.size());  // alive until the pixels are written
    Imf::FrameBuffer buffer;
    for (std::size_t i = 0; i < image.channels.size(); ++i) {
        const Channel& channel = image.channels[i];
        if (header.channels()[channel.name.c_str()].type == Imf::HALF) {
            halves[i] = toHalf(channel.pixels);
            buffer.insert(channel.name, slice(Imf::HALF, halves[i].data(), box));
        } else {
            buffer.insert(channel.name, slice(Imf::FLOAT, channel.pixels.data(), box));
        }
    }
    MemoryOut stream;
    {
        Imf::OutputFile file(stream, header, 0);
        file.setFrameBuffer(buffer);
        file.writePixels(image.height);
    }  // the destructor writes the table of scanline offsets
    return std::move(stream.bytes);
}

Image decodeExr(std::span<const std::byte> bytes, const std::string& name)
{
    try {
        return decode(bytes, name);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        refuse(name, withoutName(error.what(), name));
    }
}

WrittenFile writeExr(const std::filesystem::path& path, const Image& image, const ExrOptions& options)
{
    return writeFileChecked(path, encodeExr(image, options));
}

Image readExrHeader(const std::filesystem::path& path)
{
    const std::vector<std::byte> bytes = readFile(path, maxFileBytes);
    requireMagic(bytes, path.string());
    Imf::Header::setMaxImageSize(maxEdge, maxEdge);
    try {
        MemoryIn stream(bytes, path.string());
        const Imf::InputFile file(stream, 0);
        const Imf::Header& header = file.header();
        Image image = layout(header, path.string());
        for (auto entry = header.channels().begin(); entry != header.channels().end(); ++entry)
            image.channels.push_back({entry.name(), {}, entry.channel().type != Imf::HALF});
        collectMetadata(header, image.metadata);
        return image;
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        refuse(path.string(), withoutName(error.what(), path.string()));
    }
}

bool isUncutExr(const std::filesystem::path& path)
{
    try {
        const std::vector<std::byte> bytes = readFile(path, maxFileBytes);
        requireMagic(bytes, path.string());
        MemoryIn stream(bytes, path.string());
        Imf::InputFile file(stream, 0);
        const char* pixels = nullptr;
        int size = 0;
        if (file.isComplete()) file.rawPixelData(file.header().dataWindow().max.y, pixels, size);
        return size > 0;
    } catch (const std::exception&) {
        return false;
    }
}

Image readExr(const std::filesystem::path& path) { return decodeExr(readFile(path, maxFileBytes), path.string()); }

}  // namespace firn

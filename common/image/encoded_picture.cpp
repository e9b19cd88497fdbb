#include "common/image/encoded_picture.h"

#include <span>

#include "common/error.h"
#include "common/image/jpeg.h"
#include "common/io/bytes.h"
#include "common/io/isolated.h"

namespace firn {

namespace {

constexpr std::uint64_t mostColorPixels = static_cast<std::uint64_t>(1) << 26;

Rgb8Image decode(const EncodedPicture& picture)
{
    const auto bytes = std::as_bytes(std::span(picture.bytes));
    if (picture.bytes.starts_with(pngSignature)) return decodeOpaquePng(bytes, picture.name, mostColorPixels);
    if (picture.bytes.starts_with(jpegSignature)) return decodeJpeg(bytes, picture.name, mostColorPixels);
    throw Error(ExitCode::File, picture.name + ": expected a PNG or JPEG");
}

}  // namespace

Rgb8Image decodePicture(const EncodedPicture& picture)
{
    ByteReader in(runIsolated(picture.name, [&] {
        const Rgb8Image image = decode(picture);
        ByteWriter out;
        out.put(image.width);
        out.put(image.height);
        out.put(image.pixels);
        return out.take();
    }));
    Rgb8Image image;
    in.get(image.width);
    in.get(image.height);
    in.get(image.pixels);
    const bool isWhole = image.width > 0 && image.height > 0 &&
                         image.pixels.size() == static_cast<std::size_t>(3) * static_cast<std::size_t>(image.width) *
                                                    static_cast<std::size_t>(image.height);
    if (!isWhole) throw Error(ExitCode::File, picture.name + ": the picture is damaged");
    return image;
}

}  // namespace firn

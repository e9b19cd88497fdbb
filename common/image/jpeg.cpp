#include "common/image/jpeg.h"

#include <array>
#include <csetjmp>
#include <cstdio>
// jpeglib.h needs the types of cstdio.
#include <jpeglib.h>

#include "common/error.h"

namespace firn {

namespace {

/// libjpeg's handler of errors, which jumps back. Its warnings are about damage that it passes over: they count as
/// errors.
struct JpegErrors {
    jpeg_error_mgr manager;  // first: libjpeg knows the address of this object as that of the manager
    std::jmp_buf back;
    std::array<char, JMSG_LENGTH_MAX> message;

    static void fail(j_common_ptr info)
    {
        auto& errors = *reinterpret_cast<JpegErrors*>(info->err);
        errors.manager.format_message(info, errors.message.data());
        std::longjmp(errors.back, 1);
    }
    static void warn(j_common_ptr info, int level)
    {
        if (level < 0) fail(info);
    }
};

/// Frees what libjpeg has.
struct JpegInput {
    jpeg_decompress_struct info{};
    JpegErrors errors{};

    JpegInput()
    {
        info.err = jpeg_std_error(&errors.manager);
        errors.manager.error_exit = JpegErrors::fail;
        errors.manager.emit_message = JpegErrors::warn;
    }
    ~JpegInput() { jpeg_destroy_decompress(&info); }
    JpegInput(const JpegInput&) = delete;
    JpegInput& operator=(const JpegInput&) = delete;
};

/// Reads the header; false where libjpeg jumped out of an error. No object with a destructor may live in this function.
bool begin(JpegInput& input, std::span<const std::byte> bytes)
{
    if (setjmp(input.errors.back)) return false;
    jpeg_create_decompress(&input.info);
    jpeg_mem_src(&input.info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&input.info, TRUE);
    return true;
}

/// Reads the rows after the header, in the same way.
bool readRows(JpegInput& input, Rgb8Image& image)
{
    if (setjmp(input.errors.back)) return false;
    input.info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&input.info);
    while (input.info.output_scanline < input.info.output_height) {
        JSAMPROW row = &image.pixels[static_cast<std::size_t>(3) * input.info.output_scanline *
                                     static_cast<std::size_t>(image.width)];
        jpeg_read_scanlines(&input.info, &row, 1);
    }
    jpeg_finish_decompress(&input.info);
    return true;
}

}  // namespace

Rgb8Image decodeJpeg(std::span<const std::byte> bytes, const std::string& name, std::uint64_t mostPixels)
{
    JpegInput input;
    const auto fail = [&] {
        throw Error(ExitCode::File, name + ": not a readable JPEG: " + clampText(input.errors.message.data()));
    };
    if (!begin(input, bytes)) fail();
    const std::uint64_t width = input.info.image_width, height = input.info.image_height;
    if (width * height > mostPixels)
        throw Error(ExitCode::File, name + ": " + std::to_string(width) + " x " + std::to_string(height) +
                                        " pixels; at most " + std::to_string(mostPixels) + " are read");
    if (input.info.num_components != 1 && input.info.num_components != 3)
        throw Error(ExitCode::File, name + ": it has " + std::to_string(input.info.num_components) +
                                        " channels; expected grey, or red, green and blue");
    Rgb8Image image{static_cast<int>(width), static_cast<int>(height), {}};
    image.pixels.resize(3 * width * height);
    if (!readRows(input, image)) fail();
    return image;
}

}  // namespace firn

#pragma once
// Colour pictures of other programs, as their files have them.

#include <string>

#include "common/image/png.h"

namespace firn {

struct EncodedPicture {
    std::string name;   // for messages, such as "man.glb: picture 'skin.jpg'"
    std::string bytes;  // of a PNG or JPEG file
};

/// Decodes a PNG or JPEG in a process of its own. Alpha is left out. Throws Error(File) for anything else, for a
/// damaged picture, and for one of more than 2^26 pixels (8192 x 8192).
Rgb8Image decodePicture(const EncodedPicture& picture);

}  // namespace firn

#pragma once

namespace firn {

/// Pixels [x, x + width) x [y, y + height) of the whole picture.
struct PixelWindow {
    int x = 0, y = 0;
    int width = 0, height = 0;

    bool operator==(const PixelWindow&) const = default;
};

}  // namespace firn

#pragma once
// Quick pictures of a cache's frames: mass per column, from the side or, where snow lies flat, from above. No light, no
// scene.

#include "common/cache/particle_frame.h"
#include "common/image/png.h"

namespace firn {

/// Where the snow of some frames is, but for the outermost 0.5 % of each frame's particles at each end of each axis.
struct SnowBounds {
    Box3d box;        // m
    double dx_m = 0;  // largest

    void extend(const ParticleFrame& frame);
};

/// What previews to be compared share: the axes of the picture and the part of space that it shows.
struct PreviewWindow {
    int across = 0, up = 1;        // axes
    Vec3d min = Vec3d::Zero();     // m
    double metresPerPixel = 0.01;  // both ways
    int width = 1, height = 1;     // pixels
    double reference = 0;          // kg per pixel that shows as two thirds of white
};

/// Holds the bounds; at most 320 x 200 pixels.
PreviewWindow previewWindow(const SnowBounds& bounds);

/// The median over the pixels that show any, kg; 0 where none does. Fit for PreviewWindow::reference.
double middleColumnMass(const ParticleFrame& frame, const PreviewWindow& window);

Rgb8Image densityPreview(const ParticleFrame& frame, const PreviewWindow& window);

}  // namespace firn

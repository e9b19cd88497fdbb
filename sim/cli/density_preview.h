#pragma once
// Quick pictures of the frames of a cache: the mass per column, seen from the side or, if the snow lies flat, from
// above. They need neither light nor scene.

#include "common/cache/particle_frame.h"
#include "common/image/png.h"

namespace firn {

/// Where the snow of some frames is, without the outermost 0.5 % of each frame's particles at each end of each axis.
struct SnowBounds {
    Box3d box;        // m
    double dx_m = 0;  // largest

    void extend(const ParticleFrame& frame);
};

/// The axes of a preview and the part of space that it shows. Previews that are compared use the same window.
struct PreviewWindow {
    int across = 0, up = 1;          // axes
    Vec3d min = Vec3d::Zero();       // m
    double metres_per_pixel = 0.01;  // in both directions
    int width = 1, height = 1;       // pixels
    double reference = 0;            // kg per pixel that is shown as two thirds of white
};

/// A window that contains the bounds; at most 320 x 200 pixels.
PreviewWindow previewWindow(const SnowBounds& bounds);

/// The median mass of the pixels that show any, kg; 0 if there is none. Suitable as PreviewWindow::reference.
double middleColumnMass(const ParticleFrame& frame, const PreviewWindow& window);

Rgb8Image densityPreview(const ParticleFrame& frame, const PreviewWindow& window);

}  // namespace firn

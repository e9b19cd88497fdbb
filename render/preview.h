#pragma once
// Cleaning the noise from previews: non-local means that knows each pixel's standard error (Rousselle, Knaus and
// Zwicker 2012, "Adaptive Rendering with Non-Local Means Filtering"), held back at edges of normals, albedo and depth.
// What differs by no more than its noise is averaged. Only PNG previews are cleaned; EXR layers stay as they were
// traced.

#include "common/image/image.h"

namespace firn {

struct PreviewSettings {
    int radius = 7;              // pixels averaged lie within this distance along x and y
    double strength = 0.7;       // k of the paper: tolerance for differences, in standard errors
    double normal_scale = 0.35;  // differences at which weights have fallen to exp(-1)
    double albedo_scale = 0.05;
    double depth_scale = 0.05;  // relative
};

/// A copy with R, G, B cleaned and only those; as they were where there is no estimate of noise (one sample per pixel).
/// Needs the layers of Film::image. The same image gives the same bits for any number of threads.
Image cleanPreview(const Image& image, const PreviewSettings& settings = {});

}  // namespace firn

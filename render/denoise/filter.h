#pragma once
// Removes noise without a network: a non-local means filter that uses the standard error of each pixel (Rousselle,
// Knaus and Zwicker 2012, "Adaptive Rendering with Non-Local Means Filtering") and keeps edges of normals, albedo and
// depth. It averages pixels whose difference is within their noise.

#include "common/image/image.h"

namespace firn {

struct PreviewSettings {
    int radius = 7;              // averages over pixels within this distance along x and y
    double strength = 0.7;       // k of the paper: tolerated difference, in standard errors
    double normal_scale = 0.35;  // differences at which weights have fallen to exp(-1)
    double albedo_scale = 0.05;
    double depth_scale = 0.05;  // relative
};

/// The channels R, G and B, filtered. With one sample per pixel there is no estimate of noise, and they stay as they
/// are. Needs the layers of Film::image. The same image gives the same bits for any number of threads.
Image cleanPreview(const Image& image, const PreviewSettings& settings = {});

}  // namespace firn

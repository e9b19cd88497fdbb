#pragma once
// Values from 0 to 1 as colours from black over purple and orange to pale yellow, lighter for greater values.

#include "common/compare/convolution.h"
#include "common/image/png.h"

namespace firn {

Rgb8Image heatMap(const PixelPlane& values);

}  // namespace firn

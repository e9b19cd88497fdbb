#pragma once
// A comparison as JSON, for scripts. Numbers that are not finite (the PSNR of the same images) are null.

#include <nlohmann/json_fwd.hpp>

#include "common/compare/comparison.h"

namespace firn {

nlohmann::ordered_json comparisonJson(const Comparison& comparison);

}  // namespace firn

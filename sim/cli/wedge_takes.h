#pragma once
// The takes of a wedge from the options --vary.

#include <string>
#include <vector>

#include "common/cache/wedge.h"

namespace firn {

/// Every combination of the values in texts such as "solver.dx=0.02,0.01"; the last text varies fastest. Commas within
/// brackets and quotes do not separate values. Names consist of the last part of each key (of whole keys, if two end in
/// the same part) and the value: "dx-0.02_hardening-5". Throws Error(Usage) for text that is not a key with values, a
/// key that is given twice, and more than 10000 combinations.
std::vector<Take> combinations(const std::vector<std::string>& variations);

}  // namespace firn

#pragma once
// The takes of a wedge from what the command line says.

#include <string>
#include <vector>

#include "common/cache/wedge.h"

namespace firn {

/// Every combination of "solver.dx=0.02,0.01" and the like, the last varying fastest; commas within brackets and quotes
/// part nothing. Names are made of the last parts of the keys, where these differ, and of the values:
/// "dx-0.02_hardening-5". Throws Error(Usage) for text that is no key with values, a key given twice, and more than
/// 10000 combinations.
std::vector<WedgeTake> combinations(const std::vector<std::string>& variations);

}  // namespace firn

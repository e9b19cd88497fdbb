#pragma once
// Finds the known name that is nearest to a misspelt one.

#include <string>
#include <string_view>
#include <vector>

namespace firn {

/// The number of letters that must be inserted, deleted, replaced or swapped with a neighbour to turn `a` into `b`
/// (optimal string alignment). Ignores case.
int editDistance(std::string_view a, std::string_view b);

/// "; did you mean 'x'?", where x is the nearest of `known`. `found` may lack the unit of a key ('rotation' for
/// 'rotation_deg'), or be another package's name of a joint ('rHand' for 'RightHand'). If none is near: "; known names
/// are 'x', 'y', …", at most 30. "" if `known` is empty.
std::string didYouMean(std::string_view found, const std::vector<std::string_view>& known);

}  // namespace firn

#pragma once
// The nearest known name to a misspelt one.

#include <string>
#include <string_view>
#include <vector>

namespace firn {

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour to make `b` of `a`
/// (optimal string alignment), ignoring case.
int editDistance(std::string_view a, std::string_view b);

/// "; did you mean 'x'?" for the nearest of `known`, or, where none is near, "; known are 'x', 'y', …" with at most 30.
std::string didYouMean(std::string_view found, const std::vector<std::string_view>& known);

}  // namespace firn

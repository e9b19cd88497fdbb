#pragma once

#include <string>

namespace firn {

/// The abbreviated commit of the sources that the program was built from; "" if they were not in a Git repository.
std::string commitOfSources();

}  // namespace firn

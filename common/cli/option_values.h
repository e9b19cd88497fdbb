#pragma once
// The values of options: what may stand on a command line, and what the help calls it.

#include <string>
#include <vector>

#include "common/cli/command.h"

namespace firn {

/// "a, b or c" with "or" as the last word.
std::string listText(const std::vector<std::string>& words, const std::string& last);

/// What the help calls the value of an option; "" for the name that the parser has.
std::string valueName(const Option& option);

/// Throws Error(Usage) for a value that is missing or that the option does not allow.
void checkValue(const Option& option, const std::string& text);

}  // namespace firn

#pragma once

#include <string>

namespace firn {

/// Text that a file of another program gives, such as the name of a material or clip. It may hold any character; names
/// that the scene itself gives may not.
struct FreeText : std::string {
    using std::string::string;
    using std::string::operator=;
};

}  // namespace firn

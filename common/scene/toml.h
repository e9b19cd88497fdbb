#pragma once
// Includes toml++; include it through this header only. On some damaged text, such as "[=", an assertion of version 3.3
// fails, which ends the program (or, with NDEBUG, is undefined behaviour). With this header it throws instead, in every
// kind of build.

namespace firn {

/// A failed assertion of toml++.
struct TomlFault {};

constexpr void requireToml(bool holds)
{
    if (!holds) throw TomlFault();
}

}  // namespace firn

#define TOML_HEADER_ONLY 0  // toml.cpp compiles its functions
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ::firn::requireToml(static_cast<bool>(expr))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

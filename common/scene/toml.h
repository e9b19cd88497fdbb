#pragma once
// toml++, to be included through this header only. Version 3.3 meets some damaged text, such as "[=", with an assertion
// that ends the program (or, with NDEBUG, with undefined behaviour); here that throws instead, in every kind of build.

namespace firn {

struct TomlFault {};

constexpr void requireToml(bool holds)
{
    if (!holds) throw TomlFault();
}

}  // namespace firn

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ::firn::requireToml(static_cast<bool>(expr))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

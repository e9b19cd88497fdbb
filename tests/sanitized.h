#pragma once
// FIRN_ADDRESS_SANITIZER is defined in code that AddressSanitizer instruments. GCC and clang tell it in different ways.

#ifdef __SANITIZE_ADDRESS__
#define FIRN_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIRN_ADDRESS_SANITIZER
#endif
#endif

namespace firn {

/// Processor seconds within which a program refuses bad input. Instrumented code is slower.
#ifdef FIRN_ADDRESS_SANITIZER
inline constexpr double quick_s = 10;
#else
inline constexpr double quick_s = 1;
#endif

}  // namespace firn

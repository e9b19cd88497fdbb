#pragma once
// The vector instructions that the program was compiled for.

namespace firn {

/// Results have the same bits on all machines with the same instruction set.
#if defined(__AVX512F__)
inline constexpr const char* instructionSet = "AVX-512";
#else
inline constexpr const char* instructionSet = "AVX2";
#endif

}  // namespace firn

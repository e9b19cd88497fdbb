#pragma once
// The bits from which both programs make their random numbers: by place or by path, never by order.

#include <cstdint>

namespace firn {

constexpr std::uint64_t goldenStep = 0x9e3779b97f4a7c15ull;  // 2^64 / golden ratio, odd

/// A bijection of 64-bit words in which every input bit changes about half of the output bits (the finaliser of
/// SplitMix64, Steele et al. 2014).
template <class Word = std::uint64_t>  // or a vector of words
Word mixBits(Word x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

}  // namespace firn

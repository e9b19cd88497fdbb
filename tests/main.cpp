#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "tests/sanitized.h"

#ifdef FIRN_ADDRESS_SANITIZER
// AddressSanitizer ends the process where an allocation fails. A damaged file can ask for any size; the readers under
// test then expect std::bad_alloc.
#include <cstdlib>
#include <new>

void* operator new[](std::size_t size)
{
    constexpr std::size_t most = std::size_t{1} << 36;
    void* const memory = size < most ? std::malloc(size) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }

void operator delete[](void* memory) noexcept { std::free(memory); }

void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
#endif

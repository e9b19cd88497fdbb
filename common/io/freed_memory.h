#pragma once
// Returns freed memory to the system, so that the next phase of a run can use what the last one has freed.

namespace firn {

/// From now on each block of 1 MB or more is a mapping of its own, which is unmapped when it is freed. By default the C
/// library keeps freed blocks of up to 32 MB for later blocks of their size; a program with few long arrays rarely
/// needs the same size again.
void returnLargeBlocks();

/// Returns the free small blocks. Takes milliseconds.
void returnFreedBlocks();

}  // namespace firn

#pragma once
// Freed memory goes back to the system, so that what one phase of a run has freed is there for the next.

namespace firn {

/// From now on large blocks are mapped on their own and unmapped when freed. By default the C library keeps blocks of
/// up to 32 MB for later ones of their size, which a program that works on few long arrays never asks for.
void returnLargeBlocks();

/// Gives back the small blocks that are free. Takes milliseconds.
void returnFreedBlocks();

}  // namespace firn

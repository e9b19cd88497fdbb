#include "common/io/freed_memory.h"

#include <malloc.h>

namespace firn {

void returnLargeBlocks() { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

void returnFreedBlocks() { malloc_trim(0); }

}  // namespace firn

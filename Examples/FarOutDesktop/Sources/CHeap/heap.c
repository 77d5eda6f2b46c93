#include "heap.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

// Decoders work on several threads, and each would leave holes in a heap of its own; see mallopt(3).
void return_pixels(void) {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
}
#else
void return_pixels(void) {}
#endif

#include "heap.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

void trim_heap(void) { malloc_trim(0); }
#else
void trim_heap(void) {}
#endif

#ifndef EXPLORED_CTHREADS_H
#define EXPLORED_CTHREADS_H

// The product's header, but for who runs: here, that is a fiber.

#define cthreads_current cthreads_current_of_the_system
#include "../Product/include/CThreads.h"
#undef cthreads_current

#include "../../CFibers/include/CFibers.h"

/// A number that no other fiber has. Never zero, and its lowest bit is never set.
static inline uintptr_t cthreads_current(void) { return (uintptr_t)(cfibers_running + 2) << 1; }

#endif

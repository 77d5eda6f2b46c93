#ifndef EXPLORED_CTHREADS_H
#define EXPLORED_CTHREADS_H

// The product's header, but for what fibers do differently: which of them runs, and how they sleep.

#define cthreads_current cthreads_current_of_the_system
#define cthreads_wait cthreads_wait_of_the_system
#define cthreads_wake cthreads_wake_of_the_system
#include "../Product/include/CThreads.h"
#undef cthreads_current
#undef cthreads_wait
#undef cthreads_wake

#include "../../CFibers/include/CFibers.h"

/// A number that no other fiber has. Never zero or two, and its lowest bit is never set.
static inline uintptr_t cthreads_current(void) { return (uintptr_t)(cfibers_running + 3) << 1; }

static inline void cthreads_wait(void *address, uint32_t value) { cfibers_sleep(address, value); }
static inline void cthreads_wake(void *address) { cfibers_wake(address); }

#endif

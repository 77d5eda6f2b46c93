#ifndef CFIBERS_H
#define CFIBERS_H

// Stacks of their own on one thread, and the way from one to another.

#include <stddef.h>
#include <stdint.h>

typedef void (*cfibers_entry)(uintptr_t argument);

/// Who runs: the number of a fiber, or -1 when none does.
extern intptr_t cfibers_running;
void cfibers_run(intptr_t number);

/// Reserves a stack that cannot overflow into anything. Its upper end, or null.
void *cfibers_make_stack(size_t bytes);

/// Prepares a stack so that the first switch to it calls `entry(argument)`, which never returns.
/// What to switch to.
void *cfibers_prepare(void *stack_end, cfibers_entry entry, uintptr_t argument);

/// Leaves this stack, noting down in `from` where, and goes on at `to`.
void cfibers_switch(void **from, void *to);

#endif

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

/// What Swift's concurrency runtime keeps for each thread, which must be kept for each fiber: at most so many bytes.
#define CFIBERS_TASK_BYTES 64

/// Finds it. False where that is not known how, or tasks have not been used yet.
int cfibers_find_tasks(void);

/// Exchanges what the runtime keeps with what is in `place`, which is zeros at first.
void cfibers_exchange_tasks(void *place);

/// Sleeps while the atomic at `address` is `value`, and wakes one fiber that does, by what was set before.
void cfibers_sleep(void *address, uint32_t value);
void cfibers_wake(void *address);
void cfibers_set_sleep(void (*sleep)(void *address, uint32_t value), void (*wake)(void *address));

#endif

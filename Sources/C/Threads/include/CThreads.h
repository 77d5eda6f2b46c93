#ifndef CTHREADS_H
#define CTHREADS_H

// What `Streams` needs of the platform and Swift does not offer, such as the identity of the calling thread, and waiting on a
// word in memory. The one place of that module that knows the operating system.

#include <signal.h>
#include <stdint.h>
#include <stddef.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
extern int __ulock_wait(uint32_t operation, void *address, uint64_t value, uint32_t timeout);
extern int __ulock_wake(uint32_t operation, void *address, uint64_t value);
#elif defined(_WIN32)
#include <windows.h>
#pragma comment(lib, "synchronization")
#else
#include <pthread.h>
#include <sched.h>
#endif

/// A number that no other living thread has. Never zero or two, and its lowest bit is never set.
///
/// Always inline: it is one instruction on the path of each value, and the optimiser would sometimes call it.
#if defined(__GNUC__) || defined(__clang__)
__attribute__((always_inline))
#endif
static inline uintptr_t cthreads_current(void) {
#if defined(__linux__)
  return (uintptr_t)__builtin_thread_pointer();
#elif defined(_WIN32)
  return (uintptr_t)GetCurrentThreadId() << 1;
#else
  return (uintptr_t)pthread_self();
#endif
}

/// Memory for any type that asks for no more than `max_align_t` does; aborts without. Swift's own way costs twice as much on
/// Linux.
/// Not inline: the optimiser would see `malloc` and a zero stored there, and call `calloc`, which takes the long way.
void *cthreads_allocate(size_t size);
void cthreads_free(void *place);

/// Does nothing, in no instruction. Swift's optimizer cannot look into it: it must assume that this writes to memory and
/// releases objects. No load, retain or release moves across it.
static inline void cthreads_opaque(void) {
#if defined(__GNUC__) || defined(__clang__)
  __asm__ volatile("" ::: "memory");
#endif
}

/// Stops in the debugger. Without one, the process ends.
static inline void cthreads_trap(void) {
#if defined(_WIN32)
  DebugBreak();
#else
  struct sigaction before, after;
  sigaction(SIGTRAP, NULL, &before);
  raise(SIGTRAP);
  // The handler of Swift's backtracer prints, restores the default and returns. A debugger changes nothing.
  sigaction(SIGTRAP, NULL, &after);
  if (before.sa_handler != SIG_DFL && after.sa_handler == SIG_DFL) raise(SIGTRAP);
#endif
}

/// The system's `sleep`.
uint32_t cthreads_rest(uint32_t seconds);

/// Writes a line to standard error.
void cthreads_report(const char *line);

/// Sleeps while `*address == value`; may return early for no reason.
static inline void cthreads_wait(void *address, uint32_t value) {
#if defined(__linux__)
  syscall(SYS_futex, address, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
#elif defined(__APPLE__)
  __ulock_wait(1, address, value, 0);
#elif defined(_WIN32)
  WaitOnAddress(address, &value, sizeof value, INFINITE);
#else
  sched_yield();
#endif
}

/// Wakes one thread that sleeps on `address`.
static inline void cthreads_wake(void *address) {
#if defined(__linux__)
  syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#elif defined(__APPLE__)
  __ulock_wake(1, address, 0);
#elif defined(_WIN32)
  WakeByAddressSingle(address);
#endif
}

/// Sleeps while `*address == value`, for so many nanoseconds at most; may return early for no reason.
void cthreads_wait_briefly(void *address, uint32_t value, uint64_t nanoseconds);

/// Wakes all threads that sleep on `address`.
void cthreads_wake_all(void *address);

/// The nanoseconds of a clock that never goes back. Never zero.
uint64_t cthreads_nanoseconds(void);

/// Starts a thread that calls `body(argument)`. False if there is none to be had.
unsigned char cthreads_start(void (*body)(void *argument), void *argument);

/// How many releases the calling thread has begun inside another release. Changes it by `change`.
intptr_t cthreads_letting_go(intptr_t change);

/// The objects that wait to be released by the calling thread. Takes it, and leaves `other` in its place.
void *cthreads_swap_waiting(void *other);

/// The main thread; zero if it is not known.
extern uintptr_t cthreads_main;

/// Whether the main thread has given up the main queue, on Linux. Then no run loop of its will ever run again.
unsigned char cthreads_main_has_exited(void);

/// Whether the calling thread does the work of Dispatch's main queue, or of a queue whose work that queue does.
unsigned char cthreads_serves_main_queue(void);

/// Whether the calling thread may do the main actor's work. The main thread always may. On Linux it gives up the main queue to
/// any thread with `dispatchMain()`, as an asynchronous `main` does, and is never heard of again.
static inline unsigned char cthreads_is_on_main_actor(void) {
  return cthreads_current() == cthreads_main || cthreads_serves_main_queue();
}

/// Read at every subscription: whether an introspection is active. Here because Swift would call a function to find a global.
extern unsigned char cthreads_onlookers;

static inline unsigned char cthreads_has_onlookers(void) {
  return __atomic_load_n(&cthreads_onlookers, __ATOMIC_RELAXED);
}

static inline void cthreads_set_onlookers(unsigned char are_there) {
  __atomic_store_n(&cthreads_onlookers, are_there, __ATOMIC_RELAXED);
}

/// Read where a value is dropped: whether anything reports that.
extern unsigned char cthreads_drops;

static inline unsigned char cthreads_reports_drops(void) {
  return __atomic_load_n(&cthreads_drops, __ATOMIC_RELAXED);
}

static inline void cthreads_set_reports_drops(unsigned char value) {
  __atomic_store_n(&cthreads_drops, value, __ATOMIC_RELAXED);
}

/// A short number of the calling thread, in the order in which threads first ask. The main thread has number 1.
uint32_t cthreads_number(void);

/// The label of the Dispatch queue whose work the calling thread does, or a text without characters.
const char *cthreads_queue_label(void);

/// The number of the subscription that the calling thread is making; zero for none. Leaves `other` in its place.
uintptr_t cthreads_swap_subscribing(uintptr_t other);

#endif

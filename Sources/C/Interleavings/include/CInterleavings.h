#ifndef CINTERLEAVINGS_H
#define CINTERLEAVINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many threads and tasks a schedule can have. Vector clocks have an entry for each.
#define INTERLEAVINGS_THREADS 32
/// How many callers of a step are kept.
#define INTERLEAVINGS_CALLERS 24
/// How many memory orders can be numbered.
#define INTERLEAVINGS_ORDERS 1024

/// How far a search goes.
typedef struct {
  /// How often a thread that could go on is interrupted at most.
  uint32_t preemptions;
  /// How often an access takes an older value than the newest at most.
  uint32_t stale;
  /// How many of both there are together at most.
  uint32_t both;
  /// How many steps a schedule has at most.
  uint32_t steps;
} interleavings_bounds;

typedef enum {
  INTERLEAVINGS_NONE = 0,
  INTERLEAVINGS_RACE,
  INTERLEAVINGS_DEADLOCK,
  INTERLEAVINGS_ENDLESS,
  INTERLEAVINGS_TRAP,
  INTERLEAVINGS_USE_AFTER_FREE,
  INTERLEAVINGS_ESCAPE,
  INTERLEAVINGS_UNSTABLE,
  INTERLEAVINGS_TOO_LARGE,
  INTERLEAVINGS_RULE,
} interleavings_failure;

typedef enum {
  INTERLEAVINGS_LOAD = 0,
  INTERLEAVINGS_STORE,
  INTERLEAVINGS_UPDATE,
  INTERLEAVINGS_EXCHANGED,
  INTERLEAVINGS_NOT_EXCHANGED,
  INTERLEAVINGS_FENCE,
  INTERLEAVINGS_READ,
  INTERLEAVINGS_WRITE,
  INTERLEAVINGS_FREE,
  INTERLEAVINGS_LOCK,
  INTERLEAVINGS_UNLOCK,
  INTERLEAVINGS_WAIT,
  INTERLEAVINGS_SLEEP,
  INTERLEAVINGS_WAKE,
  INTERLEAVINGS_CANCEL,
  INTERLEAVINGS_ENQUEUE,
  INTERLEAVINGS_BEGIN,
  INTERLEAVINGS_END,
} interleavings_kind;

/// A step of a schedule, as it is recorded while the schedule is replayed.
typedef struct {
  int32_t thread;
  interleavings_kind kind;
  uintptr_t address;
  uint64_t old_value, new_value;
  /// Whether the value that was read is older than the newest.
  bool is_stale;
  uint8_t size;
  uintptr_t callers[INTERLEAVINGS_CALLERS];
} interleavings_event;

/// Waits until no other search runs in this process, and begins one. Returns why that is not possible, or `NULL`.
const char *interleavings_open(void);
void interleavings_close(void);

/// The next schedules are all of those within the bounds.
void interleavings_search(interleavings_bounds bounds);
/// The next schedule makes these choices.
void interleavings_replay(interleavings_bounds bounds, const uint8_t *choices, size_t count);
/// The next schedule is drawn by lot: each choice, or, with `events` that are not zero, priorities of threads that change
/// `events - 1` times within `expected` steps. Without bounds.
void interleavings_draw(uint64_t seed, int events, uint32_t expected);
/// The choices of the schedule that ran last.
size_t interleavings_choices(const uint8_t **choices);
/// Turns to the next schedule. False if there is none within the bounds.
bool interleavings_advance(void);

/// To be called before a schedule's objects are made.
void interleavings_prepare(bool records);
/// While it is on, jobs of Swift's runtime that the calling thread enqueues belong to the schedule.
void interleavings_capture(bool on);
/// Adds a thread. Returns its number, or -1 if there are too many.
int interleavings_add(void (*body)(void *), void *context);
/// How many threads and tasks there are by now.
int interleavings_thread_count(void);
/// Runs the threads and tasks to their ends, or until one of them fails.
void interleavings_run(void);

// For what observes the code under test, on its threads.

/// The running thread, or -1 if none of the schedule runs.
int interleavings_running(void);
/// What the running thread does is not seen, until the same is called with -1.
void interleavings_ignore(int change);
/// Another thread may go on here. `object` is anything that tells what the two have in common.
void interleavings_point(const void *object);
/// Ends the schedule with `message`, which must outlive it.
void interleavings_fail(const char *message);
/// The number of the running thread's step, which begins another one.
uint16_t interleavings_step(void);
/// Whether a step of a thread happens before what the running thread does.
bool interleavings_knows(int thread, uint16_t step);
/// How many values of the running schedule were not the newest.
uint32_t interleavings_stale(void);

/// How many steps the running schedule has had.
uint32_t interleavings_steps(void);

// For stand-ins of what blocks, orders or starts threads. Objects and locks are numbers other than zero, which only these
// functions see.

/// Variables of the program that no object owns are no concern of the search: it accesses them as they are.
void interleavings_exempt_statics(void);
/// What is accessed in a `deinit` is checked.
void interleavings_check_deinits(void);
/// What the runtime of tasks does is no step.
void interleavings_exempt_tasks(void);
/// What functions of this module of Swift access or allocate for themselves is not checked. The name must outlive all searches.
void interleavings_ignore_module(const char *name);
/// The thread of this number serves the others. It ends once they have, and `interleavings_is_over` says so.
void interleavings_serve(int number);
bool interleavings_is_over(void);
/// The running thread accesses `object`; before it does, another one may go on.
void interleavings_reach(uintptr_t object, bool is_write);
/// The running thread has accessed `object`, at a moment when no other could go on.
void interleavings_touch(uintptr_t object);
/// A plain access of eight bytes at `address`, which need not be memory.
void interleavings_access(uintptr_t address, bool is_write);
/// Waits until `condition` holds, which is about `object`. It orders nothing.
void interleavings_wait(uintptr_t object, bool (*condition)(void *), void *context);
/// What the running thread has done so far, to be joined by another one.
void interleavings_publish(uint16_t clock[INTERLEAVINGS_THREADS]);
void interleavings_join(const uint16_t clock[INTERLEAVINGS_THREADS]);
/// Whether what `clock` was published after happens before what the running thread does.
bool interleavings_includes(const uint16_t clock[INTERLEAVINGS_THREADS]);
/// Takes a lock. Another thread may go on before, if that `is_step`, or if one holds it.
void interleavings_lock(uintptr_t lock, bool is_step);
void interleavings_unlock(uintptr_t lock);
/// How many locks the running thread holds.
int interleavings_held(void);

// For memory orders that are weakened on purpose, to show that each is needed. They are found by the address to which the
// call of an atomic access returns.

/// Where a call of an atomic access returns to, and which `__tsan_atomic…` it calls.
typedef struct { uintptr_t address; const char *function; } interleavings_call;
/// The calls in the program, as far as there is room for them. Returns how many.
size_t interleavings_atomic_calls(interleavings_call *calls, size_t capacity);
/// Numbers an order: that of a failed exchange, or else the one of an access. False if there are too many.
bool interleavings_number_order(uintptr_t caller, bool is_failure, int number);
/// Leaves of this order 1 if it acquires, 2 if it releases, both or nothing. None is weakened if the number is zero.
void interleavings_weaken(int number, int bits);
/// For each number, whether its acquisition (1) or its release (2) has ordered anything. May be cleared.
uint8_t *interleavings_effects(void);

/// What is wrong with the schedule that ran last.
interleavings_failure interleavings_result(void);
/// The two steps that race, or the one that failed and an empty one.
const interleavings_event *interleavings_culprits(void);
const char *interleavings_message(void);
/// The steps of the schedule that ran last, if it was recorded.
size_t interleavings_events(const interleavings_event **events);
/// Whether the last schedule differs from an earlier one only in the order of independent steps.
bool interleavings_was_redundant(void);

/// Whether the bounds have kept the search from anything. False if there is nothing beyond them.
bool interleavings_was_limited(void);

/// The places in the code from which accesses were seen since the search began.
size_t interleavings_sites(const uintptr_t **addresses);
/// The mangled name of the function at an address, or `NULL`.
const char *interleavings_function(uintptr_t address);

#endif

#ifndef CINTERLEAVINGS_H
#define CINTERLEAVINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many threads and tasks a schedule can have. Vector clocks have an entry for each.
#define INTERLEAVINGS_THREADS 32
/// How many callers of a step are kept.
#define INTERLEAVINGS_CALLERS 24

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

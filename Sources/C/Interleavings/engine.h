// What the parts of the engine know of each other.
#ifndef ENGINE_H
#define ENGINE_H

#include "include/CInterleavings.h"

#if defined(__linux__)
#include <features.h>
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
/// The functions that it stands in front of are those of glibc, its switch is written for one processor, and the functions
/// that the compiler calls must not be the sanitizer's.
#if defined(__GLIBC__) && defined(__x86_64__) && !defined(IS_SANITIZED)
#define IS_EXPLORABLE 1
#else
#define IS_EXPLORABLE 0
#endif

#include <string.h>

#define THREADS INTERLEAVINGS_THREADS

// MARK: Clocks

/// For each thread, how many of its steps happen before something.
typedef uint16_t vclock __attribute__((vector_size(THREADS * 2)));
typedef int16_t vclock_test __attribute__((vector_size(THREADS * 2)));

static inline void join(vclock *into, const vclock *other) {
  vclock_test greater = *other > *into;
  *into = (*other & (vclock)greater) | (*into & ~(vclock)greater);
}
/// Whether one of `steps`, a step for each thread, happens before `clock`.
static inline bool knows_any(const vclock *clock, const vclock *steps) {
  vclock_test test = *steps <= *clock;
  uint64_t words[THREADS / 4], all = 0;
  memcpy(words, &test, sizeof test);
  for (int i = 0; i < THREADS / 4; i++) all |= words[i];
  return all != 0;
}

// MARK: Memory

enum { ACQUIRES = 1, RELEASES = 2, SEQUENTIAL = 4 };

/// One store to an atomic.
typedef struct {
  unsigned __int128 value;
  /// What happens before a load of it that acquires.
  vclock clock;
  /// For each thread, the first of its steps at which it had seen this store.
  vclock seen;
  /// The store before it in modification order; -1 if there is none.
  int32_t older;
  /// Whether it is a read-modify-write: nothing comes between `older` and it.
  bool is_update;
  /// Whether a sequentially consistent access wrote or read it.
  bool is_sequential;
  /// The numbered order that released it, if one did.
  uint16_t order;
} store_t;

/// What is known of an address at which there is an atomic or a lock.
typedef struct {
  uintptr_t address;
  uint32_t schedule;
  int32_t newest;
  uint8_t size;
  /// Whether memory has a value that is none of the stores: somebody wrote it without an atomic access.
  bool is_unknown;
} place_t;

typedef unsigned __int128 word_t;

void memory_init(void);
void memory_clear(void);
place_t *memory_place(uintptr_t address, int size);
store_t *memory_store(int32_t number);
/// A clock that belongs to an address.
vclock *memory_sync(uintptr_t address);

word_t atomic_load(uintptr_t address, int size, int order);
void atomic_store(uintptr_t address, int size, word_t value, int order);
typedef word_t (*atomic_change)(word_t old, word_t operand);
word_t atomic_update(uintptr_t address, int size, atomic_change change, word_t operand, int order);
word_t atomic_exchange_if(uintptr_t address, int size, word_t expected, word_t desired, int order, int failure);
void atomic_fence(int order);
/// A plain access. `is_atomic` if an atomic access is noted down, which races only with plain ones.
void plain_access(uintptr_t address, size_t size, bool is_write, bool is_atomic);
/// The bytes are given back.
void memory_free(uintptr_t address, size_t size);

// MARK: Threads

typedef enum { FREE, WAITS_MUTEX, WAITS_OWNER, WAITS_WORD, WAITS_CHANGE, WAITS_CONDITION } wait_t;

enum {
  LOOKS = 8,
  /// How often a thread may look at a value in vain: at first, and once it has been decided that it does not wait.
  PATIENCE = 4,
  MUCH_PATIENCE = 1000,
};

typedef struct fiber fiber_t;

/// A thread or a task of the schedule.
typedef struct {
  void (*body)(void *);
  void *context;
  fiber_t *fiber;
  bool has_begun, is_done, is_preempted, is_disturbed;
  /// It belongs to the main queue, whose jobs run one after another.
  bool is_main;
  /// It serves the others, and ends after them.
  bool is_servant;
  uint32_t ticket;
  /// In code whose accesses the compiler says to ignore; where nobody may come between; and in a release of an object.
  int ignores, pauses, releases;
  /// What it is about to access.
  uintptr_t object;
  bool is_write;
  wait_t wait;
  uintptr_t wait_address;
  bool (*condition)(void *);
  void *condition_context;
  /// How many locks of `interleavings_lock` it holds.
  int held;
  /// Loads since it last did something: a loop of them waits for another thread.
  struct { uintptr_t address, caller; word_t value; uint32_t count; } looks[LOOKS];
  int look_count;
  /// How often it may look at the same value in vain before it waits for another thread to change that.
  uint32_t patience;
  /// How often it went on because nobody else could.
  int idle;
  vclock clock;
  /// What later relaxed stores release, and what earlier relaxed loads would have acquired: for fences.
  vclock released, acquirable;
} thread_t;

extern thread_t threads[THREADS];
extern int thread_count, current;
extern uint32_t schedule_number;
extern bool is_recording;

/// Notes down that the code at `hook_caller` was seen.
void note_site(void);
/// The running thread is about to access `object`: another one may go on before it does.
void reach(uintptr_t object, bool is_write);
void touch(uintptr_t object, bool is_write);
/// What happened here may concern everybody.
void touch_all(void);
/// Another thread may go on, whatever it does.
void point_of_runtime(void);
void wait_until(wait_t wait, uintptr_t address);
bool choose_preemption(void);
bool choose_stale(void);
int choose_option(int count);
int choose_any(int count);
void fail(interleavings_failure failure, const char *message);
/// Fails, and leaves everything as it lies.
void give_up(interleavings_failure failure, const char *message);
void enqueue(void (*body)(void *), void *context, bool is_main);
void record(interleavings_kind kind, uintptr_t address, int size, uint64_t old_value, uint64_t new_value, bool is_stale);
void describe(interleavings_event *event, interleavings_kind kind, uintptr_t address, int size);
void set_culprit(int index, const interleavings_event *event);
void race_with(int thread, interleavings_kind kind, uintptr_t caller, uintptr_t address, bool is_ordered);
static inline uint16_t step_of(int thread) { return threads[thread].clock[thread]; }
static inline void advance(int thread) {
  // The last number is that of a step which there never is.
  if (++threads[thread].clock[thread] == UINT16_MAX) give_up(INTERLEAVINGS_TOO_LARGE, "a thread has too many steps to be explored");
}
/// Which thread holds a lock of the system, and how often; 0 if none does.
typedef struct { uintptr_t address; uint32_t schedule; int owner, depth; } owner_t;
owner_t *owner_of(uintptr_t address);

// MARK: Lots

/// Whether the schedule is drawn by lot.
extern bool is_drawing;
int draw_among(int count);
int draw_thread(const int *candidates, int count, int running, uint32_t step);
bool draw_stale(uint32_t so_far);
int draw_option(int count);

// MARK: Fibers

/// A thread of the system whose stack and thread-local variables a thread of the schedule has. It sleeps itself.
struct fiber {
  void *stack_start, *stack_end;
  /// Where it goes on.
  void *resumption;
  void *thread_pointer;
  int tid;
  fiber_t *next;
};

fiber_t *fiber_take(void);
void fiber_give(fiber_t *fiber);
void fiber_begin(fiber_t *fiber, void (*entry)(void));
/// Leaves the running stack for another one.
void fiber_switch(void **from, void *to, void *thread_pointer);
void *fiber_thread_pointer(void);

// MARK: Hooks

/// Whether what this thread does is explored.
extern _Thread_local int is_explored;
/// Whether its jobs are.
extern _Thread_local int is_capturing;
/// Whether what it makes now belongs to a schedule that is about to run.
extern _Thread_local int is_preparing;
/// The caller of the hook that runs, and its frame.
extern uintptr_t hook_caller;
extern void *hook_frame;

/// Whether what is in variables of the program is no concern of the search.
extern bool exempts_statics;
/// What kind of object of the schedule an address belongs to.
typedef enum { NO_OBJECT, ANY_OBJECT, DEALLOCATED_OBJECT, IGNORED_OBJECT } object_kind;
object_kind object_at(uintptr_t address);
const char *hooks_install(void);
void hooks_begin_schedule(void);
void hooks_end_schedule(void);
void hooks_remove(void);
bool is_cache_of_metadata(uintptr_t address);
/// Whether it is in a variable of the program that no object owns.
bool is_static(uintptr_t address);

#endif

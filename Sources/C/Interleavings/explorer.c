#define _GNU_SOURCE
#include "engine.h"
#if IS_EXPLORABLE
#include <pthread.h>
#include <stdlib.h>

// Before each access to an atomic or a lock it decides which thread goes on, and at each load which store is read. What
// runs between two such points cannot be interrupted. It need not be: other memory is checked for data races by clocks,
// whatever the order in which it happens to be accessed.
//
// The search leaves out schedules that differ from another one only in the order of independent steps: a thread that was
// preempted before an access goes on only after another thread has accessed that object, and one of the two writes.
// Otherwise it could as well have been preempted later.

thread_t threads[THREADS];
int thread_count, current = -1;
uint32_t schedule_number;
bool is_recording;

static void *home, *home_pointer;
static interleavings_bounds bounds;
static uint32_t preemptions, stale, steps, tickets;
/// How many locks of `interleavings_lock` are held while no thread of the schedule runs.
static int held_outside;
static bool is_redundant, is_broken;
/// Whether all but the servants have ended.
static bool is_closing;
/// Whether the bounds have kept the search from anything.
static bool is_limited;
static interleavings_failure failure;
static const char *message;
static interleavings_event culprits[2];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

// MARK: Choices

enum { CHOICES = 1 << 17 };
static uint8_t picks[CHOICES], counts[CHOICES];
static size_t choice_count, position;
static bool is_replay;

void interleavings_search(interleavings_bounds within) {
  bounds = within;
  choice_count = position = 0;
  is_replay = is_drawing = false;
  is_limited = false;
}

void interleavings_replay(interleavings_bounds within, const uint8_t *choices, size_t count) {
  bounds = within;
  choice_count = count < CHOICES ? count : CHOICES;
  if (choices != picks) memcpy(picks, choices, choice_count);
  memset(counts, 0, choice_count);
  is_replay = true;
  is_drawing = false;
}

size_t interleavings_choices(const uint8_t **choices) {
  *choices = picks;
  return position;
}

bool interleavings_advance(void) {
  choice_count = position;
  while (choice_count > 0) {
    if (picks[choice_count - 1] + 1 < counts[choice_count - 1]) {
      picks[choice_count - 1]++;
      return true;
    }
    choice_count--;
  }
  return false;
}

static int pick_among(int count) {
  if (count == 1) return 0;
  if (position == CHOICES) {
    fail(INTERLEAVINGS_TOO_LARGE, "a schedule has too many choices to be explored");
    is_redundant = true;
    return 0;
  }
  if (position == choice_count) {
    picks[choice_count] = 0;
    counts[choice_count++] = (uint8_t)count;
  }
  if (counts[position] == 0) counts[position] = (uint8_t)count;
  if (counts[position] != count || picks[position] >= count) {
    fail(INTERLEAVINGS_UNSTABLE, is_replay
      ? "the code does not take these choices: it, or the search, has changed since they were written down"
      : "the code does not do the same each time: it depends on something besides its threads");
    is_redundant = true;
    return 0;
  }
  return picks[position++];
}

// MARK: Failures

void fail(interleavings_failure kind, const char *words) {
  if (failure != INTERLEAVINGS_NONE) return;
  failure = kind;
  message = words;
}

static void leave(int next);

void give_up(interleavings_failure kind, const char *words) {
  fail(kind, words);
  is_broken = true;
  if (current < 0) abort();
  leave(-1);
}

void race_with(int thread, interleavings_kind kind, uintptr_t caller, uintptr_t address, bool is_ordered) {
  describe(&culprits[1], INTERLEAVINGS_END, address, 8);
  culprits[0] = (interleavings_event){.thread = thread, .kind = kind, .address = address, .callers = {caller}};
  if (is_ordered) give_up(INTERLEAVINGS_USE_AFTER_FREE, "use after free");
  give_up(INTERLEAVINGS_RACE, "data race");
}

void set_culprit(int index, const interleavings_event *event) { culprits[index] = *event; }
interleavings_failure interleavings_result(void) { return failure; }
const interleavings_event *interleavings_culprits(void) { return culprits; }
const char *interleavings_message(void) { return message; }
bool interleavings_was_redundant(void) { return is_redundant; }
int interleavings_thread_count(void) { return thread_count; }

// MARK: What was seen

enum { SITES = 1 << 14 };
static uintptr_t site_table[SITES], sites[SITES / 2];
static size_t site_count;

void note_site(void) {
  size_t at = (hook_caller * 0x9E3779B97F4A7C15ull) >> 50;
  while (site_table[at] && site_table[at] != hook_caller) at = (at + 1) % SITES;
  if (site_table[at] || site_count == SITES / 2) return;
  site_table[at] = hook_caller;
  sites[site_count++] = hook_caller;
}

static void forget_sites(void) {
  memset(site_table, 0, sizeof site_table);
  site_count = 0;
}

size_t interleavings_sites(const uintptr_t **addresses) {
  *addresses = sites;
  return site_count;
}

// MARK: Events

enum { EVENTS = 1 << 15 };
static interleavings_event *events;
static size_t event_count;

size_t interleavings_events(const interleavings_event **first) {
  *first = events;
  return event_count;
}

void describe(interleavings_event *event, interleavings_kind kind, uintptr_t address, int size) {
  memset(event, 0, sizeof *event);
  event->thread = current;
  event->kind = kind;
  event->address = address;
  event->size = (uint8_t)size;
  event->callers[0] = hook_caller;
  if (current < 0 || !threads[current].fiber) return;
  // Each frame begins with the caller's, and where that goes on. Frames of async functions are marked by a bit.
  uintptr_t low = (uintptr_t)threads[current].fiber->stack_start, high = (uintptr_t)threads[current].fiber->stack_end;
  uintptr_t frame = (uintptr_t)hook_frame;
  for (int i = 1; i < INTERLEAVINGS_CALLERS; i++) {
    frame &= ~((uintptr_t)1 << 60);
    if (frame < low || frame + 16 > high || (frame & 7)) return;
    uintptr_t next = ((uintptr_t *)frame)[0], caller = ((uintptr_t *)frame)[1];
    if (caller == 0) return;
    event->callers[i] = caller;
    if ((next & ~((uintptr_t)1 << 60)) <= frame) return;
    frame = next;
  }
}

void record(interleavings_kind kind, uintptr_t address, int size, uint64_t old_value, uint64_t new_value, bool is_stale) {
  if (!is_recording || event_count == EVENTS || current < 0) return;
  interleavings_event *event = events + event_count++;
  describe(event, kind, address, size);
  event->old_value = old_value;
  event->new_value = new_value;
  event->is_stale = is_stale;
}

// MARK: Which thread goes on

static bool may_go_on(int number) {
  thread_t *thread = threads + number;
  if (thread->is_done) return false;
  switch (thread->wait) {
    case FREE: break;
    case WAITS_MUTEX:
      if (memory_store(memory_place(thread->wait_address, 4)->newest)->value != 0) return false;
      break;
    case WAITS_OWNER: {
      int owner = owner_of(thread->wait_address)->owner;
      if (owner != 0 && owner != number + 1) return false;
      break;
    }
    case WAITS_WORD: return false;
    case WAITS_CHANGE: {
      bool has_changed = false;
      for (int i = 0; i < thread->look_count && !has_changed; i++) {
        place_t *place = memory_place(thread->looks[i].address, 8);
        has_changed = memory_store(place->newest)->value != thread->looks[i].value;
      }
      if (!has_changed) return false;
      break;
    }
    case WAITS_CONDITION: {
      // It may access anything, and is not explored.
      int was = is_explored;
      is_explored = 0;
      bool holds = thread->condition(thread->condition_context);
      is_explored = was;
      if (!holds) return false;
      break;
    }
  }
  if (thread->is_main) {
    for (int i = 0; i < thread_count; i++) {
      if (threads[i].is_main && !threads[i].is_done && threads[i].ticket < thread->ticket) return false;
    }
  }
  return true;
}

static bool allows(uint32_t more_preemptions, uint32_t more_stale) {
  uint32_t p = preemptions + more_preemptions, s = stale + more_stale;
  if (p <= bounds.preemptions && s <= bounds.stale && p + s <= bounds.both) return true;
  is_limited = true;
  return false;
}

static int choose(void);

static int end_of_schedule(void) {
  // Who waits for a change by looking may look on, and give up.
  for (int i = 0; i < thread_count; i++) {
    if (threads[i].is_done || threads[i].wait != WAITS_CHANGE || threads[i].idle++ > 0) continue;
    threads[i].wait = FREE;
    threads[i].patience = MUCH_PATIENCE;
    return i;
  }
  bool are_servants = true;
  for (int i = 0; i < thread_count; i++) are_servants = are_servants && (threads[i].is_done || threads[i].is_servant);
  if (are_servants && !is_closing) {
    is_closing = true;
    return choose();
  }
  for (int i = 0; i < thread_count; i++) {
    if (!threads[i].is_done) {
      fail(INTERLEAVINGS_DEADLOCK, "deadlock");
      is_broken = true;
      break;
    }
  }
  return -1;
}

static int choose(void) {
  bool mine = current >= 0 && may_go_on(current);
  if (is_broken) return -1;
  if (mine && !is_drawing && (is_redundant || !allows(1, 0))) return current;
  int candidates[THREADS], found = 0, other = -1;
  if (mine) candidates[found++] = current;
  for (int i = 0; i < thread_count; i++) {
    if (i == current || !may_go_on(i)) continue;
    if (!is_drawing && threads[i].is_preempted && !threads[i].is_disturbed) {
      if (other < 0) other = i;
    } else {
      candidates[found++] = i;
    }
  }
  if (found == 0) {
    if (other < 0) return end_of_schedule();
    is_redundant = true;
    return other;
  }
  if (is_drawing) return draw_thread(candidates, found, current, steps);
  int next = candidates[is_redundant ? 0 : pick_among(found)];
  if (mine && next != current) {
    preemptions++;
    threads[current].is_preempted = true;
    threads[current].is_disturbed = false;
  }
  return next;
}

static void enter(void) {
  thread_t *me = threads + current;
  record(INTERLEAVINGS_BEGIN, 0, 0, 0, 0, false);
  // Jobs of the main queue are ordered.
  if (me->is_main) join(&me->clock, memory_sync((uintptr_t)&tickets));
  me->body(me->context);
  me = threads + current;
  hook_caller = 0;
  record(INTERLEAVINGS_END, 0, 0, 0, 0, false);
  if (me->is_main) join(memory_sync((uintptr_t)&tickets), &me->clock);
  me->is_done = true;
  me->object = 0;
  advance(current);
  leave(choose());
  abort();
}

/// Switches to the thread `next`, or home if there is none.
static void leave(int next) {
  static void *nowhere;
  void **from = current < 0 ? &home : threads[current].is_done ? &nowhere : &threads[current].fiber->resumption;
  current = next;
  if (next < 0) return fiber_switch(from, home, home_pointer);
  thread_t *to = threads + next;
  to->is_preempted = false;
  if (!to->has_begun) {
    to->has_begun = true;
    if (!to->fiber) {
      // No two threads of a schedule have one fiber: by its number, one could take what the other did for its own.
      int was = is_explored;
      is_explored = 0;
      to->fiber = fiber_take();
      is_explored = was;
    }
    fiber_begin(to->fiber, enter);
  }
  fiber_switch(from, to->fiber->resumption, to->fiber->thread_pointer);
}

static void go_on(void) {
  uintptr_t caller = hook_caller;
  void *frame = hook_frame;
  int next = choose();
  if (next != current) leave(next);
  hook_caller = caller;
  hook_frame = frame;
}

void reach(uintptr_t object, bool is_write) {
  thread_t *me = threads + current;
  me->object = object;
  me->is_write = is_write;
  if (++steps > bounds.steps) give_up(INTERLEAVINGS_ENDLESS, "no end");
  if (me->pauses == 0) go_on();
}

void touch(uintptr_t object, bool is_write) {
  for (int i = 0; i < thread_count; i++) {
    if (threads[i].is_preempted && threads[i].object == object && (is_write || threads[i].is_write)) threads[i].is_disturbed = true;
  }
}

void touch_all(void) {
  for (int i = 0; i < thread_count; i++) threads[i].is_disturbed = true;
}

void point_of_runtime(void) {
  reach((uintptr_t)&threads, true);
  touch_all();
}

void wait_until(wait_t wait, uintptr_t address) {
  thread_t *me = threads + current;
  me->wait = wait;
  me->wait_address = address;
  me->object = address;
  me->is_write = true;
  go_on();
  me->wait = FREE;
  me->look_count = 0;
}

bool choose_preemption(void) {
  if (is_drawing) return draw_among(2) == 1;
  if (is_redundant || !allows(1, 0) || pick_among(2) == 0) return false;
  preemptions++;
  return true;
}

bool choose_stale(void) { return is_drawing ? draw_stale(stale) : !is_redundant && allows(0, 1); }

int choose_option(int count) {
  int pick = is_drawing && count > 1 ? draw_option(count) : pick_among(count);
  if (pick > 0) stale++;
  return pick;
}

int choose_any(int count) { return is_drawing ? draw_among(count) : is_redundant ? 0 : pick_among(count); }

// MARK: A schedule

const char *interleavings_open(void) {
  pthread_mutex_lock(&one_at_a_time);
  memory_init();
  if (!events) events = calloc(EVENTS, sizeof *events);
  forget_sites();
  const char *problem = hooks_install();
  if (problem) pthread_mutex_unlock(&one_at_a_time);
  return problem;
}

void interleavings_close(void) {
  is_preparing = false;
  hooks_remove();
  pthread_mutex_unlock(&one_at_a_time);
}

void interleavings_prepare(bool records) {
  schedule_number++;
  memory_clear();
  hooks_begin_schedule();
  is_preparing = true;
  memset(threads, 0, sizeof threads);
  thread_count = 0;
  current = -1;
  preemptions = stale = steps = 0;
  position = 0;
  is_redundant = is_broken = is_closing = false;
  held_outside = 0;
  failure = INTERLEAVINGS_NONE;
  message = NULL;
  memset(culprits, 0, sizeof culprits);
  is_recording = records;
  event_count = 0;
}

void interleavings_capture(bool on) { is_capturing = on; }

int interleavings_add(void (*body)(void *), void *context) {
  if (thread_count == THREADS) return -1;
  thread_t *thread = threads + thread_count;
  memset(thread, 0, sizeof *thread);
  thread->body = body;
  thread->context = context;
  thread->patience = PATIENCE;
  thread->clock[thread_count] = 1;
  return thread_count++;
}

void enqueue(void (*body)(void *), void *context, bool is_main) {
  int number = -1;
  // A task that goes on is the one that it was.
  for (int i = 0; i < thread_count; i++) if (threads[i].is_done && threads[i].context == context && threads[i].body == body) number = i;
  if (number < 0) {
    number = interleavings_add(body, context);
    if (number < 0) give_up(INTERLEAVINGS_TOO_LARGE, "there are more than 32 threads and tasks");
  }
  thread_t *thread = threads + number;
  thread->is_done = thread->has_begun = false;
  thread->is_main = is_main;
  thread->ticket = ++tickets;
  thread->is_preempted = false;
  thread->wait = FREE;
  if (current >= 0) {
    join(&thread->clock, &threads[current].clock);
    record(INTERLEAVINGS_ENQUEUE, 0, 0, 0, (uint64_t)number, false);
    advance(current);
    touch_all();
  }
}

void interleavings_run(void) {
  home_pointer = fiber_thread_pointer();
  is_preparing = false;
  int first = choose();
  if (first >= 0) leave(first);
  current = -1;
  for (int i = 0; i < thread_count; i++) {
    // The stack of one that did not end holds what it did, so nobody gets it again.
    if (threads[i].fiber && threads[i].is_done) fiber_give(threads[i].fiber);
    threads[i].fiber = NULL;
  }
  hooks_end_schedule();
}

// MARK: For observers

int interleavings_running(void) { return is_explored ? current : -1; }
void interleavings_ignore(int change) { if (is_explored && current >= 0) threads[current].ignores += change; }
void interleavings_point(const void *object) {
  if (!is_explored || current < 0) return;
  hook_caller = 0;
  reach((uintptr_t)object, true);
  touch((uintptr_t)object, true);
}
void interleavings_fail(const char *words) {
  if (!is_explored || current < 0) return fail(INTERLEAVINGS_RULE, words);
  hook_caller = (uintptr_t)__builtin_return_address(0);
  hook_frame = __builtin_frame_address(0);
  describe(&culprits[0], INTERLEAVINGS_END, 0, 0);
  give_up(INTERLEAVINGS_RULE, words);
}
uint16_t interleavings_step(void) {
  if (!is_explored || current < 0) return 0;
  advance(current);
  return step_of(current) - 1;
}
bool interleavings_knows(int thread, uint16_t step) {
  if (!is_explored || current < 0 || thread < 0) return true;
  return thread == current || step <= threads[current].clock[thread];
}
uint32_t interleavings_stale(void) { return stale; }
uint32_t interleavings_steps(void) { return steps; }

// MARK: For stand-ins

void interleavings_exempt_statics(void) { exempts_statics = true; }
void interleavings_serve(int number) { threads[number].is_servant = true; }
bool interleavings_is_over(void) { return is_closing; }

void interleavings_reach(uintptr_t object, bool is_write) {
  if (!is_explored || current < 0) return;
  hook_caller = 0;
  reach(object, is_write);
  touch(object, is_write);
}
void interleavings_touch(uintptr_t object) {
  if (is_explored && current >= 0) touch(object, true);
}
void interleavings_access(uintptr_t address, bool is_write) {
  if (!is_explored || current < 0) return;
  hook_caller = (uintptr_t)__builtin_return_address(0);
  hook_frame = __builtin_frame_address(0);
  plain_access(address, 8, is_write, false);
}

void interleavings_wait(uintptr_t object, bool (*condition)(void *), void *context) {
  if (!is_explored || current < 0) return;
  threads[current].condition = condition;
  threads[current].condition_context = context;
  hook_caller = 0;
  wait_until(WAITS_CONDITION, object);
  touch(object, true);
}

void interleavings_publish(uint16_t clock[INTERLEAVINGS_THREADS]) {
  if (!is_explored || current < 0) { memset(clock, 0, sizeof(vclock)); return; }
  memcpy(clock, &threads[current].clock, sizeof(vclock));
  advance(current);
}
void interleavings_join(const uint16_t clock[INTERLEAVINGS_THREADS]) {
  if (!is_explored || current < 0) return;
  vclock other;
  memcpy(&other, clock, sizeof other);
  join(&threads[current].clock, &other);
}
bool interleavings_includes(const uint16_t clock[INTERLEAVINGS_THREADS]) {
  if (!is_explored || current < 0) return true;
  for (int i = 0; i < INTERLEAVINGS_THREADS; i++) if (clock[i] > threads[current].clock[i]) return false;
  return true;
}

void interleavings_lock(uintptr_t lock, bool is_step) {
  if (!is_explored || current < 0) { held_outside++; return; }
  hook_caller = (uintptr_t)__builtin_return_address(0);
  hook_frame = __builtin_frame_address(0);
  thread_t *me = threads + current;
  int owner = owner_of(lock)->owner;
  if (owner == current + 1) give_up(INTERLEAVINGS_DEADLOCK, "a thread waits for a lock that it holds");
  // It must go on for others to do so.
  if (owner > 0) threads[owner - 1].is_disturbed = true;
  me->wait = WAITS_OWNER;
  me->wait_address = lock;
  if (is_step || owner > 0) reach(lock, true);
  me->wait = FREE;
  if (owner_of(lock)->owner != 0) give_up(INTERLEAVINGS_DEADLOCK, "a lock is waited for where no other thread can go on");
  owner_of(lock)->owner = current + 1;
  me->held++;
  join(&me->clock, memory_sync(lock));
  record(INTERLEAVINGS_LOCK, lock, 0, 0, 0, false);
  touch(lock, true);
}
void interleavings_unlock(uintptr_t lock) {
  if (!is_explored || current < 0) { held_outside--; return; }
  hook_caller = (uintptr_t)__builtin_return_address(0);
  hook_frame = __builtin_frame_address(0);
  thread_t *me = threads + current;
  owner_of(lock)->owner = 0;
  me->held--;
  *memory_sync(lock) = me->clock;
  advance(current);
  record(INTERLEAVINGS_UNLOCK, lock, 0, 0, 0, false);
  touch(lock, true);
}
int interleavings_held(void) { return is_explored && current >= 0 ? threads[current].held : held_outside; }

bool interleavings_was_limited(void) { return is_limited; }

#endif

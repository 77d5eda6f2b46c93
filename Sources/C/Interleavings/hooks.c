#define _GNU_SOURCE
#include "engine.h"
#if IS_EXPLORABLE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// What the code under test calls: the functions that the compiler calls at each access of memory under
// `-sanitize=thread`, without the sanitizer's runtime behind them; and functions of the system and of Swift's runtime
// that order, block or start threads, which stand in front of the real ones.

_Thread_local int is_explored = 0, is_capturing = 0, is_preparing = 0;
bool exempts_statics, exempts_tasks;
void interleavings_exempt_tasks(void) { exempts_tasks = true; }
uintptr_t hook_caller;
void *hook_frame;

#define IS_EXPLORED (is_explored && current >= 0)
#define ENTER (hook_caller = (uintptr_t)__builtin_return_address(0), hook_frame = __builtin_frame_address(0))
/// The same, from code that says what it accesses.
#define SEE (ENTER, note_site())
#define REAL(type, name)                                                                          \
  typedef __typeof__(type) name##_t;                                                              \
  static name##_t real_##name;                                                                    \
  static inline name##_t get_##name(void) {                                                       \
    if (!real_##name) real_##name = (name##_t)dlsym(RTLD_NEXT, #name);                            \
    return real_##name;                                                                           \
  }

// MARK: Accesses

static bool is_ignored(uintptr_t caller);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
// Around what ends an object. Its accesses can be checked with `object_at`, if all that it releases is released by code that
// says so.
static bool checks_ends;
void interleavings_check_deinits(void) { checks_ends = true; }
void __tsan_ignore_thread_begin(void) { if (IS_EXPLORED && !checks_ends) threads[current].ignores++; }
void __tsan_ignore_thread_end(void) { if (IS_EXPLORED && !checks_ends) threads[current].ignores--; }
void __tsan_vptr_update(void **place, void *value) { (void)place; (void)value; }
void __tsan_vptr_read(void **place) { (void)place; }
void __tsan_external_read(void *address, void *caller, void *tag) { (void)address; (void)caller; (void)tag; }
void __tsan_external_write(void *address, void *caller, void *tag) {
  (void)caller; (void)tag;
  if (IS_EXPLORED && !is_ignored((uintptr_t)__builtin_return_address(0))) { SEE; plain_access((uintptr_t)address, 1, true, false); }
}

#define ACCESS(name, size, writes) \
  void __tsan_##name(void *address) { if (IS_EXPLORED) { SEE; plain_access((uintptr_t)address, size, writes, false); } }
#define ACCESSES(size)                                                                            \
  ACCESS(read##size, size, false) ACCESS(write##size, size, true)                                 \
  ACCESS(unaligned_read##size, size, false) ACCESS(unaligned_write##size, size, true)             \
  ACCESS(read_write##size, size, true) ACCESS(unaligned_read_write##size, size, true)
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)

void __tsan_read_range(void *address, size_t size) { if (IS_EXPLORED) { SEE; plain_access((uintptr_t)address, size, false, false); } }
void __tsan_write_range(void *address, size_t size) { if (IS_EXPLORED) { SEE; plain_access((uintptr_t)address, size, true, false); } }
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  if (IS_EXPLORED && size) { SEE; plain_access((uintptr_t)from, size, false, false); plain_access((uintptr_t)to, size, true, false); }
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  if (IS_EXPLORED && size) { SEE; plain_access((uintptr_t)from, size, false, false); plain_access((uintptr_t)to, size, true, false); }
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int byte, size_t size) {
  if (IS_EXPLORED && size) { SEE; plain_access((uintptr_t)to, size, true, false); }
  return memset(to, byte, size);
}

static word_t change_exchange(word_t old, word_t operand) { (void)old; return operand; }
static word_t change_add(word_t old, word_t operand) { return old + operand; }
static word_t change_sub(word_t old, word_t operand) { return old - operand; }
static word_t change_and(word_t old, word_t operand) { return old & operand; }
static word_t change_or(word_t old, word_t operand) { return old | operand; }
static word_t change_xor(word_t old, word_t operand) { return old ^ operand; }
static word_t change_nand(word_t old, word_t operand) { return ~(old & operand); }

#define UPDATE(bits, type, name, real)                                                            \
  type __tsan_atomic##bits##_##name(volatile type *address, type value, int order) {              \
    if (IS_EXPLORED) { SEE; return (type)atomic_update((uintptr_t)address, bits / 8, change_##real, value, order); } \
    return __atomic_##name(address, value, __ATOMIC_SEQ_CST);                                     \
  }
#define EXCHANGE(bits, type)                                                                      \
  type __tsan_atomic##bits##_exchange(volatile type *address, type value, int order) {            \
    if (IS_EXPLORED) { SEE; return (type)atomic_update((uintptr_t)address, bits / 8, change_exchange, value, order); } \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                 \
  }
#define ATOMICS(bits, type)                                                                       \
  type __tsan_atomic##bits##_load(const volatile type *address, int order) {                      \
    if (IS_EXPLORED) { SEE; return (type)atomic_load((uintptr_t)address, bits / 8, order); }    \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                            \
  }                                                                                               \
  void __tsan_atomic##bits##_store(volatile type *address, type value, int order) {               \
    if (IS_EXPLORED) { SEE; atomic_store((uintptr_t)address, bits / 8, value, order); }         \
    else __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                               \
  EXCHANGE(bits, type)                                                                            \
  UPDATE(bits, type, fetch_add, add) UPDATE(bits, type, fetch_sub, sub)                           \
  UPDATE(bits, type, fetch_and, and) UPDATE(bits, type, fetch_or, or) UPDATE(bits, type, fetch_xor, xor) \
  UPDATE(bits, type, fetch_nand, nand)                                                            \
  type __tsan_atomic##bits##_compare_exchange_val(                                                \
    volatile type *address, type expected, type desired, int order, int failure) {                \
    if (IS_EXPLORED) { SEE; return (type)atomic_exchange_if((uintptr_t)address, bits / 8, expected, desired, order, failure); } \
    __atomic_compare_exchange_n(address, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                              \
  }
ATOMICS(8, uint8_t) ATOMICS(16, uint16_t) ATOMICS(32, uint32_t) ATOMICS(64, uint64_t)

/// Exchanges two words if they are as expected, or else tells what they are.
static bool exchange_pair(volatile word_t *address, word_t *expected, word_t desired) {
  uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
  bool exchanged;
  __asm__ volatile("lock cmpxchg16b %1"
    : "=@ccz"(exchanged), "+m"(*address), "+a"(low), "+d"(high)
    : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64)) : "memory");
  *expected = (word_t)high << 64 | low;
  return exchanged;
}
static word_t change_pair(volatile word_t *address, atomic_change change, word_t operand, int order) {
  if (IS_EXPLORED) return atomic_update((uintptr_t)address, 16, change, operand, order);
  word_t old = 0;
  while (!exchange_pair(address, &old, change(old, operand))) {}
  return old;
}
word_t __tsan_atomic128_load(const volatile word_t *address, int order) {
  if (IS_EXPLORED) { SEE; return atomic_load((uintptr_t)address, 16, order); }
  word_t old = 0;
  exchange_pair((volatile word_t *)address, &old, 0);
  return old;
}
void __tsan_atomic128_store(volatile word_t *address, word_t value, int order) {
  if (IS_EXPLORED) { SEE; atomic_store((uintptr_t)address, 16, value, order); }
  else change_pair(address, change_exchange, value, order);
}
#define PAIR(name, change)                                                                        \
  word_t __tsan_atomic128_##name(volatile word_t *address, word_t value, int order) {             \
    if (IS_EXPLORED) SEE;                                                                       \
    return change_pair(address, change, value, order);                                            \
  }
PAIR(exchange, change_exchange) PAIR(fetch_add, change_add) PAIR(fetch_sub, change_sub)
PAIR(fetch_and, change_and) PAIR(fetch_or, change_or) PAIR(fetch_xor, change_xor) PAIR(fetch_nand, change_nand)
word_t __tsan_atomic128_compare_exchange_val(volatile word_t *address, word_t expected, word_t desired, int order, int failure) {
  if (IS_EXPLORED) { SEE; return atomic_exchange_if((uintptr_t)address, 16, expected, desired, order, failure); }
  exchange_pair(address, &expected, desired);
  return expected;
}
void __tsan_atomic_thread_fence(int order) {
  if (IS_EXPLORED) { SEE; atomic_fence(order); } else __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) { (void)order; __atomic_signal_fence(__ATOMIC_SEQ_CST); }

static void acquire(uintptr_t address) { join(&threads[current].clock, memory_sync(address)); }
static void release(uintptr_t address) {
  join(memory_sync(address), &threads[current].clock);
  advance(current);
}

// Where the core of the runtime is. Only its `once` calls these, and releases each time: what that orders is in `swift_once`.
static uintptr_t core_start, core_end;
#define IS_OF_CORE ((uintptr_t)__builtin_return_address(0) - core_start < core_end - core_start)
void __tsan_acquire(void *address) { if (IS_EXPLORED && !IS_OF_CORE) acquire((uintptr_t)address); }
void __tsan_release(void *address) { if (IS_EXPLORED && !IS_OF_CORE) release((uintptr_t)address); }

// MARK: Locks of the system

typedef struct { uintptr_t start, end; } range_t;
static range_t runtime[4];
static int runtime_count;

/// Whether the runtime of Swift calls: what it does with its own locks is no point.
static bool is_runtime(uintptr_t caller) {
  for (int i = 0; i < runtime_count; i++) if (caller >= runtime[i].start && caller < runtime[i].end) return true;
  return false;
}

REAL(int (*)(pthread_mutex_t *), pthread_mutex_lock)
REAL(int (*)(pthread_mutex_t *), pthread_mutex_trylock)
REAL(int (*)(pthread_mutex_t *), pthread_mutex_unlock)

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!IS_EXPLORED) return get_pthread_mutex_lock()(mutex);
  uintptr_t address = (uintptr_t)mutex, caller = (uintptr_t)__builtin_return_address(0);
  bool is_quiet = is_runtime(caller);
  if (!is_quiet) { ENTER; reach(address, true); }
  owner_t *owner = owner_of(address);
  while (owner->owner != 0 && owner->owner != current + 1) {
    record(INTERLEAVINGS_WAIT, address, 0, 0, 0, false);
    wait_until(WAITS_OWNER, address);
  }
  int result;
  // A thread that is not explored may have it for a moment.
  while ((result = get_pthread_mutex_trylock()(mutex)) == EBUSY && owner->owner == 0) sched_yield();
  if (result == EBUSY) give_up(INTERLEAVINGS_DEADLOCK, "a thread waits for a lock that it holds");
  if (result != 0) return result;
  owner->owner = current + 1;
  owner->depth++;
  acquire(address);
  if (!is_quiet) record(INTERLEAVINGS_LOCK, address, 0, 0, 0, false);
  touch(address, true);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (!IS_EXPLORED) return get_pthread_mutex_trylock()(mutex);
  uintptr_t address = (uintptr_t)mutex;
  if (!is_runtime((uintptr_t)__builtin_return_address(0))) { ENTER; reach(address, true); }
  int result = get_pthread_mutex_trylock()(mutex);
  if (result == 0) {
    owner_t *owner = owner_of(address);
    owner->owner = current + 1;
    owner->depth++;
    acquire(address);
  }
  touch(address, true);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (!IS_EXPLORED) return get_pthread_mutex_unlock()(mutex);
  uintptr_t address = (uintptr_t)mutex;
  owner_t *owner = owner_of(address);
  if (owner->depth > 0 && --owner->depth == 0) owner->owner = 0;
  release(address);
  if (!is_runtime((uintptr_t)__builtin_return_address(0))) { ENTER; record(INTERLEAVINGS_UNLOCK, address, 0, 0, 0, false); }
  touch(address, true);
  return get_pthread_mutex_unlock()(mutex);
}

/// Sleeps until it is woken, or wakes for no reason, which counts as a stale value; `may_expire` if time may be up.
static bool sleep_on(uintptr_t address, bool may_expire) {
  int option = 0;
  if (may_expire) option = choose_any(2);
  else if (choose_stale()) option = choose_option(2);
  if (option) return false;
  record(INTERLEAVINGS_SLEEP, address, 0, 0, 0, false);
  wait_until(WAITS_WORD, address);
  acquire(address);
  return true;
}

static int wake(uintptr_t address, int most) {
  release(address);
  int woken = 0;
  while (woken < most) {
    int sleepers[THREADS], count = 0;
    for (int i = 0; i < thread_count; i++) {
      if (!threads[i].is_done && threads[i].wait == WAITS_WORD && threads[i].wait_address == address) sleepers[count++] = i;
    }
    if (count == 0) break;
    int sleeper = sleepers[choose_any(count)];
    record(INTERLEAVINGS_WAKE, address, 0, 0, (uint64_t)sleeper, false);
    threads[sleeper].wait = FREE;
    woken++;
  }
  touch(address, true);
  return woken;
}

REAL(int (*)(pthread_cond_t *, pthread_mutex_t *), pthread_cond_wait)
REAL(int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *), pthread_cond_timedwait)
REAL(int (*)(pthread_cond_t *), pthread_cond_signal)
REAL(int (*)(pthread_cond_t *), pthread_cond_broadcast)

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (!IS_EXPLORED) return get_pthread_cond_wait()(condition, mutex);
  ENTER;
  pthread_mutex_unlock(mutex);
  sleep_on((uintptr_t)condition, false);
  return pthread_mutex_lock(mutex);
}
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  if (!IS_EXPLORED) return get_pthread_cond_timedwait()(condition, mutex, time);
  ENTER;
  pthread_mutex_unlock(mutex);
  bool is_woken = sleep_on((uintptr_t)condition, true);
  pthread_mutex_lock(mutex);
  return is_woken ? 0 : ETIMEDOUT;
}
int pthread_cond_signal(pthread_cond_t *condition) {
  if (!IS_EXPLORED) return get_pthread_cond_signal()(condition);
  ENTER;
  reach((uintptr_t)condition, true);
  wake((uintptr_t)condition, 1);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (!IS_EXPLORED) return get_pthread_cond_broadcast()(condition);
  ENTER;
  reach((uintptr_t)condition, true);
  wake((uintptr_t)condition, THREADS);
  return 0;
}

// MARK: The system

static long call_system(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  if (result < 0 && result > -4096) { errno = (int)-result; return -1; }
  return result;
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (!IS_EXPLORED) return call_system(number, a, b, c, d, e, f);
  ENTER;
  if (number == SYS_gettid) return threads[current].fiber->tid;
  if (number != SYS_futex) return call_system(number, a, b, c, d, e, f);
  uintptr_t address = (uintptr_t)a;
  switch (b & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: case FUTEX_WAIT_BITSET:
      reach(address, true);
      touch(address, true);
      if (memory_store(memory_place(address, 4)->newest)->value != (uint32_t)c) { errno = EAGAIN; return -1; }
      if (!sleep_on(address, d != 0) && d != 0) { errno = ETIMEDOUT; return -1; }
      return 0;
    case FUTEX_WAKE: case FUTEX_WAKE_BITSET:
      reach(address, true);
      return wake(address, c > THREADS ? THREADS : (int)c);
    default: give_up(INTERLEAVINGS_ESCAPE, "a futex operation other than waiting and waking cannot be explored");
  }
  return 0;
}
pid_t gettid(void) {
  if (IS_EXPLORED) return threads[current].fiber->tid;
  return (pid_t)call_system(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

REAL(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), pthread_create)
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (IS_EXPLORED) { ENTER; give_up(INTERLEAVINGS_ESCAPE, "a thread is started, which cannot be explored: name it in `run`"); }
  return get_pthread_create()(thread, attributes, body, argument);
}
static void pass_time(void) { ENTER; point_of_runtime(); }
REAL(int (*)(const struct timespec *, struct timespec *), nanosleep)
int nanosleep(const struct timespec *time, struct timespec *rest) {
  if (IS_EXPLORED) { pass_time(); return 0; }
  return get_nanosleep()(time, rest);
}
int usleep(useconds_t time) {
  if (IS_EXPLORED) { pass_time(); return 0; }
  struct timespec interval = {time / 1000000, (long)(time % 1000000) * 1000};
  return get_nanosleep()(&interval, NULL);
}
REAL(int (*)(void), sched_yield)
int sched_yield(void) {
  if (IS_EXPLORED) { pass_time(); return 0; }
  return get_sched_yield()();
}

#define SWIFT __attribute__((swiftcall))
#define CONTEXT __attribute__((swift_context))

// MARK: Heap

extern void __libc_free(void *);
extern void *__libc_realloc(void *, size_t);

// What is given back while a schedule runs is given back after it, so that no address means two things.
static void **late;
static size_t late_count, late_capacity;

void free(void *pointer) {
  if (!pointer) return;
  if (!IS_EXPLORED) return __libc_free(pointer);
  if (threads[current].releases == 0) { ENTER; memory_free((uintptr_t)pointer, malloc_usable_size(pointer)); }
  if (late_count == late_capacity) {
    late_capacity = late_capacity ? late_capacity * 2 : 4096;
    late = __libc_realloc(late, late_capacity * sizeof *late);
  }
  late[late_count++] = pointer;
}

void *realloc(void *pointer, size_t size) {
  if (!IS_EXPLORED || !pointer) return __libc_realloc(pointer, size);
  void *other = malloc(size);
  size_t old = malloc_usable_size(pointer);
  memcpy(other, pointer, old < size ? old : size);
  free(pointer);
  return other;
}

/// References are counted in order: what ends an object comes after all of its uses.
#define RELEASE(name)                                                                             \
  REAL(void (*)(void *), name)                                                                    \
  void name(void *object) {                                                                       \
    if (!IS_EXPLORED || (intptr_t)object <= 0) return get_##name()(object);                       \
    int me = current;                                                                             \
    if (swift_retainCount(object) == 1) acquire((uintptr_t)object); else release((uintptr_t)object); \
    threads[me].releases++;                                                                       \
    get_##name()(object);                                                                         \
    threads[me].releases--;                                                                       \
  }
extern size_t swift_retainCount(void *object);
RELEASE(swift_release)

REAL(void (*)(void *), swift_bridgeObjectRelease)
void swift_bridgeObjectRelease(void *object) {
  if (!IS_EXPLORED || (intptr_t)object <= 0) return get_swift_bridgeObjectRelease()(object);
  // What of it is an address, on 64 bits.
  swift_release((void *)((uintptr_t)object & 0x00fffffffffffff8));
}

// Modules of tests whose own variables are no concern of the search.
enum { IGNORED = 8, KNOWN = 1 << 12 };
static const char *ignored[IGNORED];
static int ignored_count;
static struct { uintptr_t caller; bool is_ignored; } known[KNOWN];

void interleavings_ignore_module(const char *name) { if (ignored_count < IGNORED) ignored[ignored_count++] = name; }

static bool has_module(const char *function, const char *module) {
  size_t length = 0;
  const char *name = function;
  while (*name && (*name < '0' || *name > '9')) name++;
  while (*name >= '0' && *name <= '9') length = length * 10 + (size_t)(*name++ - '0');
  return length == strlen(module) && !strncmp(name, module, length);
}

/// Whether the code at an address belongs to one of them.
static bool is_ignored(uintptr_t caller) {
  if (ignored_count == 0) return false;
  size_t at = (caller * 0x9E3779B97F4A7C15ull) >> 52;
  if (known[at].caller == caller) return known[at].is_ignored;
  const char *function = interleavings_function(caller - 1);
  bool is = false;
  for (int i = 0; function && i < ignored_count; i++) is = is || has_module(function, ignored[i]);
  known[at].caller = caller;
  known[at].is_ignored = is;
  return is;
}

// The standard library releases objects, too, which nothing shows. So what is accessed while its object is deallocated comes
// after all other accesses to it.
typedef struct { uintptr_t start, end; bool is_ignored; } object_t;
static object_t *objects;
static size_t object_count, object_capacity;

REAL(void *(*)(void *, size_t, size_t), swift_allocObject)
void *swift_allocObject(void *metadata, size_t size, size_t mask) {
  void *object = get_swift_allocObject()(metadata, size, mask);
  // Not what other threads of the process allocate meanwhile.
  if (!IS_EXPLORED && !is_preparing) return object;
  if (object_count == object_capacity) {
    object_capacity = object_capacity ? object_capacity * 2 : 4096;
    objects = __libc_realloc(objects, object_capacity * sizeof *objects);
  }
  // Its end is noted down now: what was allocated before the schedule may be given back, and is no memory then.
  uintptr_t start = (uintptr_t)object, end = start + malloc_usable_size(object);
  objects[object_count++] = (object_t){start, end, is_ignored((uintptr_t)__builtin_return_address(0))};
  return object;
}

extern bool swift_isDeallocating(void *object);
object_kind object_at(uintptr_t address) {
  // Others may have had that place before.
  for (size_t i = object_count; i-- > 0;) {
    if (address < objects[i].start || address >= objects[i].end) continue;
    if (objects[i].is_ignored) return IGNORED_OBJECT;
    return swift_isDeallocating((void *)objects[i].start) ? DEALLOCATED_OBJECT : ANY_OBJECT;
  }
  return NO_OBJECT;
}

#define UNIQUE(name)                                                                              \
  REAL(bool (*)(const void *), name)                                                              \
  bool name(const void *object) {                                                                 \
    bool is_unique = get_##name()(object);                                                        \
    if (is_unique && IS_EXPLORED) acquire((uintptr_t)object);                                     \
    return is_unique;                                                                             \
  }
UNIQUE(swift_isUniquelyReferenced_native)
UNIQUE(swift_isUniquelyReferenced_nonNull_native)
UNIQUE(swift_isUniquelyReferencedNonObjC)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull)
UNIQUE(swift_isUniquelyReferenced)
UNIQUE(swift_isUniquelyReferenced_nonNull)

/// In debug builds, it is called in the standard library, for any type.
#define IS_UNIQUE "$ss25isKnownUniquelyReferencedySbxzRlzClF"
typedef SWIFT bool (*is_unique_t)(void **object, void *type);
SWIFT bool is_known_unique(void **object, void *type) __asm__(IS_UNIQUE);
SWIFT bool is_known_unique(void **object, void *type) {
  static is_unique_t real;
  if (!real) real = (is_unique_t)dlsym(RTLD_NEXT, IS_UNIQUE);
  bool is_unique = real(object, type);
  if (is_unique && IS_EXPLORED) acquire((uintptr_t)*object);
  return is_unique;
}

// MARK: Swift's runtime

/// Where a variable of a class begins to be accessed: code for any type accesses it by functions that say nothing.
REAL(void (*)(void *, void *, uintptr_t, void *), swift_beginAccess)
void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *caller) {
  if (IS_EXPLORED) { ENTER; plain_access((uintptr_t)address, 1, flags & 1, false); }
  get_swift_beginAccess()(address, buffer, flags, caller);
}

typedef struct { void (*body)(void *); void *context; bool has_run; } once_t;
static void run_once(void *context) {
  once_t *once = context;
  once->has_run = true;
  once->body(once->context);
}

REAL(void (*)(void *, void (*)(void *), void *), swift_once)
void swift_once(void *token, void (*body)(void *), void *context) {
  if (!IS_EXPLORED) return get_swift_once()(token, body, context);
  // Nobody comes between: whoever waits for it would block the only thread that there is.
  int me = current;
  once_t once = {body, context, false};
  threads[me].pauses++;
  get_swift_once()(token, run_once, &once);
  threads[me].pauses--;
  if (once.has_run) release((uintptr_t)token);
  else acquire((uintptr_t)token);
}

// The standard library's Mutex has its quick ways in the client.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef SWIFT void (*lock_slow_t)(uint32_t, CONTEXT void *);
SWIFT void mutex_lock_slow(uint32_t id, CONTEXT void *self) __asm__(LOCK_SLOW);
SWIFT void mutex_lock_slow(uint32_t id, CONTEXT void *self) {
  static lock_slow_t real;
  if (!real) real = (lock_slow_t)dlsym(RTLD_NEXT, LOCK_SLOW);
  if (!IS_EXPLORED) return real(id, self);
  ENTER;
  if (memory_store(memory_place((uintptr_t)self, 4)->newest)->value == id) give_up(INTERLEAVINGS_DEADLOCK, "a thread waits for a lock that it holds");
  do wait_until(WAITS_MUTEX, (uintptr_t)self);
  while (atomic_exchange_if((uintptr_t)self, 4, 0, id, 2, 0) != 0);
}

REAL(SWIFT void (*)(void *task), swift_task_cancel)
static void cancel(void *task) {
  if (IS_EXPLORED) {
    record(INTERLEAVINGS_CANCEL, (uintptr_t)task, 0, 0, 0, false);
    point_of_runtime();
  }
  get_swift_task_cancel()(task);
}
SWIFT void swift_task_cancel(void *task) {
  if (IS_EXPLORED) ENTER;
  cancel(task);
}
SWIFT void task_cancel(void *task, void *success, void *failure) __asm__("$sScT6cancelyyF");
SWIFT void task_cancel(void *task, void *success, void *failure) {
  (void)success; (void)failure;
  if (IS_EXPLORED) ENTER;
  cancel(task);
}

REAL(SWIFT void (*)(void *task), swift_continuation_resume)
SWIFT void swift_continuation_resume(void *task) {
  if (IS_EXPLORED && !exempts_tasks) { ENTER; point_of_runtime(); }
  get_swift_continuation_resume()(task);
}

/// A task is about to go on elsewhere. Called by `runtime.S`, which keeps the registers.
void hooks_before_switch(void) {
  if (IS_EXPLORED && !exempts_tasks) { ENTER; hook_caller = 0; point_of_runtime(); }
}
void *real_task_switch;
__attribute__((constructor)) static void find(void) { real_task_switch = dlsym(RTLD_NEXT, "swift_task_switch"); }

// Jobs go to Dispatch, which is a library of its own.
typedef void (*work_t)(void *);
static void *main_queue;
REAL(void (*)(void *, void *, work_t), dispatch_async_f)
REAL(void (*)(uint64_t, void *, void *, work_t), dispatch_after_f)
REAL(void (*)(void *, void *), dispatch_async)
REAL(long (*)(void *, uint64_t), dispatch_semaphore_wait)

void dispatch_async_f(void *queue, void *context, work_t work) {
  if (is_capturing || IS_EXPLORED) enqueue(work, context, queue == main_queue);
  else get_dispatch_async_f()(queue, context, work);
}
void dispatch_after_f(uint64_t when, void *queue, void *context, work_t work) {
  // How long a thread takes is not known, so time may be up at once.
  if (is_capturing || IS_EXPLORED) enqueue(work, context, queue == main_queue);
  else get_dispatch_after_f()(when, queue, context, work);
}
void dispatch_async(void *queue, void *block) {
  if (IS_EXPLORED) { ENTER; give_up(INTERLEAVINGS_ESCAPE, "work is given to a queue of Dispatch, which cannot be explored"); }
  get_dispatch_async()(queue, block);
}
long dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  if (IS_EXPLORED) { ENTER; give_up(INTERLEAVINGS_ESCAPE, "a semaphore of Dispatch is waited for, which cannot be explored"); }
  return get_dispatch_semaphore_wait()(semaphore, timeout);
}

typedef SWIFT void (*job_run_t)(void *job, uintptr_t executor, uintptr_t implementation);
static job_run_t job_run;
static void run_job(void *job) { job_run(job, 0, 0); }
typedef SWIFT void (*enqueue_t)(void *job);
typedef SWIFT void (*enqueue_hook_t)(void *job, enqueue_t original);
typedef SWIFT void (*delay_t)(uint64_t delay, void *job);
typedef SWIFT void (*delay_hook_t)(uint64_t delay, void *job, delay_t original);
typedef SWIFT void (*deadline_t)(long long s, long long ns, long long ts, long long tns, int clock, void *job);
typedef SWIFT void (*deadline_hook_t)(long long s, long long ns, long long ts, long long tns, int clock, void *job, deadline_t original);
static SWIFT void hook_global(void *job, enqueue_t original) {
  if (is_capturing || IS_EXPLORED) enqueue(run_job, job, false);
  else original(job);
}
static SWIFT void hook_delay(uint64_t delay, void *job, delay_t original) {
  if (is_capturing || IS_EXPLORED) enqueue(run_job, job, false);
  else original(delay, job);
}
static SWIFT void hook_deadline(long long s, long long ns, long long ts, long long tns, int clock, void *job, deadline_t original) {
  if (is_capturing || IS_EXPLORED) enqueue(run_job, job, false);
  else original(s, ns, ts, tns, clock, job);
}

// MARK: Traps

static const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
static struct sigaction before[6];
static char signal_stack[64 << 10];

static void trap(int signal, siginfo_t *information, void *place) {
  (void)information;
  if (!is_explored || current < 0) {
    // Not ours.
    for (int i = 0; i < 6; i++) sigaction(signals[i], &before[i], NULL);
    raise(signal);
    return;
  }
  ucontext_t *context = place;
  hook_caller = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] + 1;
  hook_frame = (void *)context->uc_mcontext.gregs[REG_RBP];
  interleavings_event event;
  describe(&event, INTERLEAVINGS_END, 0, 0);
  set_culprit(0, &event);
  give_up(INTERLEAVINGS_TRAP, strsignal(signal));
}

// MARK: Installing

extern const char *symbols_read(void);

static int visit_runtime(struct dl_phdr_info *image, size_t size, void *base) {
  (void)size;
  if (image->dlpi_addr != (uintptr_t)base) return 0;
  uintptr_t end = 0;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    uintptr_t segment = image->dlpi_phdr[i].p_vaddr + image->dlpi_phdr[i].p_memsz;
    if (image->dlpi_phdr[i].p_type == PT_LOAD && segment > end) end = segment;
  }
  runtime[runtime_count++] = (range_t){image->dlpi_addr, image->dlpi_addr + end};
  return 1;
}

/// Notes down the library that has `symbol`.
static void note_runtime(const char *symbol) {
  Dl_info information;
  void *place = dlsym(RTLD_DEFAULT, symbol);
  if (place && dladdr(place, &information)) dl_iterate_phdr(visit_runtime, information.dli_fbase);
}

static void *find_variable(const char *name) { return dlsym(RTLD_DEFAULT, name); }

static const char *install_once(void) {
  if (dlsym(RTLD_DEFAULT, "__tsan_get_report_data")) return "the thread sanitizer is linked, whose functions these are: build without --sanitize";
  if (!dlsym(RTLD_DEFAULT, LOCK_SLOW)) return "the Synchronization library of this Swift is not known: Mutex has changed";
  job_run = (job_run_t)dlsym(RTLD_DEFAULT, "swift_job_run");
  void **acquire_variable = find_variable("_swift_tsan_acquire"), **release_variable = find_variable("_swift_tsan_release");
  bool *enabled = find_variable("_swift_tsan_enabled");
  if (!job_run || !acquire_variable || !release_variable || !enabled || !real_task_switch) {
    return "the runtime of this Swift is not known: a function that it had is not there";
  }
  note_runtime("swift_job_run");
  note_runtime("swift_retain");
  range_t core = runtime[runtime_count - 1];
  // Linked statically, it is one with what handles tasks, whose calls count.
  if (core.start != runtime[0].start) { core_start = core.start; core_end = core.end; }
  // What records a failed expectation.
  note_runtime("$s7Testing5IssueVMa");
  *acquire_variable = (void *)__tsan_acquire;
  *release_variable = (void *)__tsan_release;
  *enabled = true;
  main_queue = find_variable("_dispatch_main_q");
  enqueue_hook_t *global = find_variable("swift_task_enqueueGlobal_hook");
  delay_hook_t *delay = find_variable("swift_task_enqueueGlobalWithDelay_hook");
  deadline_hook_t *deadline = find_variable("swift_task_enqueueGlobalWithDeadline_hook");
  if (!global || !delay || !deadline) return "the runtime of this Swift is not known: its hooks for jobs are not there";
  *global = hook_global;
  *delay = hook_delay;
  *deadline = hook_deadline;
  return symbols_read();
}

const char *hooks_install(void) {
  static bool is_installed;
  if (!is_installed) {
    const char *problem = install_once();
    if (problem) return problem;
    is_installed = true;
  }
  stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  for (int i = 0; i < 6; i++) sigaction(signals[i], &action, &before[i]);
  return NULL;
}

void hooks_remove(void) {
  for (int i = 0; i < 6; i++) sigaction(signals[i], &before[i], NULL);
}

void hooks_begin_schedule(void) {
  hook_caller = 0;
  hook_frame = NULL;
  object_count = 0;
}

void hooks_end_schedule(void) {
  for (size_t i = 0; i < late_count; i++) __libc_free(late[i]);
  late_count = 0;
}

#endif

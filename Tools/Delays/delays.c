// Delays work at random, as a busy machine does, so that tests fail that are right only on an idle one: what is given to a
// queue or a thread, whoever gives it, and whatever renames, sends or receives. Tasks are left alone, because tests that wait
// with `Task.yield()` rely on the order of their pool. `Scripts/test --delays SEED` preloads it into the process of the tests.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef void (*Function)(void *);

// One call in ten waits up to a millisecond, one in a hundred up to thirty. All threads together wait half of the time at
// most, and a second more at once, so that no test takes much longer than it does without.
static const double share_of_long = 0.01, share_of_short = 0.1;
static const double long_wait = 30e6, short_wait = 1e6;
static const uint64_t most_at_once = 1000000000;

static bool is_on;
static uint64_t seed;
static atomic_ulong waited, count;
// The time up to which waits are used up.
static atomic_ulong used_up_to;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// From 0 to 1: xorshift, a state for each thread.
static double draw(void) {
  static atomic_ulong threads;
  static _Thread_local uint64_t state;
  if (state == 0) state = (seed + 1) * 0x9e3779b97f4a7c15u + atomic_fetch_add(&threads, 1) * 0xd1342543de82ef95u + 1;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static void delay(void) {
  if (!is_on) return;
  double kind = draw();
  if (kind > share_of_long + share_of_short) return;
  uint64_t time = now(), used = atomic_load(&used_up_to);
  if (used > time) return;
  uint64_t wait = (uint64_t)(draw() * (kind < share_of_long ? long_wait : short_wait));
  if (used < time - most_at_once) used = time - most_at_once;
  atomic_store(&used_up_to, used + 2 * wait);
  atomic_fetch_add(&waited, wait);
  atomic_fetch_add(&count, 1);
  int error = errno;
  nanosleep(&(struct timespec){(time_t)(wait / 1000000000), (long)(wait % 1000000000)}, NULL);
  errno = error;
}

// The function that this one stands in front of.
#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// MARK: Queues

struct block {
  void *class;
  int flags, reserved;
  Function invoke;
};

static void run_block(void *block) {
  static void (*release)(const void *);
  if (!release) release = (void (*)(const void *))dlsym(RTLD_DEFAULT, "_Block_release");
  delay();
  ((struct block *)block)->invoke(block);
  release(block);
}

void dispatch_async(void *queue, void *block) {
  static void *(*copy)(const void *);
  static void (*async)(void *, void *, Function);
  NEXT(dispatch_async);
  if (!copy) copy = (void *(*)(const void *))dlsym(RTLD_DEFAULT, "_Block_copy");
  if (!async) async = (void (*)(void *, void *, Function))dlsym(RTLD_NEXT, "dispatch_async_f");
  if (!is_on || !copy || !async) return next(queue, block);
  async(queue, copy(block), run_block);
  delay();
}

long dispatch_semaphore_signal(void *semaphore) {
  NEXT(dispatch_semaphore_signal);
  long result = next(semaphore);
  delay();
  return result;
}

void dispatch_group_leave(void *group) {
  NEXT(dispatch_group_leave);
  delay();
  next(group);
}

// MARK: Threads

struct beginning {
  void *(*function)(void *);
  void *argument;
};

static void *begin(void *context) {
  struct beginning beginning = *(struct beginning *)context;
  free(context);
  delay();
  return beginning.function(beginning.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  NEXT(pthread_create);
  struct beginning *beginning = is_on ? malloc(sizeof *beginning) : NULL;
  if (!beginning) return next(thread, attributes, function, argument);
  *beginning = (struct beginning){function, argument};
  int result = next(thread, attributes, begin, beginning);
  if (result) free(beginning);
  delay();
  return result;
}

// MARK: Files and sockets

int renameat(int old, const char *path, int new, const char *name) {
  NEXT(renameat);
  delay();
  int result = next(old, path, new, name);
  delay();
  return result;
}

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
  NEXT(send);
  delay();
  return next(socket, bytes, length, flags);
}

ssize_t recv(int socket, void *bytes, size_t length, int flags) {
  NEXT(recv);
  delay();
  return next(socket, bytes, length, flags);
}

// MARK: The process

// Only in the process of the tests: it starts others, some of which may call hardly anything.
__attribute__((constructor)) static void set_up(void) {
  const char *text = getenv("DELAYS_SEED");
  char program[4096] = "";
  if (!text || readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
  if (!strstr(program, "swiftpm-testing-helper") && !strstr(program, "PackageTests.xctest")) return;
  seed = strtoull(text, NULL, 10);
  is_on = true;
}

__attribute__((destructor)) static void tear_down(void) {
  if (is_on) fprintf(stderr, "delays: %lu, %.1f s in all, seed %lu\n", count, (double)waited / 1e9, (unsigned long)seed);
}

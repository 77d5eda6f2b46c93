#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CThreads.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if !defined(_WIN32)
#include <pthread.h>
#include <unistd.h>
#endif

static _Thread_local intptr_t depth;
static _Thread_local void *waiting;

intptr_t cthreads_letting_go(intptr_t change) { return depth += change; }

void *cthreads_swap_waiting(void *other) {
  void *taken = waiting;
  waiting = other;
  return taken;
}

unsigned char cthreads_onlookers;
unsigned char cthreads_drops;

static _Thread_local uintptr_t subscribing;

uintptr_t cthreads_swap_subscribing(uintptr_t other) {
  uintptr_t taken = subscribing;
  subscribing = other;
  return taken;
}

uint32_t cthreads_number(void) {
  static uint32_t count = 1;
  static _Thread_local uint32_t number;
  if (number == 0) {
    number = cthreads_current() == cthreads_main ? 1 : __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  }
  return number;
}

void *cthreads_allocate(size_t size) {
  void *place = malloc(size);
  if (place == NULL) abort();
  return place;
}

void cthreads_free(void *place) { free(place); }

uint32_t cthreads_rest(uint32_t seconds) {
#if defined(_WIN32)
  Sleep(seconds * 1000);
  return 0;
#else
  return sleep(seconds);
#endif
}

void cthreads_report(const char *line) { fprintf(stderr, "%s\n", line); }

void cthreads_wait_briefly(void *address, uint32_t value, uint64_t nanoseconds) {
#if defined(__linux__)
  struct timespec span = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  syscall(SYS_futex, address, FUTEX_WAIT_PRIVATE, value, &span);
#elif defined(__APPLE__)
  __ulock_wait(1, address, value, (uint32_t)(nanoseconds / 1000 + 1));
#elif defined(_WIN32)
  WaitOnAddress(address, &value, sizeof value, (DWORD)(nanoseconds / 1000000 + 1));
#else
  struct timespec moment = {0, nanoseconds < 1000000 ? (long)nanoseconds : 1000000};
  (void)address, (void)value;
  nanosleep(&moment, NULL);
#endif
}

void cthreads_wake_all(void *address) {
#if defined(__linux__)
  syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, INT_MAX);
#elif defined(__APPLE__)
  __ulock_wake(1 | 0x100, address, 0);
#elif defined(_WIN32)
  WakeByAddressAll(address);
#endif
}

uint64_t cthreads_nanoseconds(void) {
#if defined(_WIN32)
  return GetTickCount64() * 1000000 + 1;
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + 1;
#endif
}

struct start {
  void (*body)(void *);
  void *argument;
};

#if defined(_WIN32)
#define THREAD_RESULT DWORD WINAPI
#else
#define THREAD_RESULT void *
#endif

static THREAD_RESULT run(void *place) {
  struct start start = *(struct start *)place;
  free(place);
  start.body(start.argument);
  return 0;
}

unsigned char cthreads_start(void (*body)(void *), void *argument) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return 0;
  *start = (struct start){body, argument};
#if defined(_WIN32)
  HANDLE thread = CreateThread(NULL, 0, run, start, 0, NULL);
  if (thread != NULL) return CloseHandle(thread), 1;
#else
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int error = pthread_create(&thread, NULL, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) return pthread_detach(thread), 1;
#endif
  free(start);
  return 0;
}

uintptr_t cthreads_main;

static unsigned char main_has_exited;

unsigned char cthreads_main_has_exited(void) { return __atomic_load_n(&main_has_exited, __ATOMIC_RELAXED); }

#if defined(__linux__)
static void note_exit(void *value) { __atomic_store_n(&main_has_exited, 1, __ATOMIC_RELAXED); }

// Its value is released when the thread exits, before the process does.
static void watch_main_thread(void) {
  pthread_key_t key;
  if (pthread_key_create(&key, note_exit) == 0) pthread_setspecific(key, &main_has_exited);
}
#endif

// Libraries are loaded by the main thread, except those that a program loads late.
__attribute__((constructor)) static void find_main_thread(void) {
#if defined(__APPLE__)
  if (!pthread_main_np()) return;
#elif defined(__linux__)
  if (syscall(SYS_gettid) != getpid()) return;
  watch_main_thread();
#endif
  cthreads_main = cthreads_current();
}

// Dispatch, in the few words that are needed of it: its headers are not where every compiler looks for them.
#if defined(_WIN32)
#define DISPATCH_IMPORT __declspec(dllimport) extern
#else
#define DISPATCH_IMPORT extern
#endif
DISPATCH_IMPORT struct dispatch_queue_s _dispatch_main_q;
DISPATCH_IMPORT void *dispatch_get_current_queue(void);
DISPATCH_IMPORT const char *dispatch_queue_get_label(void *queue);
DISPATCH_IMPORT void *dispatch_get_specific(const void *key);
DISPATCH_IMPORT void dispatch_queue_set_specific(void *queue, const void *key, void *value, void (*destroy)(void *));

unsigned char cthreads_serves_main_queue(void) {
  if (dispatch_get_current_queue() == (void *)&_dispatch_main_q) return 1;
  // Marks the main queue. Marking it twice does no harm.
  static unsigned char is_marked;
  static const char mark;
  if (!__atomic_load_n(&is_marked, __ATOMIC_ACQUIRE)) {
    dispatch_queue_set_specific(&_dispatch_main_q, &mark, (void *)&mark, NULL);
    __atomic_store_n(&is_marked, 1, __ATOMIC_RELEASE);
  }
  return dispatch_get_specific(&mark) != NULL;
}

const char *cthreads_queue_label(void) {
  void *queue = dispatch_get_current_queue();
  const char *label = queue == NULL ? NULL : dispatch_queue_get_label(queue);
  // A thread that Dispatch did not start has this queue.
  return label == NULL || strcmp(label, "com.apple.root.default-qos.overcommit") == 0 ? "" : label;
}

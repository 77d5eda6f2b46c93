#define _GNU_SOURCE
#include "engine.h"
#if IS_EXPLORABLE
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <unistd.h>

// A thread of the schedule has the stack and the thread-local variables of a sleeping thread of the system: so the
// runtime's record of the running task, of exclusive accesses and of who holds a lock is right for each of them, while
// one thread of the system runs them all, which makes a switch cost some nanoseconds.

enum { STACK = 1 << 20, RESERVED = 32 << 10 };

extern void fiber_swap(void **from, void *to, void *thread_pointer, int is_fast);

static fiber_t *unused;
static int is_fast;

typedef struct { fiber_t *fiber; uint32_t is_ready; } start_t;

static void sleep_on(uint32_t *word, uint32_t value) {
  // Not by `syscall`, which is one of the hooks.
  register long timeout __asm__("r10") = 0;
  long result = SYS_futex;
  __asm__ volatile("syscall" : "+a"(result) : "D"(word), "S"(FUTEX_WAIT_PRIVATE), "d"(value), "r"(timeout) : "rcx", "r11", "memory");
}

void *fiber_thread_pointer(void) {
  void *pointer;
  __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

static void *lend(void *argument) {
  start_t *start = argument;
  fiber_t *fiber = start->fiber;
  fiber->thread_pointer = fiber_thread_pointer();
  fiber->tid = gettid();
  // From here on, who runs with these variables is a thread of the schedule.
  is_explored = 1;
  __atomic_store_n(&start->is_ready, 1, __ATOMIC_RELEASE);
  uint32_t never = 0;
  for (;;) sleep_on(&never, 0);
  return NULL;
}

static fiber_t *make(void) {
  // Whether a program may set its thread pointer itself.
  is_fast = (getauxval(AT_HWCAP2) & 2) != 0;
  fiber_t *fiber = calloc(1, sizeof *fiber);
  char *stack = mmap(NULL, STACK + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!fiber || stack == MAP_FAILED) abort();
  mprotect(stack, 4096, PROT_NONE);
  fiber->stack_start = stack + 4096;
  fiber->stack_end = stack + 4096 + STACK;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack + 4096, STACK);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  start_t start = {fiber, 0};
  if (pthread_create(&thread, &attributes, lend, &start) != 0) abort();
  while (!__atomic_load_n(&start.is_ready, __ATOMIC_ACQUIRE)) usleep(20);
  return fiber;
}

fiber_t *fiber_take(void) {
  fiber_t *fiber = unused;
  if (!fiber) return make();
  unused = fiber->next;
  return fiber;
}

void fiber_give(fiber_t *fiber) {
  fiber->next = unused;
  unused = fiber;
}

void fiber_begin(fiber_t *fiber, void (*entry)(void)) {
  // The end of the stack is the sleeping thread's.
  uintptr_t *top = (uintptr_t *)(((uintptr_t)fiber->stack_end - RESERVED) & ~(uintptr_t)15);
  uintptr_t *words = top - 8;
  memset(words, 0, 8 * sizeof *words);
  words[6] = (uintptr_t)entry; // returned to, as if it had been called
  fiber->resumption = words;
}

void fiber_switch(void **from, void *to, void *thread_pointer) { fiber_swap(from, to, thread_pointer, is_fast); }

#endif

#define _GNU_SOURCE
#include "CFibers.h"
#include <sys/mman.h>
#include <unistd.h>

intptr_t cfibers_running = -1;

static void (*sleeps)(void *address, uint32_t value);
static void (*wakes)(void *address);

void cfibers_sleep(void *address, uint32_t value) { sleeps(address, value); }
void cfibers_wake(void *address) { wakes(address); }
void cfibers_set_sleep(void (*sleep)(void *address, uint32_t value), void (*wake)(void *address)) {
  sleeps = sleep;
  wakes = wake;
}

void cfibers_run(intptr_t number) { cfibers_running = number; }

extern void cfibers_begin(void);

void *cfibers_make_stack(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t size = (bytes + page - 1) / page * page;
  char *start = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED || mprotect(start, page, PROT_NONE) != 0) return NULL;
  return start + page + size;
}

// The words that `cfibers_switch` takes off a stack, lowest first.
void *cfibers_prepare(void *stack_end, cfibers_entry entry, uintptr_t argument) {
  uintptr_t *top = (uintptr_t *)(((uintptr_t)stack_end - 64) & ~(uintptr_t)15);
#if defined(__x86_64__)
  uintptr_t *words = top - 7;
  words[0] = 0;                        // r15
  words[1] = 0;                        // r14
  words[2] = (uintptr_t)entry;         // r13
  words[3] = argument;                 // r12
  words[4] = 0;                        // rbx
  words[5] = 0;                        // rbp
  words[6] = (uintptr_t)cfibers_begin;
#elif defined(__aarch64__)
  uintptr_t *words = top - 20;
  for (int index = 0; index < 20; index++) words[index] = 0;
  words[0] = argument;                 // x19
  words[1] = (uintptr_t)entry;         // x20
  words[11] = (uintptr_t)cfibers_begin;  // x30
#else
#error "No fibers for this processor yet: two small functions in switch.S."
#endif
  return words;
}

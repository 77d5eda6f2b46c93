#define _GNU_SOURCE
#include "CShards.h"
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cshards_page *cshards_page(void) {
  static struct cshards_page *page;
  if (!page) {
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) abort();
  }
  return page;
}

void *cshards_share(int64_t bytes) {
  void *place = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) abort();
  return place;
}

int64_t cshards_add(int64_t *place, int64_t amount) { return __atomic_fetch_add(place, amount, __ATOMIC_SEQ_CST); }

int cshards_fork(void) {
  fflush(NULL);
  int child = fork();
  if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

int cshards_wait(int *signal) {
  int status = 0;
  int child = wait(&status);
  *signal = child > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return child;
}

void cshards_print(const char *text, long length) {
  while (length > 0) {
    ssize_t written = write(STDOUT_FILENO, text, (size_t)length);
    if (written <= 0) return;
    text += written;
    length -= written;
  }
}

void cshards_exit(int status) {
  fflush(NULL);
  _exit(status);
}

static void (*on_trap)(void);

static void trapped(int number) {
  signal(number, SIG_DFL);
  if (on_trap) on_trap();
  raise(number);
}

void cshards_on_trap(void (*report)(void)) {
  on_trap = report;
  static char stack[1 << 18];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
  for (unsigned index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    struct sigaction action = {.sa_handler = trapped, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(numbers[index], &action, NULL);
  }
}

int64_t cshards_allocated(void) {
  struct mallinfo2 now = mallinfo2();
  return (int64_t)(now.uordblks + now.hblkhd);
}

void cshards_hash_alike(char **arguments) {
  if (getenv("SWIFT_DETERMINISTIC_HASHING")) return;
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
  execv("/proc/self/exe", arguments);
  execvp(arguments[0], arguments);
  abort();
}

double cshards_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int cshards_cores(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > 32 ? 32 : (int)cores;
}

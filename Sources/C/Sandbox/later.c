#include "filter.h"

#ifdef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct Task {
  struct Task *next;
  struct timespec due;
  void (*run)(void *context);
  void *context;
} Task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change;
static bool hasThread;
// Ordered by the time at which they are due.
static Task *first;

static bool is_before(struct timespec one, struct timespec other) {
  return one.tv_sec != other.tv_sec ? one.tv_sec < other.tv_sec : one.tv_nsec < other.tv_nsec;
}

static void *serve(void *context) {
  pthread_mutex_lock(&lock);
  while (true) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!first) {
      pthread_cond_wait(&change, &lock);
    } else if (is_before(now, first->due)) {
      struct timespec due = first->due;
      pthread_cond_timedwait(&change, &lock, &due);
    } else {
      Task *task = first;
      first = task->next;
      pthread_mutex_unlock(&lock);
      task->run(task->context);
      free(task);
      pthread_mutex_lock(&lock);
    }
  }
  return context;
}

static int create_thread(void) {
  pthread_condattr_t attributes;
  int code = pthread_condattr_init(&attributes);
  if (code == 0) code = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (code == 0) code = pthread_cond_init(&change, &attributes);
  if (code != 0) return code;
  return sandbox_serve(serve);
}

int32_t sandbox_after(int64_t milliseconds, void (*run)(void *context), void *context) {
  Task *task = malloc(sizeof *task);
  if (!task) return -ENOMEM;
  clock_gettime(CLOCK_MONOTONIC, &task->due);
  task->due.tv_sec += milliseconds / 1000;
  task->due.tv_nsec += milliseconds % 1000 * 1000000;
  if (task->due.tv_nsec >= 1000000000) {
    task->due.tv_sec++;
    task->due.tv_nsec -= 1000000000;
  }
  task->run = run;
  task->context = context;
  pthread_mutex_lock(&lock);
  int code = hasThread ? 0 : create_thread();
  if (code != 0) {
    pthread_mutex_unlock(&lock);
    free(task);
    return -code;
  }
  hasThread = true;
  Task **place = &first;
  while (*place && !is_before(task->due, (*place)->due)) place = &(*place)->next;
  task->next = *place;
  *place = task;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
  return 0;
}

#endif

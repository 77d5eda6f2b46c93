#include "CThreads.h"

#include <stdlib.h>

static _Thread_local intptr_t depth;
static _Thread_local void *waiting;

intptr_t cthreads_letting_go(intptr_t change) { return depth += change; }

void *cthreads_swap_waiting(void *other) {
  void *taken = waiting;
  waiting = other;
  return taken;
}

unsigned char cthreads_onlookers;

void *cthreads_allocate(size_t size) {
  void *place = malloc(size);
  if (place == NULL) abort();
  return place;
}

void cthreads_free(void *place) { free(place); }

#include "CodecClean.h"

#include <stdlib.h>

#ifdef __GLIBC__

#include <malloc.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;

// Sets it for all threads: the others' memory is cleared as well, which costs them a little.
static void set(int value) {
  // Who has set it for the process keeps it.
  if (users == 0 && !getenv("MALLOC_PERTURB_")) mallopt(M_PERTURB, value);
}

void codec_begin_clean_memory(void) {
  pthread_mutex_lock(&lock);
  set(0xFF);
  users++;
  pthread_mutex_unlock(&lock);
}

void codec_end_clean_memory(void) {
  pthread_mutex_lock(&lock);
  users--;
  set(0);
  pthread_mutex_unlock(&lock);
}

#else

void codec_begin_clean_memory(void) {}
void codec_end_clean_memory(void) {}

#endif

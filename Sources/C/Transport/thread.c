#include "transport.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct transport_thread {
  pthread_t identity;
  void (*body)(void *context);
  void *context;
};

static void *run(void *argument) {
  transport_thread *thread = argument;
  thread->body(thread->context);
  return NULL;
}

transport_thread *transport_thread_start(void (*body)(void *context), void *context) {
  transport_thread *thread = calloc(1, sizeof *thread);
  if (thread == NULL) return NULL;
  thread->body = body;
  thread->context = context;
  // A new thread inherits the mask. SIGPIPE, which OpenSSL cannot avoid, then stays pending on it and ends
  // nobody.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int failure = pthread_create(&thread->identity, NULL, run, thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure != 0) {
    free(thread);
    return NULL;
  }
  return thread;
}

void transport_thread_join(transport_thread *thread) {
  if (pthread_equal(thread->identity, pthread_self())) {
    pthread_detach(thread->identity);
  } else {
    pthread_join(thread->identity, NULL);
  }
  free(thread);
}

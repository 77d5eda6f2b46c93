#define _GNU_SOURCE
#include "CJobs.h"
#include <dlfcn.h>
#include <stdlib.h>

// The concurrency runtime asks this hook, if there is one, before it gives a job to its pool. Looked up by name:
// a reference would be to a copy in the executable.
#define SWIFT_CALL __attribute__((swiftcall))
typedef SWIFT_CALL void (*original_function)(void *job);
typedef SWIFT_CALL void (*hook_function)(void *job, original_function original);

static void (*taker)(void *job);

static SWIFT_CALL void hook(void *job, original_function original) {
  (void)original;
  taker(job);
}

void cjobs_catch(void (*take)(void *job)) {
  taker = take;
  hook_function *place = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (!place) abort();
  *place = hook;
}

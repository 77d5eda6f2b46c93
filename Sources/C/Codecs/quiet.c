#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CodecQuiet.h"

#ifndef _WIN32
#include <pthread.h>
#endif
#include <stdatomic.h>

static atomic_bool isQuietAlready;

void codec_be_quiet_already(void) { isQuietAlready = true; }

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define KEEPS_REPORTS
#endif
#endif

#if defined(__linux__) && !defined(KEEPS_REPORTS)

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// Of Linux 5.9, and so not in all headers; the number is the same for all processors.
enum { CloseRange = 436, CloseRangeUnshare = 2 };

typedef struct Job {
  CodecWork work;
  void *context;
  CodecStatus status;
  bool isQuiet;
} Job;

// Gives the thread a table of its own, without the program's files where the system can leave them out.
static bool leave_files(void) {
  if (syscall(CloseRange, STDERR_FILENO + 1, UINT_MAX, CloseRangeUnshare) == 0) return true;
  return unshare(CLONE_FILES) == 0;
}

static bool become_quiet(void) {
  if (!leave_files()) return false;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return false;
  bool isDone = dup2(nowhere, STDERR_FILENO) == STDERR_FILENO;
  if (nowhere != STDERR_FILENO) close(nowhere);
  return isDone;
}

static void *run(void *context) {
  Job *job = context;
  job->isQuiet = become_quiet();
  if (job->work) job->status = job->work(job->context);
  return NULL;
}

static bool run_on_thread(Job *job) {
  pthread_t thread;
  return pthread_create(&thread, NULL, run, job) == 0 && pthread_join(thread, NULL) == 0;
}

CodecStatus codec_run_quietly(CodecWork work, void *context) {
  if (isQuietAlready) return work(context);
  Job job = {.work = work, .context = context, .status = CodecStatusCorrupt};
  return run_on_thread(&job) ? job.status : work(context);
}

bool codec_can_be_quiet(void) {
  Job job = {.status = CodecStatusDone};
  return run_on_thread(&job) && job.isQuiet;
}

#else

CodecStatus codec_run_quietly(CodecWork work, void *context) { return work(context); }

bool codec_can_be_quiet(void) { return false; }

#endif

#ifdef _WIN32

bool codec_can_start_threads(void) { return true; }

#else

static void *do_nothing(void *context) { return context; }

bool codec_can_start_threads(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, do_nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

#endif

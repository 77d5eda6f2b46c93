#include "filter.h"

#ifdef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// They map terabytes.
#define HAS_SHADOW 1
#endif
#endif

enum { CloseRange = 436, MostSearched = 64, ForFiles = 64 };

bool sandbox_is_worker(void) {
  int kind = 0;
  socklen_t count = sizeof kind;
  return getsockopt(SandboxChannel, SOL_SOCKET, SO_TYPE, &kind, &count) == 0 && kind == SOCK_SEQPACKET;
}

void sandbox_prepare(void) {
  if (syscall(CloseRange, SandboxChannel + 1, UINT_MAX, 0) != 0) {
    long last = sysconf(_SC_OPEN_MAX);
    for (int descriptor = SandboxChannel + 1; descriptor < (last > 0 ? last : 1024); descriptor++) close(descriptor);
  }
#ifdef __GLIBC__
  // One heap, whatever threads the libraries start, which keeps its pages from image to image. `sandbox_trim` gives them
  // back when there is nothing to do.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

void sandbox_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

static bool limit(__rlimit_resource_t kind, uint64_t value) {
  struct rlimit both = {(rlim_t)value, (rlim_t)value};
  return setrlimit(kind, &both) == 0;
}

// At the higher limit the kernel kills, as it does when memory runs out; at the lower one its signal says that time did.
static bool limit_processor_time(uint64_t seconds) {
  struct rlimit both = {(rlim_t)seconds, (rlim_t)seconds + 1};
  return setrlimit(RLIMIT_CPU, &both) == 0;
}

#ifndef HAS_SHADOW
// In bytes; 0 if the system does not say.
static uint64_t mapped_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  unsigned long long pages = 0;
  if (fscanf(file, "%llu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}
#endif

static bool limit_address_space(const SandboxLimits *limits) {
#ifdef HAS_SHADOW
  (void)limits;
  return false;
#else
  uint64_t mapped = mapped_bytes();
  return mapped > 0 && limit(RLIMIT_AS, mapped + limits->addressSpace);
#endif
}

// Room for the two memories of one request. What a worker keeps of an earlier one, it has in the place of a new one.
static uint64_t most_descriptors(const SandboxLimits *limits) {
  int last = SandboxChannel;
  for (int descriptor = last; descriptor < MostSearched; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) last = descriptor;
  }
  return (uint64_t)last + 3 + (limits->readsFiles ? ForFiles : 0);
}

uint32_t sandbox_enter(const SandboxLimits *limits) {
  uint32_t done = 0;
  pid_t program = getppid();
  // The program's end is seen on the channel as well, but only between two images.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == program) done |= SandboxEndsWithProgram;
  // Also keeps other processes of this user from looking at the images.
  if (prctl(PR_SET_DUMPABLE, 0) == 0 && limit(RLIMIT_CORE, 0)) done |= SandboxNoDumps;
  // Of files, there are none to be written to.
  if (limit(RLIMIT_NOFILE, most_descriptors(limits)) && limit(RLIMIT_FSIZE, 0)) done |= SandboxDescriptors;
  if (limit_processor_time(limits->processorSeconds)) done |= SandboxProcessorTime;
  if (limit_address_space(limits)) done |= SandboxAddressSpace;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    done |= SandboxNoNewPrivileges;
    // Without Landlock, files to read would include those of the program's process.
    bool hasLandlock = sandbox_take_files(limits->readsFiles);
    if (hasLandlock) done |= SandboxFiles;
    // Last, as it takes away the calls above.
    if (sandbox_filter_calls(limits->readsFiles && hasLandlock)) done |= SandboxSystemCalls;
  }
  return done;
}

void sandbox_exit(int32_t status) { _Exit(status); }

#endif

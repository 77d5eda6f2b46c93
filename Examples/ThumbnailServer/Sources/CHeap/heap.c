#include "heap.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  return limit.rlim_cur > INT_MAX ? INT_MAX : (int)limit.rlim_cur;
}

double processor_seconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/sysinfo.h>

// Once set, they do not follow what the program does any more; see mallopt(3).
void keep_heap(void) {
  // By default there are eight arenas for each processor, of which each keeps what another one could use.
  mallopt(M_ARENA_MAX, get_nprocs());
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

void trim_heap(void) { malloc_trim(0); }
#else
void keep_heap(void) {}
void trim_heap(void) {}
#endif

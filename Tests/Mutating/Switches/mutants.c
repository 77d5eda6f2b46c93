#include "CMutants.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int mutants_chosen = -1;
unsigned char *mutants_reached;

// The bytes are those of the file itself: what a process has reached is there even if it crashes, and its children write
// into the same file.
static void share(const char *path) {
  int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || status.st_size == 0) abort();
  void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) abort();
  mutants_reached = bytes;
  close(file);
}

__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("MUTANT"), *path = getenv("MUTANTS_REACHED");
  if (number != NULL) mutants_chosen = atoi(number);
  if (path != NULL) share(path);
}

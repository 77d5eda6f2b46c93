#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CMutants.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void take(const char *variable) {
  if (strncmp(variable, "MUTANT=", 7) == 0) mutants_chosen = atoi(variable + 7);
  if (strncmp(variable, "MUTANTS_REACHED=", 16) == 0) share(variable + 16);
}

// A worker that decodes images gets an environment of its own, without these variables: they are taken from its parent's.
static void choose_as_parent(void) {
  char path[64], text[1 << 15];
  snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  size_t count = 0;
  ssize_t more;
  while ((more = read(file, text + count, sizeof text - 1 - count)) > 0) count += (size_t)more;
  close(file);
  text[count] = 0;
  for (size_t place = 0; place < count; place += strlen(text + place) + 1) take(text + place);
}

__attribute__((constructor)) static void choose(void) {
  if (getenv("MUTANT") == NULL && getenv("MUTANTS_REACHED") == NULL) choose_as_parent();
  for (char *const *variable = environ; *variable; variable++) take(*variable);
}

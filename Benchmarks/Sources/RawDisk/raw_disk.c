#define _GNU_SOURCE
#include "raw_disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef char path[80];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

static void name(path out, long entry) {
  uint64_t word = mixed((uint64_t)entry + 0x9e3779b97f4a7c15);
  snprintf(
      out, sizeof(path), "%02x/%016llx%016llx%016llx%016llx.bin", (unsigned)(word >> 56),
      (unsigned long long)word, (unsigned long long)mixed(word), (unsigned long long)mixed(word + 1),
      (unsigned long long)mixed(word + 2));
}

static path *names(long first, long count, const long *entries) {
  path *all = malloc((size_t)count * sizeof(path));
  for (long index = 0; all != NULL && index < count; index++)
    name(all[index], entries != NULL ? entries[index] : first + index);
  return all;
}

int raw_disk_enter(const char *path) {
  mkdir(path, 0700);
  if (chdir(path) != 0) return -1;
  mkdir("new", 0700);
  for (unsigned shelf = 0; shelf < 256; shelf++) {
    char folder[4];
    snprintf(folder, sizeof folder, "%02x", shelf & 255);
    mkdir(folder, 0700);
  }
  return 0;
}

double raw_disk_store(long first, long count, const void *bytes, long size) {
  path *all = names(first, count, NULL);
  long failed = 0;
  double start = now();
  for (long index = 0; index < count; index++) {
    char draft[40];
    snprintf(draft, sizeof draft, "new/%ld.tmp", first + index);
    int file = open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    failed += file < 0 || write(file, bytes, (size_t)size) != size || rename(draft, all[index]) != 0;
    close(file);
  }
  double seconds = now() - start;
  free(all);
  return failed ? -1 : seconds;
}

double raw_disk_hit(const long *entries, long count) {
  path *all = names(0, count, entries);
  long failed = 0;
  double start = now();
  for (long index = 0; index < count; index++) {
    struct stat status;
    int file = open(all[index], O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
      failed++;
      continue;
    }
    char *bytes = malloc((size_t)status.st_size);
    failed += pread(file, bytes, (size_t)status.st_size, 0) != status.st_size;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    failed += futimens(file, (struct timespec[]){time, time}) != 0;
    free(bytes);
    close(file);
  }
  double seconds = now() - start;
  free(all);
  return failed ? -1 : seconds;
}

double raw_disk_miss(long first, long count) {
  path *all = names(first, count, NULL);
  long failed = 0;
  double start = now();
  for (long index = 0; index < count; index++)
    failed += open(all[index], O_RDONLY | O_NOFOLLOW | O_CLOEXEC) >= 0;
  double seconds = now() - start;
  free(all);
  return failed ? -1 : seconds;
}

typedef struct entry {
  struct timespec used;
  int shelf;
  char name[72];
} entry;

static int is_older(const void *left, const void *right) {
  const struct timespec *a = left, *b = right;
  if (a->tv_sec != b->tv_sec) return a->tv_sec < b->tv_sec ? -1 : 1;
  return a->tv_nsec < b->tv_nsec ? -1 : a->tv_nsec > b->tv_nsec;
}

double raw_disk_sweep(long kept, long *deleted) {
  double start = now();
  long count = 0, room = 1024, failed = 0;
  entry *all = malloc((size_t)room * sizeof *all);
  for (unsigned shelf = 0; shelf < 256; shelf++) {
    char folder[4];
    snprintf(folder, sizeof folder, "%02x", shelf & 255);
    DIR *directory = opendir(folder);
    if (directory == NULL) continue;
    for (struct dirent *found; (found = readdir(directory)) != NULL;) {
      struct stat status;
      if (found->d_name[0] == '.' || strlen(found->d_name) >= sizeof all->name) continue;
      if (fstatat(dirfd(directory), found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      if (count == room) all = realloc(all, (size_t)(room *= 2) * sizeof *all);
      all[count].used = status.st_mtim;
      all[count].shelf = (int)shelf;
      strcpy(all[count++].name, found->d_name);
    }
    closedir(directory);
  }
  *deleted = 0;
  long excess = count - kept;
  if (excess > 0) {
    struct timespec *times = malloc((size_t)count * sizeof *times);
    for (long index = 0; index < count; index++) times[index] = all[index].used;
    qsort(times, (size_t)count, sizeof *times, is_older);
    struct timespec limit = times[excess - 1];
    free(times);
    int directory = -1, shelf = -1;
    for (long index = 0; index < count; index++) {
      if (is_older(&all[index].used, &limit) > 0) continue;
      if (shelf != all[index].shelf) {
        char folder[4];
        if (directory >= 0) close(directory);
        snprintf(folder, sizeof folder, "%02x", (unsigned)(shelf = all[index].shelf) & 255);
        directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      }
      failed += unlinkat(directory, all[index].name, 0) != 0;
      ++*deleted;
    }
    if (directory >= 0) close(directory);
  }
  free(all);
  return failed ? -1 : now() - start;
}

int raw_disk_flush(void) {
  int directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int result = syncfs(directory);
  close(directory);
  return result;
}

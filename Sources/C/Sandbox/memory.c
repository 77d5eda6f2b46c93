#include "filter.h"

#ifdef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int32_t fail(int memory) {
  int32_t code = errno;
  close(memory);
  return -code;
}

static ssize_t write_at(int memory, const char *bytes, size_t count, size_t offset) {
  ssize_t done;
  do { done = pwrite(memory, bytes, count, (off_t)offset); } while (done < 0 && errno == EINTR);
  return done;
}

int32_t sandbox_fill(int32_t memory, size_t offset, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t more = write_at(memory, (const char *)bytes + done, count - done, offset + done);
    if (more <= 0) return more < 0 ? -errno : -ERANGE;
    done += (size_t)more;
  }
  return 0;
}

static int32_t make(const char *name, size_t count, int seals) {
  int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -errno;
  if (ftruncate(memory, (off_t)count) != 0) return fail(memory);
  if (fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | seals) != 0) return fail(memory);
  return memory;
}

int32_t sandbox_make_input(size_t count) {
  // Not against writing, which takes the kernel long to prove: the program never reads this. A worker cannot add that seal
  // either, and so the program can write the next file to the same memory.
  return make("image", count, F_SEAL_SEAL);
}

int32_t sandbox_make_output(size_t count) { return make("pixels", count, 0); }

// On the processor that has written to it last, as others have to wait until that one lets go of the pages.
int32_t sandbox_seal(int32_t memory) {
  // Fails as long as the memory is mapped anywhere such that it can be written to.
  return fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE) != 0 ? -errno : 0;
}

SandboxMemory sandbox_check_sealed(int32_t memory, size_t count, size_t most) {
  int seals = fcntl(memory, F_GET_SEALS);
  // A worker does that itself, at less cost. If it has not, it may be able to write.
  if (seals >= 0 && (seals & F_SEAL_WRITE) == 0 && sandbox_seal(memory) == 0) seals = fcntl(memory, F_GET_SEALS);
  int needed = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
  if (seals < 0 || (seals & needed) != needed) return SandboxMemoryIsWritable;
  struct stat status;
  if (fstat(memory, &status) != 0 || (size_t)status.st_size != count) return SandboxMemoryIsWritable;
  return (uint64_t)status.st_blocks * 512 > most ? SandboxMemoryIsLarge : SandboxMemoryIsRight;
}

bool sandbox_reclaim(int32_t memory, size_t count) {
  // Fails if the worker has sealed it, which then must have emptied it.
  fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)count);
  // Only then is it certain that nothing is written any more, and so how much there is.
  return sandbox_check_sealed(memory, count, 0) == SandboxMemoryIsRight;
}

void *sandbox_map_private(int32_t memory, size_t offset, size_t count) {
  void *address = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, memory, (off_t)offset);
  return address == MAP_FAILED ? NULL : address;
}

int32_t sandbox_copy(int32_t memory, size_t offset, void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t more = pread(memory, (char *)bytes + done, count - done, (off_t)(offset + done));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return more < 0 ? -errno : -ERANGE;
    done += (size_t)more;
  }
  return 0;
}

// Reading beyond the end would end the process.
static bool holds(int32_t memory, size_t count) {
  off_t end = lseek(memory, 0, SEEK_END);
  return end >= 0 && count <= (size_t)end;
}

void *sandbox_map_input(int32_t memory, size_t count) {
  if (!holds(memory, count)) return NULL;
  void *address = mmap(NULL, count, PROT_READ, MAP_SHARED | MAP_POPULATE, memory, 0);
  return address == MAP_FAILED ? NULL : address;
}

void *sandbox_map_output(int32_t memory, size_t count) {
  if (!holds(memory, count)) return NULL;
  void *address = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (address == MAP_FAILED) return NULL;
  // The program counts pages, and huge ones would hold more than an image.
  madvise(address, count, MADV_NOHUGEPAGE);
  return address;
}

void sandbox_unmap(void *memory, size_t count) {
  if (memory) munmap(memory, count);
}

void sandbox_empty(void *memory, size_t count) {
  if (memory) madvise(memory, count, MADV_REMOVE);
}

// A mapping begins at a page, and the largest pages have 64 KiB.
enum { LargestPage = 1 << 16 };

int64_t sandbox_read_number(int32_t memory, size_t offset) {
  size_t start = offset / LargestPage * LargestPage, count = offset - start + sizeof(int64_t);
  int64_t number = 0;
  if (!holds(memory, start + count)) return 0;
  char *bytes = mmap(NULL, count, PROT_READ, MAP_SHARED, memory, (off_t)start);
  if (bytes == MAP_FAILED) return 0;
  memcpy(&number, bytes + (offset - start), sizeof number);
  munmap(bytes, count);
  return number;
}

#endif

#include "filter.h"

#ifndef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <stdlib.h>

#pragma clang diagnostic ignored "-Wunused-parameter"

// Where workers are not possible, none is started.

bool sandbox_is_supported(void) { return false; }
bool sandbox_is_worker(void) { return false; }

int32_t sandbox_start(
  const char *program, const char *flag, const char *version, bool needsFonts, SandboxProcess *started) {
  return -ENOSYS;
}
bool sandbox_ends_within(const SandboxProcess *process, int32_t milliseconds) { return true; }
SandboxEnding sandbox_end(SandboxProcess *process) { return (SandboxEnding){false, 0, 0}; }
bool sandbox_find_beside(const char *name, char *path, size_t capacity) { return false; }
int64_t sandbox_processor_time(const SandboxProcess *process) { return -1; }
int32_t sandbox_thread_count(const SandboxProcess *process) { return -1; }
int32_t sandbox_most_threads(void) { return 0; }
int32_t sandbox_after(int64_t milliseconds, void (*run)(void *context), void *context) { return -ENOSYS; }

int32_t sandbox_make_input(size_t count) { return -ENOSYS; }
int32_t sandbox_make_output(size_t count) { return -ENOSYS; }
int32_t sandbox_fill(int32_t memory, size_t offset, const void *bytes, size_t count) { return -ENOSYS; }
int32_t sandbox_copy(int32_t memory, size_t offset, void *bytes, size_t count) { return -ENOSYS; }
int32_t sandbox_seal(int32_t memory) { return -ENOSYS; }
SandboxMemory sandbox_check_sealed(int32_t memory, size_t count, size_t most) { return SandboxMemoryIsWritable; }
bool sandbox_reclaim(int32_t memory, size_t count) { return false; }
int64_t sandbox_read_number(int32_t memory, size_t offset) { return 0; }
void *sandbox_map_private(int32_t memory, size_t offset, size_t count) { return NULL; }
void *sandbox_map_input(int32_t memory, size_t count) { return NULL; }
void *sandbox_map_output(int32_t memory, size_t count) { return NULL; }
void sandbox_unmap(void *memory, size_t count) {}
void sandbox_empty(void *memory, size_t count) {}

int32_t sandbox_pair(int32_t ends[2]) { return -ENOSYS; }
int32_t sandbox_send(
  int32_t channel, const void *message, size_t count, const int32_t *descriptors, size_t descriptorCount) {
  return -ENOSYS;
}
int32_t sandbox_reply(int32_t channel, const void *message, size_t count) { return -ENOSYS; }
int64_t sandbox_receive(int32_t channel, void *message, size_t capacity, int32_t *descriptors, bool *isOdd) {
  return -ENOSYS;
}
bool sandbox_wait(int32_t channel, int32_t milliseconds) { return true; }
bool sandbox_is_interrupted(int32_t channel) { return true; }
void sandbox_close(int32_t descriptor) {}

void sandbox_prepare(void) {}
void sandbox_trim(void) {}
uint32_t sandbox_enter(const SandboxLimits *limits) { return 0; }
void sandbox_exit(int32_t status) { _Exit(status); }

#endif

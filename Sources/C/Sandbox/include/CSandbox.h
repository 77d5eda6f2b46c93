#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Processes that decode images for a program, and have no way to harm it. Functions return 0 or what they made, or an error
// number below zero, unless they say otherwise. Where workers are not possible, these return -ENOSYS.

/// Whether workers are possible: Linux, on a processor whose system calls the filter knows.
bool sandbox_is_supported(void);

// MARK: The program's side

typedef struct SandboxProcess {
  int32_t process;
  /// Refers to this very process, whatever its number is used for later; -1 if the kernel is too old.
  int32_t handle;
  int32_t channel;
  /// What the worker writes to its standard error: the reading end of a pipe that never blocks the worker.
  int32_t complaints;
} SandboxProcess;

/// Starts `program` with `flag`, the descriptors of a worker and no environment of the program's but the paths of libraries,
/// and those of fonts if it needs them.
int32_t sandbox_start(
  const char *program, const char *flag, const char *version, bool needsFonts, SandboxProcess *started);

typedef struct SandboxEnding {
  /// False if somebody else has waited for it.
  bool isKnown;
  /// 0 if it exited.
  int32_t signal;
  int32_t status;
} SandboxEnding;

/// Waits so long for the process to end by itself. Returns whether it did; false at once if it has no handle.
bool sandbox_ends_within(const SandboxProcess *process, int32_t milliseconds);

/// Kills the process unless it has ended, waits for it, and closes its descriptors. Without a process, closes the channel.
SandboxEnding sandbox_end(SandboxProcess *process);

/// Where a program of this name lies in the directory of this program; false if there is none.
bool sandbox_find_beside(const char *name, char *path, size_t capacity);

/// The processor time of all threads of the process, in nanoseconds; -1 if the system does not say.
int64_t sandbox_processor_time(const SandboxProcess *process);

/// How many threads the process has; -1 if there is no `/proc`.
int32_t sandbox_thread_count(const SandboxProcess *process);

/// More than any decoder starts; those of librsvg are as many as there are processors.
int32_t sandbox_most_threads(void);

/// Calls a function after so many milliseconds, on a thread that all such calls share. Fails if there is no such thread.
int32_t sandbox_after(int64_t milliseconds, void (*run)(void *context), void *context);

/// Empty memory for a file. Nobody can change its size or its seals any more.
int32_t sandbox_make_input(size_t count);

/// Copies bytes to shared memory that is large enough. Returns -EFAULT if they can no longer be read: they may be those of a
/// mapped file that has become shorter.
int32_t sandbox_fill(int32_t memory, size_t offset, const void *bytes, size_t count);

/// Empty memory of a size that nobody can change any more.
int32_t sandbox_make_output(size_t count);

typedef enum SandboxMemory { SandboxMemoryIsRight, SandboxMemoryIsWritable, SandboxMemoryIsLarge } SandboxMemory;

/// Whether nobody can write to this memory any more, it has this size, and no more than `most` bytes of it are in use.
SandboxMemory sandbox_check_sealed(int32_t memory, size_t count, size_t most);

/// Frees all of this memory, and ends all writing to it. Returns false if somebody still can, or if some of it is left.
bool sandbox_reclaim(int32_t memory, size_t count);

/// Maps sealed memory. Writing to the pages changes nothing but the caller's copy of them. NULL if there is no memory.
void *sandbox_map_private(int32_t memory, size_t offset, size_t count);

/// Copies from sealed memory.
int32_t sandbox_copy(int32_t memory, size_t offset, void *bytes, size_t count);

// MARK: Both sides

/// Sends a message, with descriptors. Does not wait: a channel that takes nothing fails.
int32_t sandbox_send(
  int32_t channel, const void *message, size_t count, const int32_t *descriptors, size_t descriptorCount);

/// Receives a message without waiting. Returns its length; 0 if the other side is gone. `isOdd` says that it was longer, or
/// had descriptors that were not asked for, which are closed. Up to two of them are the caller's if there is room for two; those that are
/// missing are -1.
int64_t sandbox_receive(int32_t channel, void *message, size_t capacity, int32_t *descriptors, bool *isOdd);

/// Waits until there is a message, or the other side is gone. Returns false after so many milliseconds; -1 is for ever.
bool sandbox_wait(int32_t channel, int32_t milliseconds);

int32_t sandbox_pair(int32_t ends[2]);
void sandbox_close(int32_t descriptor);
void sandbox_unmap(void *memory, size_t count);

// MARK: The worker's side

enum { SandboxChannel = 3 };

/// Sends a message without `sendmsg`, which a worker must not call: it could pass descriptors on.
int32_t sandbox_reply(int32_t channel, const void *message, size_t count);

/// Whether there is a message, or the other side is gone, looked at no more than every few milliseconds.
bool sandbox_is_interrupted(int32_t channel);

/// Maps memory that is at least so large. NULL if it is not, or if there are no addresses left.
void *sandbox_map_input(int32_t memory, size_t count);
void *sandbox_map_output(int32_t memory, size_t count);

/// Frees the pages of mapped memory.
void sandbox_empty(void *memory, size_t count);

/// The number at this place; 0 if there is none.
int64_t sandbox_read_number(int32_t memory, size_t offset);

/// Ends all writing to memory of `sandbox_make_output`, for good. Fails if somebody still can.
int32_t sandbox_seal(int32_t memory);

/// Gives the kernel back what the heap does not use.
void sandbox_trim(void);

typedef struct SandboxLimits {
  /// Bytes beyond what the process has mapped already.
  uint64_t addressSpace;
  uint64_t processorSeconds;
  /// Whether it can open files to read them, such as fonts.
  bool readsFiles;
} SandboxLimits;

enum {
  SandboxNoNewPrivileges = 1 << 0,
  SandboxSystemCalls = 1 << 1,
  SandboxFiles = 1 << 2,
  SandboxAddressSpace = 1 << 3,
  SandboxProcessorTime = 1 << 4,
  SandboxDescriptors = 1 << 5,
  SandboxNoDumps = 1 << 6,
  SandboxEndsWithProgram = 1 << 7,
};

/// Whether this process has the channel of a worker.
bool sandbox_is_worker(void);

/// First of all, before anything is opened: closes descriptors that are not a worker's, and makes the heap keep its memory.
void sandbox_prepare(void);

/// Gives up all that a worker does not need, for good. Returns what was given up, of the bits above.
uint32_t sandbox_enter(const SandboxLimits *limits);

/// Ends the process without running anything of the program's.
_Noreturn void sandbox_exit(int32_t status);

#endif

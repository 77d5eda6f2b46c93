#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__LITTLE_ENDIAN__)
#define SANDBOX_HAS_FILTER 1
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#endif

#include <stdbool.h>

/// Leaves this process, and all of its threads, the system calls that decoding takes.
///
/// - readsFiles: also those that open files to read them.
bool sandbox_filter_calls(bool readsFiles);

/// Takes all files from this process, or the right to change them, where the kernel has Landlock.
bool sandbox_take_files(bool readsFiles);

/// Starts a thread that never ends, and leaves signals to the threads of the program. Returns 0 or an error number.
int sandbox_serve(void *(*serve)(void *));

#endif

#ifndef CSABOTAGE_H
#define CSABOTAGE_H

#include <stddef.h>
#include <stdint.h>

/// Does what a decoder that was taken over might do; `number` is that of the request it is working on, and `proof` what lies
/// behind the file. Returns -1 if there is no such fault, 0 if decoding may go on, and otherwise the error number with which the
/// system refused it, or how much of something there was.
int32_t sabotage(const char *fault, int64_t number, int64_t proof);

/// The version of messages that the program asked for: a reply of another one is refused before any other check.
void sabotage_set_version(int64_t version);

/// Claims to have given up so much, and waits.
void pretend(int64_t protections);

/// Has the system refuse something to this process: `descriptors` beyond so many, or `clone3` with this error; or closes this
/// descriptor (`closed`), or takes it (`opened`). Returns 0, or -1 if there is no such hardship.
int32_t suffer(const char *hardship, int32_t amount);

/// How many descriptors this process has.
int32_t count_descriptors(void);

/// Returns how many bytes were read, or -1.
int64_t read_file(const char *path, void *bytes, size_t capacity);

/// Added to how many megabytes there were.
enum { SabotageMegabytes = 1 << 20 };

#endif

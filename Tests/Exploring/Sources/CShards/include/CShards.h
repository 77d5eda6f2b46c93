#ifndef CSHARDS_H
#define CSHARDS_H

// Work shared out among processes: one page in common, children that take the next piece from it.

#include <stdint.h>

/// What all processes see.
struct cshards_page {
  int64_t next;
  int64_t counts[8];
  /// What each process is at, and how far its random schedules have got.
  int64_t work[64];
};

struct cshards_page *cshards_page(void);
/// Memory of zeros that children share with their parent.
void *cshards_share(int64_t bytes);

int64_t cshards_add(int64_t *place, int64_t amount);

/// Zero in the child.
int cshards_fork(void);

/// Waits for any child: its number, and in `signal` what killed it (zero if nothing).
int cshards_wait(int *signal);

void cshards_print(const char *text, long length);
void cshards_exit(int status);

/// Has `report` called when this process traps.
void cshards_on_trap(void (*report)(void));

/// Bytes that are allocated at this moment.
int64_t cshards_allocated(void);

/// Begins this process anew if collections could hash differently each time: a schedule is repeated by what is chosen,
/// and the order of a dictionary must not be another choice.
void cshards_hash_alike(char **arguments);

double cshards_seconds(void);
int cshards_cores(void);

#endif

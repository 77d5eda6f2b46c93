#define _GNU_SOURCE
#include "f.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
void futex_wait(const void *word, uint32_t value) { syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0); }
void futex_wake(const void *word, int count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, 0, 0, 0); }

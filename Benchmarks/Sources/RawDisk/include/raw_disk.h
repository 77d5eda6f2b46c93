#ifndef RAW_DISK_H
#define RAW_DISK_H

#include <stdint.h>

// The system calls that a cache of files cannot do without, on one thread, with no format, no checksum and no
// protection against others. Entries have numbers; their names have 64 digits, as ours have, and are made before the
// clock starts. Each function returns the seconds it took, or a negative number if anything failed.

// Makes the directory and its 256 shelves, and goes there: the functions below work in the current directory.
int raw_disk_enter(const char *path);

// open, write, rename, close.
double raw_disk_store(long first, long count, const void *bytes, long size);

// open, fstat, read into memory of its own, futimens, close.
double raw_disk_hit(const long *entries, long count);

// open, which fails.
double raw_disk_miss(long first, long count);

// readdir and fstatat of all; then unlinkat, shelf by shelf, of those that are older than the `kept` newest.
double raw_disk_sweep(long kept, long *deleted);

// Writes all that the file system of the current directory has in memory to the disk.
int raw_disk_flush(void);

#endif

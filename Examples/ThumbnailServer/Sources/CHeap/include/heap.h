#pragma once

/// How many files this process may have open.
int descriptor_limit(void);

/// The processor time of this process, in user and system mode.
double processor_seconds(void);

/// Has blocks of images come from the heap, and the heap keep what they leave, instead of getting each page anew from the system.
/// Does nothing without glibc.
void keep_heap(void);

/// Gives back to the system what is free at the ends and in the middle of the heap. Does nothing without glibc.
void trim_heap(void);

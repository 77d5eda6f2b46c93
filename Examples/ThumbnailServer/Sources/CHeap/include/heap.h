#pragma once

/// Gives back to the system what is free at the ends and in the middle of the heap. Does nothing without glibc.
void trim_heap(void);

#ifndef CCODECS_CLEAN_H
#define CCODECS_CLEAN_H

/// From now on, memory that the C library hands out is zero, and is overwritten when it is freed. Small pieces that a thread frees
/// and takes again are an exception. Calls nest. Only with glibc.
///
/// A library that leaves pixels as it finds them shows no memory of the program, or of another image.
void codec_begin_clean_memory(void);

/// Ends what one call began.
void codec_end_clean_memory(void);

#endif

#ifndef CCODECS_QUIET_H
#define CCODECS_QUIET_H

#include "CodecStatus.h"

typedef CodecStatus (*CodecWork)(void *context);

/// Runs work whose standard error nobody sees, and waits for it.
///
/// dav1d and libde265 print what they find wrong in a file, and offer no way to stop that. So they run on a thread with
/// a table of file descriptors of its own, in which standard error leads nowhere: the program's stays as it is. The
/// work must need no descriptors of the program. Where the system does not offer that, it runs as any other.
CodecStatus codec_run_quietly(CodecWork work, void *context);

/// Whether the system gives this process threads. With the address sanitizer, and elsewhere, that is taken for granted.
bool codec_can_start_threads(void);

/// Whether `codec_run_quietly` keeps its promise here. Not with the address sanitizer, whose reports would be lost.
bool codec_can_be_quiet(void);

/// From now on, work runs as any other: standard error of this process is not what somebody reads.
void codec_be_quiet_already(void);

#endif

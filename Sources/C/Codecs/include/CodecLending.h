#ifndef CCODECS_LENDING_H
#define CCODECS_LENDING_H

#include "CodecStatus.h"

// Memory of somebody else, in which pixels are made on this thread: that of another process, so that they need not be copied.

/// Lets `codec_allocate_pixels` take large blocks of `memory`, which is zeroed and begins at a page, while there is room.
void codec_lend_pixels(void *memory, size_t byteCount);

/// Whether these pixels are in the memory that is lent. They then stay there, whatever happens to their image.
bool codec_keep_lent(const void *pixels, size_t *offset);

/// A block that stays; NULL if there is no room.
void *codec_take_lent(size_t byteCount, size_t *offset);

bool codec_is_lending(void);

/// Ends lending. Returns false if something that is to be released later is still there.
bool codec_end_lending(void);

/// For `codec_allocate_pixels`: NULL if nothing is lent, or there is no room.
void *codec_allocate_lent(size_t byteCount);

/// For `codec_free_pixels`: whether they were in the memory that is lent.
bool codec_free_lent(void *pixels);

#endif

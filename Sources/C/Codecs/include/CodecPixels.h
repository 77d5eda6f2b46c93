#ifndef CCODECS_PIXELS_H
#define CCODECS_PIXELS_H

#include "CodecStatus.h"

/// Zeroed memory, or NULL. Pages that are never touched cost nothing.
void *codec_allocate(size_t byteCount);

/// Zeroed memory for pixels, or NULL. What is large is the system's own and goes back to it at once: pixels that stay, between
/// files that come and go, would keep the heap from ever becoming smaller.
void *codec_allocate_pixels(size_t byteCount);

/// The same for pixels that are all written before any is read. Zeroing them takes as long as a tenth of decoding a JPEG.
void *codec_allocate_unset_pixels(size_t byteCount);

/// From now on, pixels of fewer bytes come from the heap: in a process that keeps its heap, their pages are there already. Only
/// before there are any pixels.
void codec_keep_pixels_in_heap(size_t byteCount);

/// Releases what one of these returned, for the same number of bytes.
void codec_free_pixels(void *pixels, size_t byteCount);

/// Memory whose address is a multiple of 64, or NULL. Not zeroed.
void *codec_allocate_aligned(size_t byteCount);

/// Releases what `codec_allocate` or `codec_allocate_aligned` returned.
void codec_free(void *memory);

bool codec_equal(const void *left, const void *right, size_t byteCount);

/// Copies `source` so that an image stored with EXIF `orientation` stands upright.
/// `width` and `height` are those of the source; rows of both are not padded.
void codec_orient(
  const uint8_t *source, size_t width, size_t height, size_t bytesPerPixel, int32_t orientation,
  uint8_t *destination);

/// Straight-alpha pixels over white.
void codec_flatten_over_white(const uint8_t *rgba, size_t pixelCount, uint8_t *rgb);

/// Samples of 16 bits, of this machine, to the nearest of 8.
void codec_narrow(const void *samples, size_t count, uint8_t *bytes);

/// A color as it was before it was multiplied by alpha. Both are at most `most`. Where alpha is 0, the color stays.
uint32_t codec_divided(uint32_t color, uint32_t alpha, uint32_t most);

void codec_gray_to_rgb(const uint8_t *gray, size_t pixelCount, uint8_t *rgb);

/// A copy in memory of its own, whose rows are not padded. Null if there is no memory; `free` it.
uint8_t *codec_gray_rows_to_rgb(const uint8_t *gray, size_t bytesPerRow, size_t width, size_t height);

/// `isInverted` is how Adobe stores ink: 255 is none.
void codec_cmyk_to_rgb(const uint8_t *cmyk, size_t pixelCount, bool isInverted, uint8_t *rgb);

#endif

#ifndef CCODECS_GIF_CODES_H
#define CCODECS_GIF_CODES_H

#include <stddef.h>
#include <stdint.h>

/// The codes of a GIF frame (LZW), made numbers of colors again.
///
/// Once the table of codes is full it stays as it is until the file starts again, as browsers have it. giflib 5.2.1
/// refuses such files.
typedef struct GIFCodes GIFCodes;

typedef enum GIFCodesResult {
  GIFCodesRead,
  /// The codes end before the pixels do.
  GIFCodesMissing,
  /// A code that does not exist yet.
  GIFCodesMeaningless,
} GIFCodesResult;

/// The next part of the codes, valid up to the next call; of no bytes at the end.
typedef const uint8_t *(*GIFCodesNext)(void *context, size_t *count);

/// Of a code.
enum { GIFCodesMostBits = 12 };

/// NULL when there is no memory. `codeSize`, from 1 to below `GIFCodesMostBits`, is what the frame gives.
GIFCodes *gif_codes_create(unsigned codeSize, GIFCodesNext next, void *context);

/// Writes the next `count` numbers.
GIFCodesResult gif_codes_read(GIFCodes *codes, uint16_t *numbers, size_t count);
void gif_codes_destroy(GIFCodes *codes);

#endif

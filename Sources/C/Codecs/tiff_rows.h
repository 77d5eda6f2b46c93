#ifndef CCODECS_TIFF_ROWS_H
#define CCODECS_TIFF_ROWS_H

#include "CodecProfile.h"
#include "CodecTIFF.h"

/// Converts rows of stored samples to rows of pixels.
typedef struct TIFFRows {
  const CodecTIFFFrame *frame;
  /// The samples of a row, pixel after pixel: of 16 bits, or as stored if they are indices.
  uint16_t *samples;
  /// The pixels of a row on their way.
  uint16_t *wide;
  uint8_t *narrow;
  /// Red, green and blue of each index.
  const uint16_t *palette[3];
  bool isNarrowPalette;
  CodecProfileTransform *transform;
} TIFFRows;

/// False when there is no memory, or no transform of CIELab. `tiff_rows_destroy` is to be called in any case.
bool tiff_rows_create(TIFFRows *rows, const CodecTIFFFrame *frame);
void tiff_rows_destroy(TIFFRows *rows);

/// Adds the stored samples of a row: those of one plane, or all of them.
void tiff_rows_add(TIFFRows *rows, const uint8_t *stored, size_t plane, bool isPlane);

/// Writes the row of pixels for the samples that were added.
void tiff_rows_write(TIFFRows *rows, uint8_t *target);

#endif

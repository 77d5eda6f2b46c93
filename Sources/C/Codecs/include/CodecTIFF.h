#ifndef CCODECS_TIFF_H
#define CCODECS_TIFF_H

#include "CodecStatus.h"

/// What the samples of a pixel are, apart from alpha and samples without a meaning, which follow.
typedef enum __attribute__((enum_extensibility(closed))) CodecTIFFColors : uint32_t {
  CodecTIFFColorsGray = 0,
  /// Zero is white.
  CodecTIFFColorsInvertedGray,
  CodecTIFFColorsRGB,
  CodecTIFFColorsPalette,
  /// Cyan, magenta, yellow and black.
  CodecTIFFColorsInks,
  CodecTIFFColorsLab,
  /// CIELab as in color profiles, without signs.
  CodecTIFFColorsProfileLab,
  /// Others, which libtiff converts.
  CodecTIFFColorsConverted,
} CodecTIFFColors;

typedef struct CodecTIFFFrame {
  /// What the header says; anything else is corrupt.
  uint32_t width;
  uint32_t height;
  CodecTIFFColors colors;
  uint32_t samples;
  uint32_t bits;
  bool isFloat;
  /// The index of the alpha sample, or -1.
  int32_t alpha;
  /// Whether colors are multiplied by alpha.
  bool isMultiplied;
  /// Of the pixels: 1 for gray, 3 for RGB, 4 with alpha or if libtiff converts.
  uint32_t channels;
  /// Whether channels have 16 bits, in the byte order of this machine. Not of inks.
  bool isWide;
  /// Of the inks, or NULL.
  const uint8_t *profile;
  size_t profileCount;
  uint8_t *pixels;
  size_t bytesPerRow;
} CodecTIFFFrame;

/// The first picture of a file, as stored, not turned. `message` has room for `CodecMessageCapacity` bytes.
CodecStatus codec_tiff_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecTIFFFrame *frame,
  char *message);

#endif

#ifndef CCODECS_TIFF_H
#define CCODECS_TIFF_H

#include "CodecStatus.h"

typedef struct CodecTIFFFrame {
  /// What the header says; anything else is corrupt.
  uint32_t width;
  uint32_t height;
  /// 1 for gray, 3 for RGB, and 4, if the file has them as they are; else 4, whatever the file has.
  uint32_t channels;
  bool isPlain;
  /// Whether samples are those of CIELab, which become RGB.
  bool isLab;
  /// Whether samples of a plain picture stay 16 bits, in the byte order of this machine.
  bool isWide;
  uint8_t *pixels;
  size_t bytesPerRow;
} CodecTIFFFrame;

/// The first picture of a file, as stored, not turned. `message` has room for `CodecMessageCapacity` bytes.
///
/// A plain picture lies in rows of samples of 8 or 16 bits, which become 8 unless they are
/// to stay. All others are made RGBA by libtiff.
CodecStatus codec_tiff_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecTIFFFrame *frame,
  char *message);

#endif

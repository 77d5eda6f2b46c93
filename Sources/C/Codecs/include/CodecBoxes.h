#ifndef CCODECS_BOXES_H
#define CCODECS_BOXES_H

#include "CodecStatus.h"

/// AVIF and HEIC: formats made of boxes, whose headers are read in Swift.

typedef struct CodecBoxesFrame {
  /// What the header says; anything else is corrupt.
  uint32_t width;
  uint32_t height;
  /// 3 or 4.
  uint32_t channels;
  /// Whether a channel has 16 bits rather than 8.
  bool isWide;
  uint8_t *pixels;
  size_t bytesPerRow;
} CodecBoxesFrame;

typedef struct CodecBoxesEncoding {
  uint32_t width;
  uint32_t height;
  /// 1, 3 or 4.
  uint32_t channels;
  /// 0 to 100.
  float quality;
  const uint8_t *profile;
  size_t profileCount;
  /// From the byte order on.
  const uint8_t *exif;
  size_t exifCount;
  const uint8_t *xmp;
  size_t xmpCount;
} CodecBoxesEncoding;

/// `message` has room for `CodecMessageCapacity` bytes. Pixels lie as stored, not turned. Neither library can be
/// interrupted within an image.
CodecStatus codec_avif_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecBoxesFrame *frame,
  char *message);
CodecStatus codec_heif_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecBoxesFrame *frame,
  char *message);

/// The version of the library that is loaded.
const char *codec_avif_version(void);
const char *codec_heif_version(void);

/// `output` belongs to the caller, who returns it to `codec_free`.
CodecStatus codec_avif_write(
  const CodecBoxesEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow, uint8_t **output,
  size_t *count, char *message);
CodecStatus codec_heif_write(
  const CodecBoxesEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow, uint8_t **output,
  size_t *count, char *message);

#endif

#ifndef CCODECS_BOXES_H
#define CCODECS_BOXES_H

#include "CodecMetadata.h"
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
  CodecMetadata metadata;
} CodecBoxesEncoding;

/// `message` has room for `CodecMessageCapacity` bytes. Pixels lie as stored, not turned. Neither library can be
/// interrupted within an image.
CodecStatus codec_avif_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecBoxesFrame *frame,
  char *message);
CodecStatus codec_heif_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecBoxesFrame *frame,
  char *message);

/// Opens the frames of a sequence, which have the size of `frame`. The bytes must outlive them. `frames` is for
/// `codec_avif_frames_close` if there is no error.
CodecStatus codec_avif_frames_open(
  const uint8_t *bytes, size_t count, const CodecBoxesFrame *frame, void **frames, char *message);

/// Decodes the next frame. `exists` is false after the last one.
CodecStatus codec_avif_frames_next(
  void *frames, const CodecBoxesFrame *frame, bool *exists, double *seconds, char *message);
void codec_avif_frames_close(void *frames);

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

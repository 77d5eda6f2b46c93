#ifndef CCODECS_WEBP_H
#define CCODECS_WEBP_H

#include "CodecStatus.h"

typedef struct CodecWebPHeader {
  uint32_t width;
  uint32_t height;
  bool hasAlpha;
} CodecWebPHeader;

typedef struct CodecWebPFrame {
  /// What to scale to while decoding; the size of the image for no scaling.
  uint32_t width;
  uint32_t height;
  /// 3 or 4.
  uint32_t channels;
  /// Room for `height` rows, `bytesPerRow` apart.
  uint8_t *pixels;
  size_t bytesPerRow;
  size_t byteCount;
} CodecWebPFrame;

CodecStatus codec_webp_read_header(const uint8_t *bytes, size_t count, CodecWebPHeader *header);
CodecStatus codec_webp_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecWebPFrame *frame);

typedef struct CodecWebPAnimation CodecWebPAnimation;

typedef struct CodecWebPStep {
  /// False after the last one.
  bool exists;
  uint32_t milliseconds;
} CodecWebPStep;

/// NULL when the file is damaged, or there is no memory. The bytes must outlive it.
CodecWebPAnimation *codec_webp_animation_create(
  const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Writes all of the canvas, RGBA.
CodecStatus codec_webp_animation_next(CodecWebPAnimation *animation, uint8_t *canvas, CodecWebPStep *step);
void codec_webp_animation_destroy(CodecWebPAnimation *animation);

typedef struct CodecWebPEncoding {
  uint32_t width;
  uint32_t height;
  /// 1, 3 or 4.
  uint32_t channels;
  bool isLossless;
  float quality;
  /// 0 to 6; unless it is lossless.
  uint32_t effort;
} CodecWebPEncoding;

/// `output` belongs to the caller, who returns it to `codec_webp_free`.
CodecStatus codec_webp_write(
  const CodecWebPEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow, uint8_t **output,
  size_t *count);
void codec_webp_free(uint8_t *output);

#endif

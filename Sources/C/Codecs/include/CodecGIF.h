#ifndef CCODECS_GIF_H
#define CCODECS_GIF_H

#include "CodecStatus.h"

typedef struct CodecGIFReader CodecGIFReader;

typedef struct CodecGIFFrame {
  /// False after the last one.
  bool exists;
  /// Hundredths of a second.
  uint32_t delay;
} CodecGIFFrame;

/// NULL when there is no memory. The bytes must outlive the reader.
CodecGIFReader *codec_gif_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options);
CodecStatus codec_gif_reader_read_header(CodecGIFReader *reader, uint32_t width, uint32_t height);

/// Paints the next frame over `canvas`: RGBA, transparent before the first call, and between calls as the last
/// one left it.
CodecStatus codec_gif_reader_next(CodecGIFReader *reader, uint8_t *canvas, CodecGIFFrame *frame);
const char *codec_gif_reader_message(const CodecGIFReader *reader);
void codec_gif_reader_destroy(CodecGIFReader *reader);

/// A frame, or a part of one.
typedef struct CodecGIFPart {
  /// RGBA without padding. Pixels whose alpha is 0 are transparent, and all others opaque.
  const uint8_t *pixels;
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
  /// Hundredths of a second.
  uint32_t delay;
  /// Whether its area becomes transparent before the next frame.
  bool isCleared;
} CodecGIFPart;

/// Writes a GIF of one frame with a palette of its own. `output` belongs to the caller, who returns it to `codec_free`.
CodecStatus codec_gif_write(const CodecGIFPart *part, uint8_t **output, size_t *count);

#endif

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

#endif

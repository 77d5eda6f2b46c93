#ifndef CCODECS_PNG_H
#define CCODECS_PNG_H

#include "CodecStatus.h"

typedef struct CodecPNGReader CodecPNGReader;

typedef struct CodecPNGHeader {
  uint32_t width;
  uint32_t height;
  /// After palette and transparency are expanded: 1, 3 or 4.
  uint32_t channels;
  /// Of a channel: 8, or 16 in the byte order of this machine.
  uint32_t bits;
} CodecPNGHeader;

/// NULL when there is no memory. The bytes must outlive the reader.
CodecPNGReader *codec_png_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options);

/// Fails unless the file is at most `maximumWidth` by `maximumHeight`. Samples of 16 bits become 8 unless `keepsDepth`.
CodecStatus codec_png_reader_read_header(
  CodecPNGReader *reader, uint32_t maximumWidth, uint32_t maximumHeight, bool keepsDepth, CodecPNGHeader *header);
CodecStatus codec_png_reader_read(CodecPNGReader *reader, uint8_t *pixels, size_t bytesPerRow);
/// Whether all pixels have been read, whatever follows.
bool codec_png_reader_has_all_rows(const CodecPNGReader *reader);
const char *codec_png_reader_message(const CodecPNGReader *reader);
void codec_png_reader_destroy(CodecPNGReader *reader);

typedef struct CodecPNGWriter CodecPNGWriter;

typedef struct CodecPNGWriterOptions {
  uint32_t width;
  uint32_t height;
  /// 1, 3 or 4.
  uint32_t channels;
  /// Of a channel: 8, or 16 in the byte order of this machine.
  uint32_t bits;
  bool isSRGB;
  const uint8_t *profile;
  size_t profileCount;
} CodecPNGWriterOptions;

CodecPNGWriter *codec_png_writer_create(void);
CodecStatus codec_png_writer_write(
  CodecPNGWriter *writer, const CodecPNGWriterOptions *options, const uint8_t *pixels,
  size_t bytesPerRow);
const uint8_t *codec_png_writer_output(const CodecPNGWriter *writer, size_t *count);
const char *codec_png_writer_message(const CodecPNGWriter *writer);
void codec_png_writer_destroy(CodecPNGWriter *writer);

#endif

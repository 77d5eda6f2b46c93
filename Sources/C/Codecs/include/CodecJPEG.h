#ifndef CCODECS_JPEG_H
#define CCODECS_JPEG_H

#include "CodecStatus.h"

typedef struct CodecJPEGReader CodecJPEGReader;

typedef struct CodecJPEGHeader {
  uint32_t width;
  uint32_t height;
  /// 1 for gray, 3 for everything else: what `read` will write.
  uint32_t channels;
  bool hasInkColors;
} CodecJPEGHeader;

/// NULL when there is no memory. The bytes must outlive the reader.
CodecJPEGReader *codec_jpeg_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options);
CodecStatus codec_jpeg_reader_read_header(CodecJPEGReader *reader, CodecJPEGHeader *header);

/// What the inks look like; false when the profile does not say. Once, after the header.
bool codec_jpeg_reader_use_ink_profile(
  CodecJPEGReader *reader, const uint8_t *profile, size_t count);

/// Begins decoding at `eighths`/8 of the size and reports the size that results.
///
/// `stopsEarly` reads of a progressive file the scans only that matter at this size, and keeps of them the coefficients
/// only that do. Fails if the coefficients take more than the working memory allowed.
CodecStatus codec_jpeg_reader_start(
  CodecJPEGReader *reader, uint32_t eighths, bool stopsEarly, uint32_t *width, uint32_t *height);
/// Reads the rows that have not been read yet, each to its place, and checks the end of the file.
CodecStatus codec_jpeg_reader_read(CodecJPEGReader *reader, uint8_t *pixels, size_t bytesPerRow);
/// Reads the next row. There must be one. `read` has to be called after the last one.
CodecStatus codec_jpeg_reader_read_row(CodecJPEGReader *reader, uint8_t *row);

/// False when a tolerant reader had to make up pixels. A missing end mark alone is none.
bool codec_jpeg_reader_is_complete(const CodecJPEGReader *reader);
/// How many scans have been read.
int32_t codec_jpeg_reader_scans(const CodecJPEGReader *reader);

/// Whether segments and scans follow each other up to the end mark. Nothing is decoded.
bool codec_jpeg_is_whole(const uint8_t *bytes, size_t count);
const char *codec_jpeg_reader_message(const CodecJPEGReader *reader);
void codec_jpeg_reader_destroy(CodecJPEGReader *reader);

typedef struct CodecJPEGWriter CodecJPEGWriter;

typedef struct CodecJPEGWriterOptions {
  uint32_t width;
  uint32_t height;
  /// 1, 3, or 4 (flattened over white).
  uint32_t channels;
  int32_t quality;
  bool isProgressive;
  const uint8_t *profile;
  size_t profileCount;
} CodecJPEGWriterOptions;

CodecJPEGWriter *codec_jpeg_writer_create(void);
CodecStatus codec_jpeg_writer_start(CodecJPEGWriter *writer, const CodecJPEGWriterOptions *options);
CodecStatus codec_jpeg_writer_write_row(CodecJPEGWriter *writer, const uint8_t *row);
CodecStatus codec_jpeg_writer_finish(CodecJPEGWriter *writer);

/// What has been written since the last `discard_output`.
const uint8_t *codec_jpeg_writer_output(const CodecJPEGWriter *writer, size_t *count);
void codec_jpeg_writer_discard_output(CodecJPEGWriter *writer);
const char *codec_jpeg_writer_message(const CodecJPEGWriter *writer);
void codec_jpeg_writer_destroy(CodecJPEGWriter *writer);

#endif

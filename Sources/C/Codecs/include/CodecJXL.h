#ifndef CCODECS_JXL_H
#define CCODECS_JXL_H

#include "CodecMetadata.h"
#include "CodecStatus.h"

/// Reads JPEG XL with libjxl, on the calling thread: one frame after the other.
typedef struct CodecJXLReader CodecJXLReader;

typedef struct CodecJXLFrame {
  /// What the header says; anything else is corrupt.
  uint32_t width;
  uint32_t height;
  /// 1, 3 or 4.
  uint32_t channels;
  /// Whether a channel has 16 bits rather than 8.
  bool isWide;
  /// Rows without gaps, as stored, not turned.
  uint8_t *pixels;
  size_t byteCount;
  /// False after the last frame.
  bool exists;
  int64_t milliseconds;
} CodecJXLFrame;

/// `NULL` without memory. Neither the bytes nor what `options` point to are copied.
CodecJXLReader *codec_jxl_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options);

/// Of a file that ends early, `CodecStatusTruncated`. If reading is not strict, and there is something to see, the frame then exists.
CodecStatus codec_jxl_reader_next(CodecJXLReader *reader, CodecJXLFrame *frame);

/// The profile of the pixels that were read. `NULL` if they are sRGB.
const uint8_t *codec_jxl_reader_profile(const CodecJXLReader *reader, size_t *count);

/// The version of libjxl, with three digits for each of the last two parts.
uint32_t codec_jxl_version(void);
const char *codec_jxl_reader_message(const CodecJXLReader *reader);

void codec_jxl_reader_destroy(CodecJXLReader *reader);

/// The JPEG that a file was made of, byte for byte. `CodecStatusUnsupported` if it was not. `output` belongs to the caller, who returns
/// it to `codec_free`.
CodecStatus codec_jxl_read_jpeg(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, size_t maximumCount,
  uint8_t **output, size_t *outputCount);

/// The content of the first compressed box (`brob`) of a container, which has another box behind it. `CodecStatusTooMuchMemory` if it is
/// larger than `maximumCount`. `output` belongs to the caller, who returns it to `codec_free`.
CodecStatus codec_jxl_read_box(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, size_t maximumCount,
  uint8_t **output, size_t *outputCount);

typedef struct CodecJXLEncoding {
  uint32_t width;
  uint32_t height;
  /// 1, 3 or 4.
  uint32_t channels;
  bool isWide;
  /// 0 is lossless.
  float distance;
  /// 1 to 9.
  int32_t effort;
  CodecMetadata metadata;
} CodecJXLEncoding;

/// `pixels` are rows without gaps. `output` belongs to the caller, who returns it to `codec_free`.
CodecStatus codec_jxl_write(
  const CodecJXLEncoding *encoding, const uint8_t *pixels, size_t byteCount, uint8_t **output, size_t *count,
  char *message);

/// Writes the coefficients of a JPEG, and what is needed to make the same file of them.
CodecStatus codec_jxl_write_jpeg(
  const uint8_t *jpeg, size_t jpegCount, int32_t effort, uint8_t **output, size_t *count, char *message);

#endif

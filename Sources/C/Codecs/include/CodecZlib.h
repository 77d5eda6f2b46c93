#ifndef CCODECS_ZLIB_H
#define CCODECS_ZLIB_H

#include "CodecStatus.h"

/// Decompresses all members of a gzip file, as far as there is room. Other bytes behind a member are ignored, as gzip does.
///
/// Truncated also if the content is longer than `capacity`, of which one byte at least must be there.
CodecStatus codec_gzip_inflate(
  const uint8_t *bytes, size_t count, uint8_t *content, size_t capacity, size_t *written);

/// Decompresses one stream of zlib, of at most `INT32_MAX` bytes. Corrupt also if it is truncated or longer than `capacity`.
CodecStatus codec_zlib_inflate(
  const uint8_t *bytes, size_t count, uint8_t *content, size_t capacity, size_t *written);

/// The checksum of PNG and gzip.
uint32_t codec_crc32(const uint8_t *bytes, size_t count);

#endif

#include "CodecZlib.h"

#include <string.h>
#include <zlib.h>

enum { GzipFormat = 16 };

/// zlib counts in 32 bits.
static uInt part(ptrdiff_t count) { return count > INT32_MAX ? INT32_MAX : (uInt)count; }

CodecStatus codec_gzip_inflate(
  const uint8_t *bytes, size_t count, uint8_t *content, size_t capacity, size_t *written) {
  static const uint8_t signature[] = {0x1F, 0x8B, Z_DEFLATED};
  const uint8_t *end = bytes + count, *limit = content + capacity;
  *written = 0;
  z_stream stream = {0};
  if (inflateInit2(&stream, MAX_WBITS + GzipFormat) != Z_OK) return CodecStatusOutOfMemory;
  // The interface is older than `const`; the input is not changed.
  stream.next_in = (Bytef *)bytes;
  stream.next_out = content;
  int result;
  do {
    stream.avail_in = part(end - stream.next_in);
    stream.avail_out = part(limit - stream.next_out);
    result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END && end - stream.next_in >= (ptrdiff_t)sizeof signature
        && memcmp(stream.next_in, signature, sizeof signature) == 0) {
      result = inflateReset(&stream);
    }
  } while (result == Z_OK);
  *written = (size_t)(stream.next_out - content);
  inflateEnd(&stream);
  switch (result) {
    case Z_STREAM_END: return CodecStatusDone;
    case Z_BUF_ERROR: return CodecStatusTruncated;
    case Z_MEM_ERROR: return CodecStatusOutOfMemory;
    default: return CodecStatusCorrupt;
  }
}

CodecStatus codec_zlib_inflate(
  const uint8_t *bytes, size_t count, uint8_t *content, size_t capacity, size_t *written) {
  *written = 0;
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) return CodecStatusOutOfMemory;
  stream.next_in = (Bytef *)bytes;
  stream.next_out = content;
  stream.avail_in = part((ptrdiff_t)count);
  stream.avail_out = part((ptrdiff_t)capacity);
  int result = inflate(&stream, Z_FINISH);
  *written = (size_t)(stream.next_out - content);
  inflateEnd(&stream);
  return result == Z_STREAM_END ? CodecStatusDone : CodecStatusCorrupt;
}

uint32_t codec_crc32(const uint8_t *bytes, size_t count) {
  uLong sum = crc32(0, NULL, 0);
  for (const uint8_t *end = bytes + count; bytes < end;) {
    uInt length = part(end - bytes);
    sum = crc32(sum, bytes, length);
    bytes += length;
  }
  return (uint32_t)sum;
}

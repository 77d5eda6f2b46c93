#include "CodecText.h"

#ifndef _WIN32

#include <errno.h>
#include <iconv.h>

CodecStatus codec_text_to_utf8(
  const char *encoding, const uint8_t *bytes, size_t count, uint8_t *text, size_t capacity, size_t *written) {
  *written = 0;
  iconv_t converter = iconv_open("UTF-8", encoding);
  if (converter == (iconv_t)-1) return errno == ENOMEM ? CodecStatusOutOfMemory : CodecStatusUnsupported;
  // The interface is older than `const`; the input is not changed.
  char *input = (char *)bytes, *output = (char *)text;
  size_t room = capacity;
  size_t result = iconv(converter, &input, &count, &output, &room);
  iconv_close(converter);
  if (result == (size_t)-1) return CodecStatusCorrupt;
  *written = capacity - room;
  return CodecStatusDone;
}

#else

CodecStatus codec_text_to_utf8(
  const char *encoding, const uint8_t *bytes, size_t count, uint8_t *text, size_t capacity, size_t *written) {
  *written = 0;
  return CodecStatusUnsupported;
}

#endif

#ifndef CCODECS_TEXT_H
#define CCODECS_TEXT_H

#include "CodecStatus.h"

/// Converts text to UTF-8. Unsupported if the system does not know the encoding; corrupt if the text is not in it.
///
/// No more than `capacity` bytes are written; three for each byte of the text are enough for all encodings without states.
CodecStatus codec_text_to_utf8(
  const char *encoding, const uint8_t *bytes, size_t count, uint8_t *text, size_t capacity, size_t *written);

#endif

#ifndef CCODECS_METADATA_H
#define CCODECS_METADATA_H

#include <stddef.h>
#include <stdint.h>

/// What is written beside pixels. A count of 0 means that there is none.
typedef struct CodecMetadata {
  const uint8_t *profile;
  size_t profileCount;
  /// From the byte order on.
  const uint8_t *exif;
  size_t exifCount;
  const uint8_t *xmp;
  size_t xmpCount;
} CodecMetadata;

#endif

#ifndef CCODECS_PLANES_H
#define CCODECS_PLANES_H

#include "CodecStatus.h"

/// Splits packed samples of 8 bits into one plane for each channel: 1, 3 or 4 of them. Planes beyond that are ignored.
void codec_split(
  const uint8_t *packed, size_t count, size_t channels, uint8_t *first, uint8_t *second, uint8_t *third,
  uint8_t *fourth);

/// Merges planes into packed samples of 8 bits.
void codec_merge(
  const uint8_t *first, const uint8_t *second, const uint8_t *third, const uint8_t *fourth, size_t count,
  size_t channels, uint8_t *packed);

/// One channel of packed samples of 16 bits, to a plane, and back.
void codec_split_wide(const uint8_t *packed, size_t count, size_t channels, size_t channel, void *plane);
void codec_merge_wide(const void *plane, size_t count, size_t channels, size_t channel, uint8_t *packed);

#endif

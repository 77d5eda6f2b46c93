#ifndef CCODECS_GAIN_H
#define CCODECS_GAIN_H

#include "CodecStatus.h"

/// An image in sRGB; rows are not padded.
typedef struct CodecGainBase {
  const void *pixels;
  size_t width;
  size_t height;
  /// 1, 3 or 4.
  size_t channels;
  /// Samples of 16 bits, of this machine.
  bool isWide;
  /// Filled by `codec_gain_prepare`.
  float light[256];
} CodecGainBase;

void codec_gain_prepare(CodecGainBase *base);

/// A row as linear red, green and blue.
void codec_gain_light(const CodecGainBase *base, size_t row, float *samples);

typedef struct CodecGainChannel {
  float minimum;
  float maximum;
  float inverseGamma;
  float baseOffset;
  float offset;
} CodecGainChannel;

/// A gain map, of 1 or 3 channels.
typedef struct CodecGainMap {
  const uint8_t *pixels;
  size_t width;
  size_t height;
  size_t channels;
  /// The part of the gains that is applied, from 0 to 1.
  float weight;
  CodecGainChannel gains[3];
} CodecGainMap;

/// Applies the gains to a row of an image of `width` by `height` pixels, over which the map is stretched.
void codec_gain_apply(const CodecGainMap *map, size_t width, size_t height, size_t row, float *samples);

#endif

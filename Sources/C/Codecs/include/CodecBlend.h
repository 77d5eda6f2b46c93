#ifndef CCODECS_BLEND_H
#define CCODECS_BLEND_H

#include "CodecStatus.h"

/// How colors mix where both images are, and which parts of either stay. The first group mixes and keeps all.
typedef enum __attribute__((enum_extensibility(closed))) CodecBlendMode : int32_t {
  CodecBlendNormal = 0,
  CodecBlendMultiply,
  CodecBlendScreen,
  CodecBlendOverlay,
  CodecBlendDarken,
  CodecBlendLighten,
  CodecBlendColorDodge,
  CodecBlendColorBurn,
  CodecBlendHardLight,
  CodecBlendSoftLight,
  CodecBlendDifference,
  CodecBlendExclusion,

  CodecBlendClear,
  CodecBlendCopy,
  CodecBlendSourceIn,
  CodecBlendSourceOut,
  CodecBlendSourceAtop,
  CodecBlendDestinationOver,
  CodecBlendDestinationIn,
  CodecBlendDestinationOut,
  CodecBlendDestinationAtop,
  CodecBlendExclusiveOr,
  CodecBlendPlusLighter,
} CodecBlendMode;

/// Blends `count` pixels of `above`, `step` bytes apart (0: one color for all), into `below`. Both RGBA with
/// straight alpha.
void codec_blend(
  uint8_t *below, const uint8_t *above, size_t step, size_t count, CodecBlendMode mode, float opacity);

#endif

#ifndef CCODECS_TONE_MAPPING_H
#define CCODECS_TONE_MAPPING_H

#include "CodecStatus.h"

/// Pixels of HDR (ITU-R BT.2100), shown in SDR.
typedef struct CodecToneMapping CodecToneMapping;

/// `isHLG` is false for the curve PQ. `peak` is the light of the brightest pixel in cd/m²; more is not shown. `matrix` has three
/// rows, from linear light of the image to that of sRGB, and `weights` is the luminance of its colors. Samples have 16 bits if
/// `isWide`, and 8 otherwise. NULL when there is no memory.
CodecToneMapping *codec_tone_mapping_create(
  bool isHLG, float peak, const float *matrix, const float *weights, size_t channels, bool isWide);
void codec_tone_mapping_destroy(CodecToneMapping *mapping);

/// Replaces pixels of 1, 3 or 4 channels with those of sRGB.
void codec_tone_mapping_apply(CodecToneMapping *mapping, void *pixels, size_t pixelCount);

#endif

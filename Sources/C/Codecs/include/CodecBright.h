#ifndef CCODECS_BRIGHT_H
#define CCODECS_BRIGHT_H

#include "CodecStatus.h"

/// Pixels of HDR (ITU-R BT.2100), shown in SDR.
typedef struct CodecBright CodecBright;

/// `isHLG` is false for the curve PQ. `peak` is the light of the brightest pixel in cd/m²; more is not shown. `matrix` has three
/// rows, from linear light of the image to that of sRGB, and `weights` is the luminance of its colors. Samples have 16 bits if
/// `isWide`, and 8 otherwise. NULL when there is no memory.
CodecBright *codec_bright_create(
  bool isHLG, float peak, const float *matrix, const float *weights, size_t channels, bool isWide);
void codec_bright_destroy(CodecBright *bright);

/// Replaces pixels of 1, 3 or 4 channels with those of sRGB.
void codec_bright_apply(CodecBright *bright, void *pixels, size_t pixelCount);

#endif

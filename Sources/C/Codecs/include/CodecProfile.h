#ifndef CCODECS_PROFILE_H
#define CCODECS_PROFILE_H

#include "CodecStatus.h"

typedef struct CodecProfileTransform CodecProfileTransform;

/// From pixels of 1 (gray), 3 (RGB) or 4 (RGBA) channels, of 8 bits or of 16, to the same of sRGB; NULL when the profile is of
/// no use for that.
CodecProfileTransform *codec_profile_transform_create(
  const uint8_t *profile, size_t count, uint32_t channels, bool isWide);

/// From gray in 3 (RGB) or 4 (RGBA) channels, of which the first is read, to the same of sRGB, in place. Alpha stays.
CodecProfileTransform *codec_profile_transform_create_for_gray(
  const uint8_t *profile, size_t count, uint32_t channels, bool isWide);

/// From inks to RGB. `isInverted` is how Adobe stores ink: 255 is none.
CodecProfileTransform *codec_profile_transform_create_for_inks(
  const uint8_t *profile, size_t count, bool isInverted);

/// From CIELab of 16 bits, as version 4 of profiles has it, to RGB.
CodecProfileTransform *codec_profile_transform_create_for_lab(bool isWide);

/// `source` and `destination` may be the same if their pixels are of the same size.
void codec_profile_transform_apply(
  const CodecProfileTransform *transform, const uint8_t *source, uint8_t *destination, size_t pixelCount);
void codec_profile_transform_destroy(CodecProfileTransform *transform);

/// A profile of the given primaries (x and y of red, green, blue) with the curve and white of sRGB. The caller
/// returns it to `codec_free`; NULL when there is no memory.
uint8_t *codec_profile_of_primaries(const double *primaries, size_t *count);

#endif

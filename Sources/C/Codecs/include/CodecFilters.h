#ifndef CCODECS_FILTERS_H
#define CCODECS_FILTERS_H

#include "CodecStatus.h"

// Pixels have 1 (gray), 3 (RGB) or 4 channels (RGBA, straight alpha) of 8 bits; rows are not padded.

/// Amounts of light, 0 to 65,535, for the 256 values of sRGB; and the way back.
const uint16_t *codec_light_of_srgb(void);
const uint8_t *codec_srgb_of_light(void);

/// One channel of packed pixels as light in a plane of 16-bit samples, and back. Alpha, which is the channel 3,
/// is only widened.
void codec_split_light(
  const uint8_t *packed, size_t count, size_t channels, size_t channel, void *plane);
void codec_merge_light(
  const void *plane, size_t count, size_t channels, size_t channel, uint8_t *packed);

/// The light, from 0 to 1, of the 256 values of sRGB; and the value that is closest to an amount of light. More exact than
/// the tables, for few pixels.
void codec_light_table(double *table);
uint8_t codec_srgb_of(double light);

/// The cosine of pi * wave * (index + offset) / count, for each index below `count`.
void codec_cosines(double *table, size_t count, size_t wave, double offset);

typedef struct CodecBlur {
  size_t width;
  size_t height;
  size_t channels;
  float deviation;
  bool inLight;
} CodecBlur;

/// What `codec_blur` needs besides the images.
size_t codec_blur_work(const CodecBlur *blur);
CodecStatus codec_blur(
  const CodecBlur *blur, const uint8_t *source, uint8_t *destination, CodecContinue shouldContinue,
  void *context);

/// Each color becomes `matrix` (three rows of red, green, blue, bias, in units of full) times it.
void codec_apply_matrix(
  uint8_t *pixels, size_t count, size_t channels, const float *matrix, bool inLight);

/// Each color becomes what `table` says. Alpha stays.
void codec_apply_table(uint8_t *pixels, size_t count, size_t channels, const uint8_t *table);

/// Moves `pixels` away from `blurred`, by `amount` of the difference. Alpha stays.
void codec_sharpen(
  uint8_t *pixels, const uint8_t *blurred, size_t count, size_t channels, float amount);

/// Darkens with the distance from the middle: none within `start`, which is from 0 to 1, by `amount` at the corners.
void codec_vignette(
  uint8_t *pixels, size_t width, size_t height, size_t channels, float start, float amount);

/// A curve x^gamma as a table for `codec_apply_table`.
void codec_gamma_table(float gamma, uint8_t *table);

typedef struct CodecRounding {
  size_t width;
  size_t height;
  float radius;
  float borderWidth;
  uint8_t border[4];
} CodecRounding;

/// Cuts the corners off and draws a border along what is left. RGBA only.
void codec_round_corners(uint8_t *rgba, const CodecRounding *rounding);

typedef struct CodecTurn {
  size_t width;
  size_t height;
  size_t turnedWidth;
  size_t turnedHeight;
  /// Clockwise, as seen.
  double degrees;
} CodecTurn;

/// The sides of the box around an image that has been turned.
void codec_turned_size(CodecTurn *turn);
CodecStatus codec_turn(
  const CodecTurn *turn, const uint8_t *source, uint8_t *destination, CodecContinue shouldContinue,
  void *context);

void codec_gray_to_rgba(const uint8_t *gray, size_t count, uint8_t *rgba);
void codec_rgb_to_rgba(const uint8_t *rgb, size_t count, uint8_t *rgba);
void codec_rgba_to_rgb(const uint8_t *rgba, size_t count, uint8_t *rgb);

#endif

#ifdef CODECS_TIFF

#include "tiff_rows.h"
#include "CodecPixels.h"

#include <stdlib.h>
#include <string.h>

static uint32_t most_of(uint32_t bits) { return bits >= 32 ? UINT32_MAX : (1u << bits) - 1; }

static bool is_lab(const CodecTIFFFrame *frame) {
  return frame->colors == CodecTIFFColorsLab || frame->colors == CodecTIFFColorsProfileLab;
}

bool tiff_rows_create(TIFFRows *rows, const CodecTIFFFrame *frame) {
  *rows = (TIFFRows){.frame = frame};
  rows->samples = malloc((size_t)frame->width * frame->samples * sizeof *rows->samples);
  rows->wide = malloc((size_t)frame->width * 4 * sizeof *rows->wide);
  rows->narrow = malloc((size_t)frame->width * 4);
  if (!rows->samples || !rows->wide || !rows->narrow) return false;
  if (is_lab(frame)) {
    rows->transform = codec_profile_transform_create_for_lab(frame->isWide);
    return rows->transform != NULL;
  }
  if (frame->colors == CodecTIFFColorsInks && frame->profile) {
    // A profile of no use leaves the inks to be multiplied.
    rows->transform = codec_profile_transform_create_for_inks(frame->profile, frame->profileCount, false);
  }
  return true;
}

void tiff_rows_destroy(TIFFRows *rows) {
  codec_profile_transform_destroy(rows->transform);
  free(rows->samples);
  free(rows->wide);
  free(rows->narrow);
}

static double half_of(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  // Infinity is as white as what is too bright; the rest of that exponent is not a number.
  double value = exponent == 31 ? (fraction == 0 ? 65536 : 0) : 0;
  if (exponent == 0) value = fraction / (1 << 24);
  if (exponent > 0 && exponent < 31) {
    value = (1024 + fraction) / 1024;
    for (; exponent > 15; exponent--) value *= 2;
    for (; exponent < 15; exponent++) value /= 2;
  }
  return bits & 0x8000 ? -value : value;
}

static double float_at(const uint8_t *stored, size_t index, uint32_t bits) {
  if (bits == 64) {
    double value;
    memcpy(&value, stored + index * 8, 8);
    return value;
  }
  if (bits == 32) {
    float value;
    memcpy(&value, stored + index * 4, 4);
    return value;
  }
  uint16_t value;
  memcpy(&value, stored + index * 2, 2);
  return half_of(value);
}

// Numbers of any other size follow each other from the highest bit on.
static uint32_t bits_at(const uint8_t *stored, size_t index, uint32_t bits) {
  size_t position = index * bits;
  uint32_t value = 0;
  for (uint32_t bit = 0; bit < bits; bit++, position++) {
    value = value << 1 | (stored[position / 8] >> (7 - position % 8) & 1u);
  }
  return value;
}

static uint32_t number_at(const uint8_t *stored, size_t index, uint32_t bits) {
  uint32_t value = 0;
  switch (bits) {
  case 8: return stored[index];
  case 16: {
    uint16_t half;
    memcpy(&half, stored + index * 2, 2);
    return half;
  }
  // In the byte order of this machine, which is little-endian in all that is supported.
  case 24: return stored[index * 3] | (uint32_t)stored[index * 3 + 1] << 8 | (uint32_t)stored[index * 3 + 2] << 16;
  case 32: memcpy(&value, stored + index * 4, 4); return value;
  case 64: {
    uint64_t whole;
    memcpy(&whole, stored + index * 8, 8);
    return (uint32_t)(whole >> 32);
  }
  default: return bits_at(stored, index, bits);
  }
}

static uint16_t scaled(uint32_t value, uint32_t bits) {
  if (bits == 16) return (uint16_t)value;
  uint32_t most = most_of(bits);
  return (uint16_t)(((uint64_t)value * 65535 + most / 2) / most);
}

static uint16_t sample_at(const CodecTIFFFrame *frame, const uint8_t *stored, size_t index) {
  if (frame->isFloat) {
    double value = float_at(stored, index, frame->bits);
    // What is not a number is black.
    return value >= 1 ? 65535 : value > 0 ? (uint16_t)(value * 65535 + 0.5) : 0;
  }
  uint32_t value = number_at(stored, index, frame->bits);
  bool isAsStored = frame->colors == CodecTIFFColorsPalette || (is_lab(frame) && frame->bits == 8);
  return isAsStored ? (uint16_t)value : scaled(value, frame->bits);
}

void tiff_rows_add(TIFFRows *rows, const uint8_t *stored, size_t plane, bool isPlane) {
  const CodecTIFFFrame *frame = rows->frame;
  size_t step = isPlane ? frame->samples : 1;
  size_t count = (size_t)frame->width * (isPlane ? 1 : frame->samples);
  uint16_t *target = rows->samples + (isPlane ? plane : 0);
  for (size_t index = 0; index < count; index++) target[index * step] = sample_at(frame, stored, index);
}

static uint16_t alpha_at(const TIFFRows *rows, size_t pixel) {
  const CodecTIFFFrame *frame = rows->frame;
  if (frame->alpha < 0) return 65535;
  uint16_t value = rows->samples[pixel * frame->samples + (size_t)frame->alpha];
  bool isAsStored = frame->colors == CodecTIFFColorsPalette || (is_lab(frame) && frame->bits == 8);
  return isAsStored ? scaled(value, frame->bits) : value;
}

// Fills three channels of 16 bits.
static void read_color(const TIFFRows *rows, const uint16_t *samples, uint16_t *color) {
  uint16_t gray = rows->frame->colors == CodecTIFFColorsInvertedGray ? 65535 - samples[0] : samples[0];
  switch (rows->frame->colors) {
  case CodecTIFFColorsRGB: memcpy(color, samples, 3 * sizeof *color); return;
  case CodecTIFFColorsPalette:
    for (int channel = 0; channel < 3; channel++) {
      uint16_t level = rows->palette[channel][samples[0]];
      color[channel] = rows->isNarrowPalette ? (uint16_t)(level * 257) : level;
    }
    return;
  default: color[0] = color[1] = color[2] = gray;
  }
}

static uint16_t divided(uint16_t color, uint16_t alpha) { return (uint16_t)codec_divided(color, alpha, 65535); }

static void write_plain(TIFFRows *rows, uint8_t *target) {
  const CodecTIFFFrame *frame = rows->frame;
  uint16_t *pixel = frame->isWide ? (uint16_t *)(void *)target : rows->wide;
  for (size_t x = 0; x < frame->width; x++, pixel += frame->channels) {
    uint16_t color[3];
    read_color(rows, rows->samples + x * frame->samples, color);
    uint16_t alpha = alpha_at(rows, x);
    for (uint32_t channel = 0; channel < frame->channels && channel < 3; channel++) {
      pixel[channel] = frame->isMultiplied ? divided(color[channel], alpha) : color[channel];
    }
    if (frame->channels == 4) pixel[3] = alpha;
  }
  if (!frame->isWide) codec_narrow(rows->wide, (size_t)frame->width * frame->channels, target);
}

// Adds alpha to colors that a profile made, which have no other samples.
static void write_colors(TIFFRows *rows, const void *colors, uint8_t *target) {
  const CodecTIFFFrame *frame = rows->frame;
  size_t size = frame->isWide ? 2 : 1;
  if (frame->channels == 3) {
    memcpy(target, colors, (size_t)frame->width * 3 * size);
    return;
  }
  for (size_t x = 0; x < frame->width; x++, target += 4 * size) {
    uint16_t alpha = alpha_at(rows, x);
    memcpy(target, (const uint8_t *)colors + x * 3 * size, 3 * size);
    if (frame->isWide) {
      memcpy(target + 6, &alpha, 2);
    } else {
      codec_narrow(&alpha, 1, target + 3);
    }
  }
}

static void write_inks(TIFFRows *rows, uint8_t *target) {
  const CodecTIFFFrame *frame = rows->frame;
  for (size_t x = 0; x < frame->width; x++) {
    const uint16_t *samples = rows->samples + x * frame->samples;
    uint16_t alpha = alpha_at(rows, x);
    uint16_t inks[4];
    for (int ink = 0; ink < 4; ink++) inks[ink] = frame->isMultiplied ? divided(samples[ink], alpha) : samples[ink];
    codec_narrow(inks, 4, rows->narrow + x * 4);
  }
  uint8_t *colors = (uint8_t *)rows->wide;
  if (rows->transform) {
    codec_profile_transform_apply(rows->transform, rows->narrow, colors, frame->width);
  } else {
    codec_cmyk_to_rgb(rows->narrow, frame->width, false, colors);
  }
  write_colors(rows, colors, target);
}

// The colors of CIELab have a sign, in 8 or 16 bits; those of profiles have a zero in the middle.
static void write_lab(TIFFRows *rows, uint8_t *target) {
  const CodecTIFFFrame *frame = rows->frame;
  bool isSigned = frame->colors == CodecTIFFColorsLab;
  for (size_t x = 0; x < frame->width; x++) {
    for (size_t index = 0; index < 3; index++) {
      int value = rows->samples[x * frame->samples + index];
      bool isLight = index == 0;
      if (frame->bits == 8) {
        value = (isSigned && !isLight ? value ^ 0x80 : value) * 257;
      } else if (!isSigned || !isLight) {
        // From a 256th to a 257th: all sixteen bits are 100, or 127.996.
        value = (isSigned ? (int16_t)value + 32768 : value) * 257 / 256;
      }
      rows->wide[x * 3 + index] = (uint16_t)(value > 65535 ? 65535 : value);
    }
  }
  // In place, because pixels of the result are not larger.
  codec_profile_transform_apply(rows->transform, (const uint8_t *)rows->wide, (uint8_t *)rows->wide, frame->width);
  write_colors(rows, rows->wide, target);
}

void tiff_rows_write(TIFFRows *rows, uint8_t *target) {
  if (is_lab(rows->frame)) {
    write_lab(rows, target);
  } else if (rows->frame->colors == CodecTIFFColorsInks) {
    write_inks(rows, target);
  } else {
    write_plain(rows, target);
  }
}

#endif

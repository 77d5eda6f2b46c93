#include "CodecFilters.h"

#include <math.h>

static inline float clamped(float value) { return value <= 0 ? 0 : value >= 1 ? 1 : value; }

static inline uint8_t byte_of(float value, bool inLight, const uint8_t *code) {
  return inLight ? code[(uint16_t)(clamped(value) * 65535 + 0.5f)] : (uint8_t)(clamped(value) * 255 + 0.5f);
}

void codec_apply_matrix(
  uint8_t *pixels, size_t count, size_t channels, const float *matrix, bool inLight) {
  const uint16_t *light = codec_light_of_srgb();
  const uint8_t *code = codec_srgb_of_light();
  float values[256];
  for (int index = 0; index < 256; index++) {
    values[index] = inLight ? (float)light[index] / 65535 : (float)index / 255;
  }
  if (channels == 1) {
    for (size_t pixel = 0; pixel < count; pixel++) {
      float value = values[pixels[pixel]] * (matrix[0] + matrix[1] + matrix[2]) + matrix[3];
      pixels[pixel] = byte_of(value, inLight, code);
    }
    return;
  }
  for (uint8_t *pixel = pixels; pixel < pixels + count * channels; pixel += channels) {
    float red = values[pixel[0]], green = values[pixel[1]], blue = values[pixel[2]];
    for (int channel = 0; channel < 3; channel++) {
      const float *row = matrix + channel * 4;
      pixel[channel] = byte_of(row[0] * red + row[1] * green + row[2] * blue + row[3], inLight, code);
    }
  }
}

void codec_apply_table(uint8_t *pixels, size_t count, size_t channels, const uint8_t *table) {
  size_t colors = channels == 4 ? 3 : channels;
  for (uint8_t *pixel = pixels; pixel < pixels + count * channels; pixel += channels) {
    for (size_t channel = 0; channel < colors; channel++) pixel[channel] = table[pixel[channel]];
  }
}

void codec_gamma_table(float gamma, uint8_t *table) {
  // Also for an exponent that is too small for the type.
  table[0] = 0;
  for (int index = 1; index < 256; index++) {
    table[index] = (uint8_t)(powf((float)index / 255, gamma) * 255 + 0.5f);
  }
}

void codec_sharpen(
  uint8_t *pixels, const uint8_t *blurred, size_t count, size_t channels, float amount) {
  size_t colors = channels == 4 ? 3 : channels;
  for (size_t offset = 0; offset < count * channels; offset += channels) {
    for (size_t channel = 0; channel < colors; channel++) {
      float value = pixels[offset + channel];
      value += amount * (value - blurred[offset + channel]);
      pixels[offset + channel] = (uint8_t)(clamped(value / 255) * 255 + 0.5f);
    }
  }
}

void codec_vignette(
  uint8_t *pixels, size_t width, size_t height, size_t channels, float start, float amount) {
  size_t colors = channels == 4 ? 3 : channels;
  float across = (float)width / 2, down = (float)height / 2;
  // No middle of a pixel lies in a corner: with a start of 1, all ways are minus infinity.
  float span = 1 - start;
  for (size_t y = 0; y < height; y++) {
    float dy = ((float)y + 0.5f - down) / down;
    for (size_t x = 0; x < width; x++) {
      float dx = ((float)x + 0.5f - across) / across;
      float way = clamped((sqrtf((dx * dx + dy * dy) / 2) - start) / span);
      float factor = 1 - amount * way * way * (3 - 2 * way);
      uint8_t *pixel = pixels + (y * width + x) * channels;
      for (size_t channel = 0; channel < colors; channel++) {
        pixel[channel] = (uint8_t)(clamped((float)pixel[channel] * factor / 255) * 255 + 0.5f);
      }
    }
  }
}

void codec_gray_to_rgba(const uint8_t *gray, size_t count, uint8_t *rgba) {
  for (size_t pixel = 0; pixel < count; pixel++) {
    rgba[pixel * 4] = rgba[pixel * 4 + 1] = rgba[pixel * 4 + 2] = gray[pixel];
    rgba[pixel * 4 + 3] = 255;
  }
}

void codec_rgb_to_rgba(const uint8_t *rgb, size_t count, uint8_t *rgba) {
  for (size_t pixel = 0; pixel < count; pixel++) {
    for (size_t channel = 0; channel < 3; channel++) rgba[pixel * 4 + channel] = rgb[pixel * 3 + channel];
    rgba[pixel * 4 + 3] = 255;
  }
}

void codec_rgba_to_rgb(const uint8_t *rgba, size_t count, uint8_t *rgb) {
  for (size_t pixel = 0; pixel < count; pixel++) {
    for (size_t channel = 0; channel < 3; channel++) rgb[pixel * 3 + channel] = rgba[pixel * 4 + channel];
  }
}

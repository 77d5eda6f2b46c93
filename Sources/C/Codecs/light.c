#include "CodecFilters.h"
#include "srgb_curve.h"

#include <math.h>
#include <pthread.h>

static uint16_t lightOf[256];
static uint8_t codeOf[65536];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
  for (int code = 0; code < 256; code++) {
    lightOf[code] = (uint16_t)lround(srgb_light_of(code / 255.0) * 65535);
  }
  for (int index = 0; index < 65536; index++) {
    codeOf[index] = (uint8_t)lround(srgb_value_of(index / 65535.0) * 255);
  }
}

const uint16_t *codec_light_of_srgb(void) {
  pthread_once(&once, fill);
  return lightOf;
}

const uint8_t *codec_srgb_of_light(void) {
  pthread_once(&once, fill);
  return codeOf;
}

void codec_split_light(
  const uint8_t *packed, size_t count, size_t channels, size_t channel, void *plane) {
  const uint16_t *light = codec_light_of_srgb();
  uint16_t *samples = plane;
  for (size_t pixel = 0; pixel < count; pixel++) {
    uint8_t value = packed[pixel * channels + channel];
    samples[pixel] = channel == 3 ? (uint16_t)(value * 257) : light[value];
  }
}

void codec_merge_light(
  const void *plane, size_t count, size_t channels, size_t channel, uint8_t *packed) {
  const uint8_t *code = codec_srgb_of_light();
  const uint16_t *samples = plane;
  for (size_t pixel = 0; pixel < count; pixel++) {
    uint16_t value = samples[pixel];
    packed[pixel * channels + channel] = channel == 3 ? (uint8_t)((value + 128u) / 257u) : code[value];
  }
}

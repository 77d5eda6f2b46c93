#include "CodecGain.h"
#include "srgb_curve.h"

#include <math.h>

static float light_of(double value) { return (float)srgb_light_of(value); }

void codec_gain_prepare(CodecGainBase *base) {
  for (int code = 0; code < 256; code++) base->light[code] = light_of(code / 255.0);
}

void codec_gain_light(const CodecGainBase *base, size_t row, float *samples) {
  size_t start = row * base->width * base->channels;
  for (size_t x = 0; x < base->width; x++) {
    for (size_t color = 0; color < 3; color++) {
      size_t index = start + x * base->channels + (base->channels == 1 ? 0 : color);
      samples[x * 3 + color] = base->isWide ? light_of(((const uint16_t *)base->pixels)[index] / 65535.0)
                                            : base->light[((const uint8_t *)base->pixels)[index]];
    }
  }
}

typedef struct Place {
  size_t first;
  size_t second;
  float share;
} Place;

// The two samples around the middle of a pixel, and the share of the second one.
static Place place_of(size_t pixel, size_t count, size_t samples) {
  double position = ((double)pixel + 0.5) * (double)samples / (double)count - 0.5;
  if (position <= 0) return (Place){0, 0, 0};
  size_t first = (size_t)position;
  if (first + 1 >= samples) return (Place){samples - 1, samples - 1, 0};
  return (Place){first, first + 1, (float)(position - (double)first)};
}

static float mixed(const CodecGainMap *map, Place across, Place down, size_t channel) {
  const uint8_t *top = map->pixels + down.first * map->width * map->channels + channel;
  const uint8_t *bottom = map->pixels + down.second * map->width * map->channels + channel;
  size_t left = across.first * map->channels, right = across.second * map->channels;
  float above = top[left] + (top[right] - top[left]) * across.share;
  float below = bottom[left] + (bottom[right] - bottom[left]) * across.share;
  return (above + (below - above) * down.share) / 255;
}

void codec_gain_apply(const CodecGainMap *map, size_t width, size_t height, size_t row, float *samples) {
  Place down = place_of(row, height, map->height);
  for (size_t x = 0; x < width; x++) {
    Place across = place_of(x, width, map->width);
    for (size_t color = 0; color < 3; color++) {
      const CodecGainChannel *gain = &map->gains[color];
      float stored = mixed(map, across, down, map->channels == 1 ? 0 : color);
      if (gain->inverseGamma != 1) stored = powf(stored, gain->inverseGamma);
      float stops = gain->minimum + (gain->maximum - gain->minimum) * stored;
      float *sample = &samples[x * 3 + color];
      *sample = (*sample + gain->baseOffset) * exp2f(stops * map->weight) - gain->offset;
    }
  }
}

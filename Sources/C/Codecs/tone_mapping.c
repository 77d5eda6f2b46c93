#include "CodecToneMapping.h"
#include "srgb_curve.h"

#include <math.h>
#include <stdlib.h>

enum { Codes = 65536 };

struct CodecToneMapping {
  bool isHLG;
  bool isWide;
  size_t channels;
  float matrix[9];
  float weights[3];
  /// Both light and what becomes of it by the code of a sample, and the values of sRGB by the root of light. Filled where they are
  /// needed: a small image has few codes.
  float light[Codes];
  float scale[Codes];
  uint16_t values[Codes];
  bool hasValue[Codes];
  /// Signals of PQ: the peak, and as parts of that the white of SDR and where compression begins.
  float peak;
  float white;
  float knee;
};

/// The white of SDR in cd/m² (BT.2408), and the nominal peak of HLG (BT.2100).
static const double whiteLight = 203, peakOfHLG = 1000;

/// The signal of PQ for light in cd/m², and the other way round (BT.2100, table 4).
static const double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128;
static const double c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;

static double signal_of(double light) {
  double power = pow(light / 10000, m1);
  return pow((c1 + c2 * power) / (1 + c3 * power), m2);
}

static double light_of(double signal) {
  double power = pow(signal, 1 / m2);
  return 10000 * pow(fmax(power - c1, 0) / (c2 - c3 * power), 1 / m1);
}

/// The light of a scene, from 0 to 1, for a signal of HLG (BT.2100, table 5).
static double scene_of(double signal) {
  const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
  return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
}

CodecToneMapping *codec_tone_mapping_create(
  bool isHLG, float peak, const float *matrix, const float *weights, size_t channels, bool isWide) {
  CodecToneMapping *mapping = calloc(1, sizeof *mapping);
  if (!mapping) return NULL;
  mapping->isHLG = isHLG;
  mapping->isWide = isWide;
  mapping->channels = channels;
  for (size_t index = 0; index < 9; index++) mapping->matrix[index] = matrix[index];
  for (size_t index = 0; index < 3; index++) mapping->weights[index] = weights[index];
  double brightest = isHLG ? peakOfHLG : fmin(fmax(peak, whiteLight), 10000);
  mapping->peak = (float)signal_of(brightest);
  mapping->white = (float)(signal_of(whiteLight) / mapping->peak);
  mapping->knee = 1.5f * mapping->white - 0.5f;
  return mapping;
}

void codec_tone_mapping_destroy(CodecToneMapping *mapping) { free(mapping); }

/// By how much light is multiplied so that the peak becomes white (BT.2390, 5.4.1), in parts of white.
static float scale_of(const CodecToneMapping *mapping, double signal) {
  double part = fmin(signal / mapping->peak, 1), knee = mapping->knee, white = mapping->white;
  double light = light_of(signal), shown = part;
  if (light <= 0) return (float)(1 / whiteLight);
  if (part > knee) {
    double t = (part - knee) / (1 - knee), square = t * t, cube = square * t;
    shown = (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
      + (3 * square - 2 * cube) * white;
  }
  return (float)(light_of(shown * mapping->peak) / light / whiteLight);
}

static float light_at(CodecToneMapping *mapping, uint16_t code) {
  float *light = &mapping->light[code];
  if (*light == 0 && code > 0) {
    double signal = code / 65535.0;
    *light = (float)(mapping->isHLG ? scene_of(signal) : light_of(signal));
  }
  return *light;
}

static float scale_at(CodecToneMapping *mapping, uint16_t code) {
  float *scale = &mapping->scale[code];
  if (*scale == 0) *scale = scale_of(mapping, code / 65535.0);
  return *scale;
}

static uint16_t value_at(CodecToneMapping *mapping, float light) {
  // Roots, because dark values are further apart than their light.
  uint16_t root = (uint16_t)lrintf(sqrtf(fminf(fmaxf(light, 0), 1)) * 65535);
  if (!mapping->hasValue[root]) {
    double part = root / 65535.0;
    mapping->values[root] = (uint16_t)lround(srgb_value_of(part * part) * 65535);
    mapping->hasValue[root] = true;
  }
  return mapping->values[root];
}

static float largest(const float *colors) { return fmaxf(fmaxf(colors[0], colors[1]), colors[2]); }

/// The light of a display, in parts of the white of SDR.
static void show(CodecToneMapping *mapping, const uint16_t *codes, float *colors) {
  float scale;
  for (size_t color = 0; color < 3; color++) colors[color] = light_at(mapping, codes[color]);
  if (mapping->isHLG) {
    // The light of the display depends on the luminance of the scene: its exponent is 1.2 at the nominal peak.
    float luminance = 0;
    for (size_t color = 0; color < 3; color++) luminance += colors[color] * mapping->weights[color];
    float gain = luminance > 0 ? (float)peakOfHLG * powf(luminance, 0.2f) : 0;
    for (size_t color = 0; color < 3; color++) colors[color] *= gain;
    scale = scale_at(mapping, (uint16_t)lrint(fmin(signal_of(largest(colors)), 1) * 65535));
  } else {
    uint16_t code = codes[0] > codes[1] ? codes[0] : codes[1];
    scale = scale_at(mapping, code > codes[2] ? code : codes[2]);
  }
  for (size_t color = 0; color < 3; color++) colors[color] *= scale;
}

void codec_tone_mapping_apply(CodecToneMapping *mapping, void *pixels, size_t pixelCount) {
  uint8_t *bytes = pixels;
  uint16_t *words = pixels;
  size_t colorCount = mapping->channels < 3 ? 1 : 3;
  for (size_t pixel = 0; pixel < pixelCount; pixel++) {
    size_t start = pixel * mapping->channels;
    uint16_t codes[3];
    for (size_t color = 0; color < 3; color++) {
      size_t index = start + (colorCount == 1 ? 0 : color);
      codes[color] = mapping->isWide ? words[index] : (uint16_t)(bytes[index] * 257);
    }
    float colors[3];
    show(mapping, codes, colors);
    for (size_t color = 0; color < colorCount; color++) {
      float light = 0;
      for (size_t part = 0; part < 3; part++) light += mapping->matrix[color * 3 + part] * colors[part];
      uint16_t value = value_at(mapping, light);
      if (mapping->isWide) {
        words[start + color] = value;
      } else {
        bytes[start + color] = (uint8_t)((value + 128) / 257);
      }
    }
  }
}

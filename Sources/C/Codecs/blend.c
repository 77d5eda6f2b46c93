#include "CodecBlend.h"

#include <math.h>

static inline float lesser(float left, float right) { return left < right ? left : right; }
static inline float greater(float left, float right) { return left > right ? left : right; }

static float hard_light(float below, float above) {
  return above <= 0.5f ? 2 * above * below : 1 - 2 * (1 - above) * (1 - below);
}

static float soft_light(float below, float above) {
  if (above <= 0.5f) return below - (1 - 2 * above) * below * (1 - below);
  float curve = below <= 0.25f ? ((16 * below - 12) * below + 4) * below : sqrtf(below);
  return below + (2 * above - 1) * (curve - below);
}

// The color where both images are opaque; one channel.
static float mixed(float below, float above, CodecBlendMode mode) {
  switch (mode) {
  case CodecBlendMultiply: return below * above;
  case CodecBlendScreen: return below + above - below * above;
  case CodecBlendOverlay: return hard_light(above, below);
  case CodecBlendDarken: return lesser(below, above);
  case CodecBlendLighten: return greater(below, above);
  case CodecBlendColorDodge: return below <= 0 ? 0 : above >= 1 ? 1 : lesser(1, below / (1 - above));
  case CodecBlendColorBurn: return below >= 1 ? 1 : above <= 0 ? 0 : 1 - lesser(1, (1 - below) / above);
  case CodecBlendHardLight: return hard_light(below, above);
  case CodecBlendSoftLight: return soft_light(below, above);
  case CodecBlendDifference: return fabsf(below - above);
  case CodecBlendExclusion: return below + above - 2 * below * above;
  default: return above;
  }
}

// How much of either image stays, where they have these alphas.
static void parts(float below, float above, CodecBlendMode mode, float *ofBelow, float *ofAbove) {
  *ofAbove = 1;
  *ofBelow = 1 - above;
  switch (mode) {
  case CodecBlendClear: *ofAbove = 0, *ofBelow = 0; break;
  case CodecBlendCopy: *ofBelow = 0; break;
  case CodecBlendSourceIn: *ofAbove = below, *ofBelow = 0; break;
  case CodecBlendSourceOut: *ofAbove = 1 - below, *ofBelow = 0; break;
  case CodecBlendSourceAtop: *ofAbove = below; break;
  case CodecBlendDestinationOver: *ofAbove = 1 - below, *ofBelow = 1; break;
  case CodecBlendDestinationIn: *ofAbove = 0, *ofBelow = above; break;
  case CodecBlendDestinationOut: *ofAbove = 0; break;
  case CodecBlendDestinationAtop: *ofAbove = 1 - below, *ofBelow = above; break;
  case CodecBlendExclusiveOr: *ofAbove = 1 - below; break;
  case CodecBlendPlusLighter: *ofBelow = 1; break;
  default: break;
  }
}

void codec_blend(
  uint8_t *below, const uint8_t *above, size_t step, size_t count, CodecBlendMode mode, float opacity) {
  for (size_t index = 0; index < count; index++, below += 4, above += step) {
    float belowAlpha = (float)below[3] / 255, aboveAlpha = (float)above[3] / 255 * opacity;
    float ofBelow, ofAbove;
    parts(belowAlpha, aboveAlpha, mode, &ofBelow, &ofAbove);
    float belowPart = ofBelow * belowAlpha, abovePart = ofAbove * aboveAlpha;
    float alpha = lesser(belowPart + abovePart, 1);
    for (int channel = 0; channel < 3; channel++) {
      float under = (float)below[channel] / 255, over = (float)above[channel] / 255;
      float color = (1 - belowAlpha) * over + belowAlpha * mixed(under, over, mode);
      float sum = lesser(belowPart * under + abovePart * color, 1);
      // Nothing is left of the color of what is not there.
      below[channel] = alpha > 0 ? (uint8_t)(lesser(sum / alpha, 1) * 255 + 0.5f) : 0;
    }
    below[3] = (uint8_t)(alpha * 255 + 0.5f);
  }
}

#include "CodecFilters.h"
#include "srgb_curve.h"

#include <math.h>

void codec_cosines(double *table, size_t count, size_t wave, double offset) {
  for (size_t index = 0; index < count; index++) {
    table[index] = cos(M_PI * (double)wave * ((double)index + offset) / (double)count);
  }
}

void codec_light_table(double *table) {
  for (int code = 0; code < 256; code++) {
    table[code] = srgb_light_of(code / 255.0);
  }
}

uint8_t codec_srgb_of(double light) {
  double kept = light > 0 ? light < 1 ? light : 1 : 0;
  return (uint8_t)(srgb_value_of(kept) * 255 + 0.5);
}

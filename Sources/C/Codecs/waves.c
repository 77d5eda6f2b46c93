#include "CodecFilters.h"

#include <math.h>

void codec_cosines(double *table, size_t count, size_t wave, double offset) {
  for (size_t index = 0; index < count; index++) {
    table[index] = cos(M_PI * (double)wave * ((double)index + offset) / (double)count);
  }
}

void codec_light_table(double *table) {
  for (int code = 0; code < 256; code++) {
    double value = code / 255.0;
    table[code] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
  }
}

uint8_t codec_srgb_of(double light) {
  double kept = light > 0 ? light < 1 ? light : 1 : 0;
  double value = kept <= 0.0031308 ? kept * 12.92 : 1.055 * pow(kept, 1 / 2.4) - 0.055;
  return (uint8_t)(value * 255 + 0.5);
}

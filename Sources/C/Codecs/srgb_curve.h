#ifndef CCODECS_SRGB_CURVE_H
#define CCODECS_SRGB_CURVE_H

#include <math.h>

/// The transfer function of sRGB (IEC 61966-2-1), of numbers from 0 to 1.
static inline double srgb_light_of(double value) {
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static inline double srgb_value_of(double light) {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

#endif

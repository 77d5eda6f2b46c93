#include "CodecBlend.h"
#include "CodecFilters.h"

#include <math.h>
#include <string.h>

// A rectangle around the middle of the image, with round corners.
typedef struct Shape {
  float centerX;
  float centerY;
  float halfWidth;
  float halfHeight;
  float radius;
} Shape;

static Shape shape_of(const CodecRounding *rounding, float inset) {
  Shape shape = {
    (float)rounding->width / 2, (float)rounding->height / 2, (float)rounding->width / 2 - inset,
    (float)rounding->height / 2 - inset, rounding->radius - inset};
  if (shape.radius < 0) shape.radius = 0;
  return shape;
}

// How much of a pixel lies inside: from its distance to the edge, which is right but for the curvature within
// one pixel.
static float coverage(const Shape *shape, size_t column, size_t row) {
  if (shape->halfWidth <= 0 || shape->halfHeight <= 0) return 0;
  float x = fabsf((float)column + 0.5f - shape->centerX) - (shape->halfWidth - shape->radius);
  float y = fabsf((float)row + 0.5f - shape->centerY) - (shape->halfHeight - shape->radius);
  float outside = sqrtf((x > 0 ? x * x : 0) + (y > 0 ? y * y : 0));
  float inside = x > y ? x : y;
  float distance = outside + (inside < 0 ? inside : 0) - shape->radius;
  float part = 0.5f - distance;
  return part <= 0 ? 0 : part >= 1 ? 1 : part;
}

void codec_round_corners(uint8_t *rgba, const CodecRounding *rounding) {
  Shape outer = shape_of(rounding, 0);
  Shape inner = shape_of(rounding, rounding->borderWidth);
  for (size_t row = 0; row < rounding->height; row++) {
    for (size_t column = 0; column < rounding->width; column++) {
      uint8_t *pixel = rgba + (row * rounding->width + column) * 4;
      if (rounding->borderWidth > 0) {
        float border = 1 - coverage(&inner, column, row);
        if (border > 0) codec_blend(pixel, rounding->border, 0, 1, CodecBlendNormal, border);
      }
      pixel[3] = (uint8_t)((float)pixel[3] * coverage(&outer, column, row) + 0.5f);
    }
  }
}

void codec_turned_size(CodecTurn *turn) {
  double angle = turn->degrees * M_PI / 180, across = fabs(cos(angle)), down = fabs(sin(angle));
  double width = (double)turn->width, height = (double)turn->height;
  // A hair less, so that what is whole but for rounding does not become one more.
  turn->turnedWidth = (size_t)ceil(width * across + height * down - 1e-6);
  turn->turnedHeight = (size_t)ceil(width * down + height * across - 1e-6);
}

static void gather(const CodecTurn *turn, const uint8_t *source, double x, double y, uint8_t *result) {
  double left = floor(x), top = floor(y);
  double sums[4] = {0};
  for (int corner = 0; corner < 4; corner++) {
    double column = left + (corner & 1), row = top + (corner >> 1);
    if (column < 0 || row < 0 || column >= (double)turn->width || row >= (double)turn->height) continue;
    const uint8_t *pixel = source + ((size_t)row * turn->width + (size_t)column) * 4;
    double weight = (corner & 1 ? x - left : 1 - x + left) * (corner >> 1 ? y - top : 1 - y + top) * pixel[3];
    for (int channel = 0; channel < 3; channel++) sums[channel] += weight * pixel[channel];
    sums[3] += weight;
  }
  if (sums[3] <= 0) {
    memset(result, 0, 4);
    return;
  }
  for (int channel = 0; channel < 3; channel++) result[channel] = (uint8_t)lround(sums[channel] / sums[3]);
  result[3] = (uint8_t)lround(sums[3]);
}

CodecStatus codec_turn(
  const CodecTurn *turn, const uint8_t *source, uint8_t *destination, CodecContinue shouldContinue,
  void *context) {
  double angle = turn->degrees * M_PI / 180, cosine = cos(angle), sine = sin(angle);
  double centerX = (double)turn->width / 2, centerY = (double)turn->height / 2;
  for (size_t row = 0; row < turn->turnedHeight; row++) {
    if (!shouldContinue(context)) return CodecStatusStopped;
    double y = (double)row + 0.5 - (double)turn->turnedHeight / 2;
    for (size_t column = 0; column < turn->turnedWidth; column++) {
      double x = (double)column + 0.5 - (double)turn->turnedWidth / 2;
      gather(
        turn, source, centerX + cosine * x + sine * y - 0.5, centerY - sine * x + cosine * y - 0.5,
        destination + (row * turn->turnedWidth + column) * 4);
    }
  }
  return CodecStatusDone;
}

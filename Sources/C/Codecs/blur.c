#include "CodecFilters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Lines that are filtered side by side, so that the compiler can use vectors.
enum { LINES = 16, MAXIMUM_LANES = LINES * 4, PASSES = 3, NARROW = 2 };

// A box of 2 * reach + 1 samples, and a fraction of one more at either end: boxes of whole samples could not
// meet the variance that is asked for.
typedef struct Box {
  ptrdiff_t reach;
  float fraction;
  float share;
} Box;

static Box box_of(double deviation) {
  double variance = deviation * deviation / PASSES;
  double reach = floor((sqrt(12 * variance + 1) - 1) / 2);
  double next = (reach + 1) * (reach + 1);
  double fraction = (2 * reach + 1) * (reach * (reach + 1) - 3 * variance) / (6 * (variance - next));
  return (Box){(ptrdiff_t)reach, (float)fraction, (float)(1 / (2 * reach + 1 + 2 * fraction))};
}

static inline const float *sample(const float *line, ptrdiff_t index, ptrdiff_t length, size_t lanes) {
  index = index < 0 ? 0 : index >= length ? length - 1 : index;
  return line + (size_t)index * lanes;
}

// Samples beyond the ends are those at the ends.
static void filter(const float *from, float *to, ptrdiff_t length, size_t lanes, Box box) {
  float sum[MAXIMUM_LANES] = {0};
  for (ptrdiff_t index = -box.reach; index <= box.reach; index++) {
    const float *entering = sample(from, index, length, lanes);
    for (size_t lane = 0; lane < lanes; lane++) sum[lane] += entering[lane];
  }
  for (ptrdiff_t index = 0; index < length; index++) {
    const float *before = sample(from, index - box.reach - 1, length, lanes);
    const float *after = sample(from, index + box.reach + 1, length, lanes);
    const float *leaving = sample(from, index - box.reach, length, lanes);
    float *result = to + (size_t)index * lanes;
    for (size_t lane = 0; lane < lanes; lane++) {
      result[lane] = (sum[lane] + box.fraction * (before[lane] + after[lane])) * box.share;
      sum[lane] += after[lane] - leaving[lane];
    }
  }
}

static inline uint16_t rounded(float value) {
  return (uint16_t)(value <= 0 ? 0 : value >= 65535 ? 65535 : value + 0.5f);
}

typedef struct Room {
  uint16_t *half;
  float *lines;
  float *other;
} Room;

static size_t strip_bytes(const CodecBlur *blur) {
  size_t length = blur->width > blur->height ? blur->width : blur->height;
  return length * LINES * blur->channels * sizeof(float);
}

size_t codec_blur_work(const CodecBlur *blur) {
  return blur->width * blur->height * blur->channels * sizeof(uint16_t) + 2 * strip_bytes(blur);
}

// Colors are weighted by alpha, so that transparent pixels lend none of theirs.
static void load_row(const CodecBlur *blur, const uint8_t *row, float *line, size_t lanes) {
  const uint16_t *light = codec_light_of_srgb();
  size_t channels = blur->channels;
  size_t colors = channels == 4 ? 3 : channels;
  for (size_t x = 0; x < blur->width; x++) {
    const uint8_t *pixel = row + x * channels;
    float weight = channels == 4 ? (float)pixel[3] / 255 : 1;
    for (size_t channel = 0; channel < colors; channel++) {
      float value = blur->inLight ? light[pixel[channel]] : (float)pixel[channel] * 257;
      line[x * lanes + channel] = value * weight;
    }
    if (channels == 4) line[x * lanes + 3] = (float)pixel[3] * 257;
  }
}

static void store_pixel(const CodecBlur *blur, const float *values, uint8_t *pixel) {
  const uint8_t *code = codec_srgb_of_light();
  size_t colors = blur->channels == 4 ? 3 : blur->channels;
  float weight = 1;
  if (blur->channels == 4) {
    uint16_t alpha = rounded(values[3]);
    pixel[3] = (uint8_t)((alpha + 128u) / 257u);
    weight = alpha > 0 ? 65535.0f / alpha : 0;
  }
  for (size_t channel = 0; channel < colors; channel++) {
    uint16_t value = rounded(values[channel] * weight);
    pixel[channel] = blur->inLight ? code[value] : (uint8_t)((value + 128u) / 257u);
  }
}

static void swap_lines(Room *room) {
  float *lines = room->lines;
  room->lines = room->other;
  room->other = lines;
}

// Boxes are too coarse for narrow curves, and narrow curves are cheap.
static void filter_narrow(
  const float *from, float *to, ptrdiff_t length, size_t lanes, float deviation) {
  enum { REACH = 8 };
  float weights[REACH + 1], total = 0;
  for (int step = 0; step <= REACH; step++) {
    // The square of a narrow deviation may be zero, by which zero cannot be divided.
    weights[step] = step == 0 ? 1 : expf(-(float)(step * step) / (2 * deviation * deviation));
    total += step == 0 ? weights[step] : 2 * weights[step];
  }
  for (ptrdiff_t index = 0; index < length; index++) {
    float *result = to + (size_t)index * lanes;
    memset(result, 0, lanes * sizeof *result);
    for (ptrdiff_t step = -REACH; step <= REACH; step++) {
      const float *other = sample(from, index + step, length, lanes);
      float weight = weights[step < 0 ? -step : step] / total;
      for (size_t lane = 0; lane < lanes; lane++) result[lane] += weight * other[lane];
    }
  }
}

// The result is in `room->lines` again.
static void filter_strip(Room *room, size_t length, size_t lanes, float deviation) {
  if (deviation < NARROW) {
    filter_narrow(room->lines, room->other, (ptrdiff_t)length, lanes, deviation);
    swap_lines(room);
    return;
  }
  Box box = box_of(deviation);
  for (int pass = 0; pass < PASSES; pass++) {
    filter(room->lines, room->other, (ptrdiff_t)length, lanes, box);
    swap_lines(room);
  }
}

static CodecStatus run(
  const CodecBlur *blur, const uint8_t *source, uint8_t *destination, Room *room,
  CodecContinue shouldContinue, void *context) {
  size_t channels = blur->channels, rowSize = blur->width * channels;

  for (size_t top = 0; top < blur->height; top += LINES) {
    if (!shouldContinue(context)) return CodecStatusStopped;
    size_t count = blur->height - top < LINES ? blur->height - top : LINES, lanes = count * channels;
    for (size_t line = 0; line < count; line++) {
      load_row(blur, source + (top + line) * rowSize, room->lines + line * channels, lanes);
    }
    filter_strip(room, blur->width, lanes, blur->deviation);
    for (size_t line = 0; line < count; line++) {
      uint16_t *row = room->half + (top + line) * rowSize;
      for (size_t x = 0; x < blur->width; x++) {
        for (size_t channel = 0; channel < channels; channel++) {
          row[x * channels + channel] = rounded(room->lines[x * lanes + line * channels + channel]);
        }
      }
    }
  }
  for (size_t left = 0; left < blur->width; left += LINES) {
    if (!shouldContinue(context)) return CodecStatusStopped;
    size_t count = blur->width - left < LINES ? blur->width - left : LINES, lanes = count * channels;
    for (size_t y = 0; y < blur->height; y++) {
      const uint16_t *row = room->half + y * rowSize + left * channels;
      for (size_t lane = 0; lane < lanes; lane++) room->lines[y * lanes + lane] = row[lane];
    }
    filter_strip(room, blur->height, lanes, blur->deviation);
    for (size_t y = 0; y < blur->height; y++) {
      for (size_t line = 0; line < count; line++) {
        store_pixel(
          blur, room->lines + y * lanes + line * channels,
          destination + y * rowSize + (left + line) * channels);
      }
    }
  }
  return CodecStatusDone;
}

CodecStatus codec_blur(
  const CodecBlur *blur, const uint8_t *source, uint8_t *destination, CodecContinue shouldContinue,
  void *context) {
  Room room = {
    malloc(blur->width * blur->height * blur->channels * sizeof(uint16_t)), malloc(strip_bytes(blur)),
    malloc(strip_bytes(blur))};
  CodecStatus status = room.half && room.lines && room.other
    ? run(blur, source, destination, &room, shouldContinue, context)
    : CodecStatusOutOfMemory;
  free(room.half);
  free(room.lines);
  free(room.other);
  return status;
}

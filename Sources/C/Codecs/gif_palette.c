#include "gif_palette.h"

#include <stdlib.h>
#include <string.h>

// Colors are counted in cubes of 5, 6 and 5 bits.
enum { Cubes = 65536, Places = 1024, Empty = 0xFFFF };

static size_t cube_of(const uint8_t *color) {
  return (size_t)(color[0] >> 3) << 11 | (size_t)(color[1] >> 2) << 5 | color[2] >> 3;
}

// MARK: Few colors

static size_t place_of(uint32_t color) { return (color * 2654435761u) >> 22; }

static bool choose_exactly(
  const uint8_t *rgba, size_t count, GIFPalette *palette, uint8_t *indices) {
  uint16_t numbers[Places];
  memset(numbers, 0xFF, sizeof numbers);
  palette->count = 0;
  for (size_t pixel = 0; pixel < count; pixel++) {
    const uint8_t *color = rgba + pixel * 4;
    if (color[3] == 0) continue;
    size_t place = place_of((uint32_t)(color[0] << 16 | color[1] << 8 | color[2]));
    while (numbers[place] != Empty && memcmp(palette->colors[numbers[place]], color, 3) != 0) {
      place = (place + 1) % Places;
    }
    if (numbers[place] == Empty) {
      if (palette->count == GIFMaximumColors) return false;
      memcpy(palette->colors[palette->count], color, 3);
      numbers[place] = (uint16_t)palette->count++;
    }
    indices[pixel] = (uint8_t)numbers[place];
  }
  for (size_t pixel = 0; pixel < count; pixel++) {
    if (rgba[pixel * 4 + 3] == 0) indices[pixel] = (uint8_t)palette->count;
  }
  return true;
}

// MARK: Median cut

typedef struct Counted {
  uint64_t count;
  uint64_t sums[3];
} Counted;

typedef struct Part {
  size_t start;
  size_t end;
  /// The color along which it is longest, and how long it is.
  int axis;
  uint32_t length;
  uint64_t count;
} Part;

typedef struct Chooser {
  Counted *cubes;
  /// The cubes in use, in the order of the parts.
  uint16_t *order;
  uint16_t *sorted;
  /// The nearest color of each cube, or `Empty`.
  uint16_t *nearest;
  /// The errors of this row and the next one, with a pixel at each side.
  int16_t *errors;
} Chooser;

static uint8_t level_of(size_t cube, int axis) {
  switch (axis) {
  case 0: return (uint8_t)(cube >> 11 << 3);
  case 1: return (uint8_t)((cube >> 5 & 63) << 2);
  default: return (uint8_t)((cube & 31) << 3);
  }
}

static void measure(const Chooser *chooser, Part *part) {
  uint8_t low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
  // Green is seen most, and blue least.
  static const uint32_t weights[3] = {3, 4, 2};
  part->count = 0;
  for (size_t index = part->start; index < part->end; index++) {
    size_t cube = chooser->order[index];
    part->count += chooser->cubes[cube].count;
    for (int axis = 0; axis < 3; axis++) {
      uint8_t level = level_of(cube, axis);
      if (level < low[axis]) low[axis] = level;
      if (level > high[axis]) high[axis] = level;
    }
  }
  part->axis = 0;
  part->length = 0;
  for (int axis = 0; axis < 3; axis++) {
    uint32_t length = (uint32_t)(high[axis] - low[axis]) * weights[axis];
    if (length > part->length) {
      part->length = length;
      part->axis = axis;
    }
  }
}

// By counting, because levels are few.
static void sort(Chooser *chooser, const Part *part) {
  size_t places[257] = {0};
  for (size_t index = part->start; index < part->end; index++) {
    places[level_of(chooser->order[index], part->axis) + 1]++;
  }
  for (size_t level = 1; level < 257; level++) places[level] += places[level - 1];
  for (size_t index = part->start; index < part->end; index++) {
    uint16_t cube = chooser->order[index];
    chooser->sorted[places[level_of(cube, part->axis)]++] = cube;
  }
  size_t count = part->end - part->start;
  memcpy(chooser->order + part->start, chooser->sorted, count * sizeof *chooser->order);
}

/// Cuts a part so that both have about as many pixels.
static Part cut(Chooser *chooser, Part *part) {
  sort(chooser, part);
  uint64_t before = 0;
  size_t middle = part->start;
  while (middle + 1 < part->end - 1 && before < part->count / 2) {
    before += chooser->cubes[chooser->order[middle++]].count;
  }
  if (middle == part->start) middle++;
  Part second = {.start = middle, .end = part->end};
  part->end = middle;
  measure(chooser, part);
  measure(chooser, &second);
  return second;
}

static void choose_by_cuts(Chooser *chooser, size_t used, GIFPalette *palette) {
  Part parts[GIFMaximumColors];
  size_t count = 1;
  parts[0] = (Part){.start = 0, .end = used};
  measure(chooser, &parts[0]);
  while (count < GIFMaximumColors) {
    size_t best = count;
    double most = 0;
    for (size_t index = 0; index < count; index++) {
      double weight = (double)parts[index].length * (double)parts[index].length * (double)parts[index].count;
      if (parts[index].end - parts[index].start > 1 && weight > most) {
        most = weight;
        best = index;
      }
    }
    if (best == count) break;
    parts[count] = cut(chooser, &parts[best]);
    count++;
  }
  palette->count = count;
  for (size_t index = 0; index < count; index++) {
    Counted all = {0};
    for (size_t place = parts[index].start; place < parts[index].end; place++) {
      const Counted *cube = &chooser->cubes[chooser->order[place]];
      all.count += cube->count;
      for (int axis = 0; axis < 3; axis++) all.sums[axis] += cube->sums[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
      palette->colors[index][axis] = (uint8_t)((all.sums[axis] + all.count / 2) / all.count);
    }
  }
}

// MARK: Pixels

static uint8_t nearest(Chooser *chooser, const GIFPalette *palette, const uint8_t *color) {
  uint16_t *known = &chooser->nearest[cube_of(color)];
  if (*known != Empty) return (uint8_t)*known;
  // The middle of the cube, so that the result is the same for all its colors.
  int middle[3] = {(color[0] & ~7) + 4, (color[1] & ~3) + 2, (color[2] & ~7) + 4};
  long least = -1;
  for (size_t index = 0; index < palette->count; index++) {
    long red = palette->colors[index][0] - middle[0], green = palette->colors[index][1] - middle[1];
    long blue = palette->colors[index][2] - middle[2];
    long distance = 3 * red * red + 4 * green * green + 2 * blue * blue;
    if (least < 0 || distance < least) {
      least = distance;
      *known = (uint16_t)index;
    }
  }
  return (uint8_t)*known;
}

static uint8_t clamped(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

static void diffuse(
  Chooser *chooser, const GIFPalette *palette, const uint8_t *rgba, size_t width, size_t height,
  uint8_t *indices) {
  size_t row = (width + 2) * 3;
  for (size_t y = 0; y < height; y++) {
    int16_t *errors = chooser->errors + (y & 1) * row, *below = chooser->errors + (~y & 1) * row;
    memset(below, 0, row * sizeof *below);
    for (size_t x = 0; x < width; x++) {
      size_t pixel = y * width + x;
      const uint8_t *color = rgba + pixel * 4;
      if (color[3] == 0) {
        indices[pixel] = (uint8_t)palette->count;
        continue;
      }
      uint8_t wanted[3];
      for (size_t axis = 0; axis < 3; axis++) {
        wanted[axis] = clamped(color[axis] + errors[(x + 1) * 3 + axis] / 16);
      }
      uint8_t index = nearest(chooser, palette, wanted);
      indices[pixel] = index;
      for (size_t axis = 0; axis < 3; axis++) {
        int16_t error = (int16_t)(wanted[axis] - palette->colors[index][axis]);
        errors[(x + 2) * 3 + axis] = (int16_t)(errors[(x + 2) * 3 + axis] + 7 * error);
        below[x * 3 + axis] = (int16_t)(below[x * 3 + axis] + 3 * error);
        below[(x + 1) * 3 + axis] = (int16_t)(below[(x + 1) * 3 + axis] + 5 * error);
        below[(x + 2) * 3 + axis] = (int16_t)(below[(x + 2) * 3 + axis] + error);
      }
    }
  }
}

static size_t count_colors(Chooser *chooser, const uint8_t *rgba, size_t count) {
  for (size_t pixel = 0; pixel < count; pixel++) {
    const uint8_t *color = rgba + pixel * 4;
    if (color[3] == 0) continue;
    Counted *cube = &chooser->cubes[cube_of(color)];
    cube->count++;
    for (size_t axis = 0; axis < 3; axis++) cube->sums[axis] += color[axis];
  }
  size_t used = 0;
  for (size_t cube = 0; cube < Cubes; cube++) {
    if (chooser->cubes[cube].count > 0) chooser->order[used++] = (uint16_t)cube;
  }
  return used;
}

bool gif_choose_colors(
  const uint8_t *rgba, size_t width, size_t height, GIFPalette *palette, uint8_t *indices) {
  if (choose_exactly(rgba, width * height, palette, indices)) return true;
  Chooser chooser = {
    calloc(Cubes, sizeof *chooser.cubes), malloc(Cubes * sizeof *chooser.order),
    malloc(Cubes * sizeof *chooser.sorted), malloc(Cubes * sizeof *chooser.nearest),
    calloc((width + 2) * 6, sizeof *chooser.errors)};
  bool hasMemory =
    chooser.cubes && chooser.order && chooser.sorted && chooser.nearest && chooser.errors;
  if (hasMemory) {
    choose_by_cuts(&chooser, count_colors(&chooser, rgba, width * height), palette);
    memset(chooser.nearest, 0xFF, Cubes * sizeof *chooser.nearest);
    diffuse(&chooser, palette, rgba, width, height, indices);
  }
  free(chooser.cubes);
  free(chooser.order);
  free(chooser.sorted);
  free(chooser.nearest);
  free(chooser.errors);
  return hasMemory;
}

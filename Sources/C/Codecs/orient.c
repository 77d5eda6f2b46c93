#include "CodecPixels.h"

#include <string.h>

// Where a step in the source leads in the destination, counted in pixels.
typedef struct Route {
  ptrdiff_t start;
  ptrdiff_t right;
  ptrdiff_t down;
} Route;

static Route route(ptrdiff_t width, ptrdiff_t height, int32_t orientation) {
  switch (orientation) {
  case 2: return (Route){width - 1, -1, width};
  case 3: return (Route){width * height - 1, -1, -width};
  case 4: return (Route){width * (height - 1), 1, -width};
  case 5: return (Route){0, height, 1};
  case 6: return (Route){height - 1, height, -1};
  case 7: return (Route){width * height - 1, -height, -1};
  case 8: return (Route){height * (width - 1), -height, 1};
  default: return (Route){0, 1, width};
  }
}

// Square blocks, because half of the orientations write down columns: whole rows would miss the cache on
// every pixel.
enum { BLOCK = 32 };

static inline void copy_blocks(
  const uint8_t *source, size_t width, size_t height, size_t pixelSize, Route path,
  uint8_t *destination) {
  for (size_t top = 0; top < height; top += BLOCK) {
    size_t bottom = top + BLOCK < height ? top + BLOCK : height;
    for (size_t left = 0; left < width; left += BLOCK) {
      size_t right = left + BLOCK < width ? left + BLOCK : width;
      for (size_t y = top; y < bottom; y++) {
        const uint8_t *from = source + (y * width + left) * pixelSize;
        ptrdiff_t to = path.start + (ptrdiff_t)left * path.right + (ptrdiff_t)y * path.down;
        for (size_t x = left; x < right; x++) {
          memcpy(destination + to * (ptrdiff_t)pixelSize, from, pixelSize);
          from += pixelSize;
          to += path.right;
        }
      }
    }
  }
}

void codec_orient(
  const uint8_t *source, size_t width, size_t height, size_t bytesPerPixel, int32_t orientation,
  uint8_t *destination) {
  Route path = route((ptrdiff_t)width, (ptrdiff_t)height, orientation);

  // Constant sizes let the compiler turn memcpy into single moves.
  switch (bytesPerPixel) {
  case 1: copy_blocks(source, width, height, 1, path, destination); break;
  case 3: copy_blocks(source, width, height, 3, path, destination); break;
  case 4: copy_blocks(source, width, height, 4, path, destination); break;
  case 6: copy_blocks(source, width, height, 6, path, destination); break;
  case 8: copy_blocks(source, width, height, 8, path, destination); break;
  default: copy_blocks(source, width, height, bytesPerPixel, path, destination); break;
  }
}

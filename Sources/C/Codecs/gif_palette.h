#ifndef CCODECS_GIF_PALETTE_H
#define CCODECS_GIF_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GIFMaximumColors = 255 };

/// At most 255 colors: one number is left for pixels without a color.
typedef struct GIFPalette {
  uint8_t colors[GIFMaximumColors][3];
  size_t count;
} GIFPalette;

/// Chooses colors for the pixels of `rgba` whose alpha is not 0, and writes the number of each one's color to `indices`, and
/// `palette->count` for the others. Up to 255 colors are kept exactly. More are chosen by median cut, and errors are diffused to
/// neighbors (Floyd and Steinberg). False when there is no memory.
bool gif_choose_colors(
  const uint8_t *rgba, size_t width, size_t height, GIFPalette *palette, uint8_t *indices);

#endif

#include "CodecGIF.h"
#include "gif_palette.h"

#include <stdlib.h>
#include <string.h>

#if !__has_include(<gif_lib.h>)
#error "giflib is missing: run Scripts/setup of Streams, or install libgif-dev on Debian."
#endif
#include <gif_lib.h>

typedef struct Output {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} Output;

static int collect(GifFileType *gif, const GifByteType *bytes, int count) {
  Output *output = gif->UserData;
  size_t needed = output->count + (size_t)count;
  if (needed > output->capacity) {
    size_t capacity = needed * 2 > 4096 ? needed * 2 : 4096;
    uint8_t *larger = realloc(output->bytes, capacity);
    if (!larger) return 0;
    output->bytes = larger;
    output->capacity = capacity;
  }
  memcpy(output->bytes + output->count, bytes, (size_t)count);
  output->count = needed;
  return count;
}

// A palette has a power of two of colors, and at least two.
static ColorMapObject *map_of(const GIFPalette *palette, bool hasTransparency) {
  size_t size = 2, needed = palette->count + (hasTransparency ? 1 : 0);
  while (size < needed) size *= 2;
  GifColorType colors[256] = {{0}};
  for (size_t index = 0; index < palette->count; index++) {
    const uint8_t *color = palette->colors[index];
    colors[index] = (GifColorType){color[0], color[1], color[2]};
  }
  return GifMakeMapObject((int)size, colors);
}

static bool put_frame(
  GifFileType *gif, const CodecGIFPart *part, const ColorMapObject *map, int transparent, uint8_t *indices) {
  GraphicsControlBlock control = {
    .DisposalMode = part->isCleared ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
    .UserInputFlag = false,
    .DelayTime = (int)part->delay,
    .TransparentColor = transparent,
  };
  GifByteType bytes[4];
  EGifGCBToExtension(&control, bytes);
  if (EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, bytes) != GIF_OK
      || EGifPutImageDesc(
           gif, (int)part->x, (int)part->y, (int)part->width, (int)part->height, false, map) != GIF_OK) {
    return false;
  }
  for (size_t y = 0; y < part->height; y++) {
    if (EGifPutLine(gif, indices + y * part->width, (int)part->width) != GIF_OK) return false;
  }
  return true;
}

static bool put_file(
  GifFileType *gif, const CodecGIFPart *part, const GIFPalette *palette, uint8_t *indices) {
  size_t count = (size_t)part->width * part->height;
  bool hasTransparency = memchr(indices, (int)palette->count, count) != NULL;
  ColorMapObject *map = map_of(palette, hasTransparency);
  if (!map) return false;
  EGifSetGifVersion(gif, true);
  int transparent = hasTransparency ? (int)palette->count : NO_TRANSPARENT_COLOR;
  bool isWritten =
    EGifPutScreenDesc(gif, (int)(part->x + part->width), (int)(part->y + part->height), 8, 0, NULL)
      == GIF_OK
    && put_frame(gif, part, map, transparent, indices);
  GifFreeMapObject(map);
  return isWritten;
}

CodecStatus codec_gif_write(const CodecGIFPart *part, uint8_t **output, size_t *count) {
  size_t pixelCount = (size_t)part->width * part->height;
  uint8_t *indices = malloc(pixelCount);
  GIFPalette palette;
  if (!indices || !gif_choose_colors(part->pixels, part->width, part->height, &palette, indices)) {
    free(indices);
    return CodecStatusOutOfMemory;
  }
  Output collected = {NULL, 0, 0};
  int error = 0;
  GifFileType *gif = EGifOpen(&collected, collect, &error);
  bool isWritten = gif && put_file(gif, part, &palette, indices);
  // It writes the end.
  if (gif && EGifCloseFile(gif, &error) != GIF_OK) isWritten = false;
  free(indices);
  if (!isWritten) {
    free(collected.bytes);
    return CodecStatusOutOfMemory;
  }
  *output = collected.bytes;
  *count = collected.count;
  return CodecStatusDone;
}

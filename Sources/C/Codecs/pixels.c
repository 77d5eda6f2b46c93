#include "CodecPixels.h"
#include "CodecLending.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

void *codec_allocate(size_t byteCount) { return calloc(byteCount ? byteCount : 1, 1); }

void *codec_allocate_aligned(size_t byteCount) {
  if (byteCount > SIZE_MAX - 64) return NULL;
  return aligned_alloc(64, (byteCount / 64 + 1) * 64);
}

void codec_free(void *memory) { free(memory); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CODECS_WATCHED 1
#endif
#endif

#if (defined(__linux__) || defined(__APPLE__)) && !defined(CODECS_WATCHED)
static size_t leastLarge = 128 * 1024;

void codec_keep_pixels_in_heap(size_t byteCount) { leastLarge = byteCount; }

static bool is_large(size_t byteCount) { return byteCount >= leastLarge; }

static void *allocate_pixels(size_t byteCount, bool isZeroed) {
  if (!is_large(byteCount)) return isZeroed ? codec_allocate(byteCount) : malloc(byteCount ? byteCount : 1);
  void *lent = codec_allocate_lent(byteCount);
  if (lent) return lent;
  void *memory = mmap(NULL, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *codec_allocate_pixels(size_t byteCount) { return allocate_pixels(byteCount, true); }

void *codec_allocate_unset_pixels(size_t byteCount) { return allocate_pixels(byteCount, false); }

void codec_free_pixels(void *pixels, size_t byteCount) {
  if (!is_large(byteCount)) {
    codec_free(pixels);
  } else if (pixels && !codec_free_lent(pixels)) {
    munmap(pixels, byteCount);
  }
}
#else
void codec_keep_pixels_in_heap(size_t byteCount) { (void)byteCount; }

// The address sanitizer watches the heap only.
void *codec_allocate_pixels(size_t byteCount) { return codec_allocate(byteCount); }

void *codec_allocate_unset_pixels(size_t byteCount) { return malloc(byteCount ? byteCount : 1); }

void codec_free_pixels(void *pixels, size_t byteCount) {
  (void)byteCount;
  codec_free(pixels);
}
#endif

bool codec_equal(const void *left, const void *right, size_t byteCount) {
  return memcmp(left, right, byteCount) == 0;
}

void codec_flatten_over_white(const uint8_t *rgba, size_t pixelCount, uint8_t *rgb) {
  for (size_t pixel = 0; pixel < pixelCount; pixel++) {
    unsigned alpha = rgba[pixel * 4 + 3];
    for (size_t channel = 0; channel < 3; channel++) {
      unsigned mixed = rgba[pixel * 4 + channel] * alpha + 255 * (255 - alpha);
      rgb[pixel * 3 + channel] = (uint8_t)((mixed + 127) / 255);
    }
  }
}

void codec_narrow(const void *samples, size_t count, uint8_t *bytes) {
  const uint16_t *wide = samples;
  for (size_t index = 0; index < count; index++) bytes[index] = (uint8_t)((wide[index] * 255u + 32895u) >> 16);
}

uint32_t codec_divided(uint32_t color, uint32_t alpha, uint32_t most) {
  if (alpha == 0) return color;
  uint32_t value = (color * most + alpha / 2) / alpha;
  return value > most ? most : value;
}

void codec_gray_to_rgb(const uint8_t *gray, size_t pixelCount, uint8_t *rgb) {
  for (size_t pixel = 0; pixel < pixelCount; pixel++) {
    memset(rgb + pixel * 3, gray[pixel], 3);
  }
}

uint8_t *codec_gray_rows_to_rgb(const uint8_t *gray, size_t bytesPerRow, size_t width, size_t height) {
  uint8_t *rgb = malloc(width * height * 3);
  if (!rgb) return NULL;
  for (size_t row = 0; row < height; row++) {
    codec_gray_to_rgb(gray + row * bytesPerRow, width, rgb + row * width * 3);
  }
  return rgb;
}

void codec_cmyk_to_rgb(const uint8_t *cmyk, size_t pixelCount, bool isInverted, uint8_t *rgb) {
  unsigned flip = isInverted ? 0 : 255;
  for (size_t pixel = 0; pixel < pixelCount; pixel++) {
    unsigned light = cmyk[pixel * 4 + 3] ^ flip;
    for (size_t channel = 0; channel < 3; channel++) {
      unsigned value = cmyk[pixel * 4 + channel] ^ flip;
      rgb[pixel * 3 + channel] = (uint8_t)((value * light + 127) / 255);
    }
  }
}

#include "CodecPlanes.h"

#include <string.h>

// The compiler vectorizes these loops. On x86-64 it may use no more than SSE2, which lacks a shuffle of bytes and is up to eight
// times slower, so they are compiled for AVX2 too, and the processor is asked.
#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define IN_EACH static inline __attribute__((always_inline))
#else
#define IN_EACH static inline
#endif

IN_EACH void split_any(
  const uint8_t *restrict packed, size_t count, size_t channels, uint8_t *restrict first,
  uint8_t *restrict second, uint8_t *restrict third, uint8_t *restrict fourth) {
  if (channels == 3) {
    for (size_t pixel = 0; pixel < count; pixel++) {
      first[pixel] = packed[pixel * 3];
      second[pixel] = packed[pixel * 3 + 1];
      third[pixel] = packed[pixel * 3 + 2];
    }
  } else {
    for (size_t pixel = 0; pixel < count; pixel++) {
      first[pixel] = packed[pixel * 4];
      second[pixel] = packed[pixel * 4 + 1];
      third[pixel] = packed[pixel * 4 + 2];
      fourth[pixel] = packed[pixel * 4 + 3];
    }
  }
}

IN_EACH void merge_any(
  const uint8_t *restrict first, const uint8_t *restrict second, const uint8_t *restrict third,
  const uint8_t *restrict fourth, size_t count, size_t channels, uint8_t *restrict packed) {
  if (channels == 3) {
    for (size_t pixel = 0; pixel < count; pixel++) {
      packed[pixel * 3] = first[pixel];
      packed[pixel * 3 + 1] = second[pixel];
      packed[pixel * 3 + 2] = third[pixel];
    }
  } else {
    for (size_t pixel = 0; pixel < count; pixel++) {
      packed[pixel * 4] = first[pixel];
      packed[pixel * 4 + 1] = second[pixel];
      packed[pixel * 4 + 2] = third[pixel];
      packed[pixel * 4 + 3] = fourth[pixel];
    }
  }
}

#ifdef WITH_AVX2
WITH_AVX2 static void split_avx2(
  const uint8_t *packed, size_t count, size_t channels, uint8_t *first, uint8_t *second, uint8_t *third,
  uint8_t *fourth) {
  split_any(packed, count, channels, first, second, third, fourth);
}

WITH_AVX2 static void merge_avx2(
  const uint8_t *first, const uint8_t *second, const uint8_t *third, const uint8_t *fourth, size_t count,
  size_t channels, uint8_t *packed) {
  merge_any(first, second, third, fourth, count, channels, packed);
}
#endif

void codec_split(
  const uint8_t *packed, size_t count, size_t channels, uint8_t *first, uint8_t *second, uint8_t *third,
  uint8_t *fourth) {
  if (channels == 1) {
    memcpy(first, packed, count);
    return;
  }
#ifdef WITH_AVX2
  if (__builtin_cpu_supports("avx2")) {
    split_avx2(packed, count, channels, first, second, third, fourth);
    return;
  }
#endif
  split_any(packed, count, channels, first, second, third, fourth);
}

void codec_merge(
  const uint8_t *first, const uint8_t *second, const uint8_t *third, const uint8_t *fourth, size_t count,
  size_t channels, uint8_t *packed) {
  if (channels == 1) {
    memcpy(packed, first, count);
    return;
  }
#ifdef WITH_AVX2
  if (__builtin_cpu_supports("avx2")) {
    merge_avx2(first, second, third, fourth, count, channels, packed);
    return;
  }
#endif
  merge_any(first, second, third, fourth, count, channels, packed);
}

void codec_split_wide(const uint8_t *packed, size_t count, size_t channels, size_t channel, void *plane) {
  const uint16_t *source = (const uint16_t *)(const void *)packed + channel;
  uint16_t *target = plane;
  for (size_t pixel = 0; pixel < count; pixel++) target[pixel] = source[pixel * channels];
}

void codec_merge_wide(const void *plane, size_t count, size_t channels, size_t channel, uint8_t *packed) {
  const uint16_t *source = plane;
  uint16_t *target = (uint16_t *)(void *)packed + channel;
  for (size_t pixel = 0; pixel < count; pixel++) target[pixel * channels] = source[pixel];
}

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CodecLending.h"

#include <string.h>

#ifdef __linux__
#include <sys/mman.h>

// Of Linux 5.14, and so not in all headers.
enum { PopulateWrite = 23 };
#endif

// The largest pages of all systems: the program maps a block by its offset, which must be that of a page.
enum { MostBlocks = 32, Page = 1 << 16 };

typedef struct Block {
  size_t offset;
  size_t byteCount;
  bool isKept;
} Block;

// Blocks in the order of their places. There are few at a time: an image, and what it becomes.
static _Thread_local struct Lent {
  uint8_t *memory;
  size_t byteCount;
  size_t count;
  Block blocks[MostBlocks];
} lent;

void codec_lend_pixels(void *memory, size_t byteCount) {
  lent.memory = memory;
  lent.byteCount = byteCount;
  lent.count = 0;
}

// The first gap that is large enough.
static void *take(size_t byteCount, bool isKept, size_t *offset) {
  if (!lent.memory || lent.count == MostBlocks || byteCount > lent.byteCount) return NULL;
  size_t size = (byteCount + Page - 1) / Page * Page;
  size_t start = 0, index = 0;
  while (index < lent.count && lent.blocks[index].offset - start < size) {
    start = lent.blocks[index].offset + lent.blocks[index].byteCount;
    index++;
  }
  if (size < byteCount || lent.byteCount - start < size) return NULL;
  memmove(&lent.blocks[index + 1], &lent.blocks[index], (lent.count - index) * sizeof(Block));
  lent.blocks[index] = (Block){start, size, isKept};
  lent.count++;
  if (offset) *offset = start;
#ifdef __linux__
  // All of it will be written to. Its pages one by one take several times as long.
  (void)madvise(lent.memory + start, byteCount, PopulateWrite);
#endif
  return lent.memory + start;
}

void *codec_allocate_lent(size_t byteCount) { return take(byteCount, false, NULL); }

void *codec_take_lent(size_t byteCount, size_t *offset) { return take(byteCount, true, offset); }

static Block *find(const void *pixels) {
  uintptr_t place = (uintptr_t)pixels, start = (uintptr_t)lent.memory;
  if (!lent.memory || place < start || place - start >= lent.byteCount) return NULL;
  for (size_t index = 0; index < lent.count; index++) {
    if (lent.blocks[index].offset == place - start) return &lent.blocks[index];
  }
  return NULL;
}

bool codec_keep_lent(const void *pixels, size_t *offset) {
  Block *block = find(pixels);
  if (!block) return false;
  block->isKept = true;
  *offset = block->offset;
  return true;
}

bool codec_free_lent(void *pixels) {
  Block *block = find(pixels);
  if (!block) return false;
  if (block->isKept) return true;
#ifdef __linux__
  // Zeroes it, and gives the pages back: whoever lent the memory keeps what is in it.
  if (madvise(pixels, block->byteCount, MADV_REMOVE) != 0) memset(pixels, 0, block->byteCount);
#else
  memset(pixels, 0, block->byteCount);
#endif
  size_t index = (size_t)(block - lent.blocks);
  memmove(block, block + 1, (lent.count - index - 1) * sizeof(Block));
  lent.count--;
  return true;
}

bool codec_is_lending(void) { return lent.memory != NULL; }

bool codec_end_lending(void) {
  bool isClean = true;
  for (size_t index = 0; index < lent.count; index++) isClean = isClean && lent.blocks[index].isKept;
  lent.memory = NULL;
  return isClean;
}

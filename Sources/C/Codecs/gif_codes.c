#include "gif_codes.h"

#include <stdbool.h>
#include <stdlib.h>

enum { Capacity = 1 << GIFCodesMostBits, None = Capacity };

struct GIFCodes {
  GIFCodesNext next;
  void *context;
  const uint8_t *part;
  size_t partCount;
  uint32_t bits;
  unsigned bitCount;
  unsigned codeSize;
  // Of the next code.
  unsigned length;
  // How many codes there are, and what was the last one, and the first number of what it stands for.
  unsigned known;
  unsigned previous;
  uint16_t first;
  bool hasEnded;
  // A code stands for what another one stands for, and one number more.
  uint16_t prefixes[Capacity];
  uint16_t suffixes[Capacity];
  // Numbers to be written, the last one first.
  uint16_t waiting[Capacity + 1];
  size_t waitingCount;
};

static void start_again(GIFCodes *codes) {
  codes->length = codes->codeSize + 1;
  codes->known = (1u << codes->codeSize) + 2;
  codes->previous = None;
}

GIFCodes *gif_codes_create(unsigned codeSize, GIFCodesNext next, void *context) {
  if (codeSize < 1 || codeSize >= GIFCodesMostBits) return NULL;
  GIFCodes *codes = calloc(1, sizeof *codes);
  if (!codes) return NULL;
  codes->next = next;
  codes->context = context;
  codes->codeSize = codeSize;
  start_again(codes);
  return codes;
}

void gif_codes_destroy(GIFCodes *codes) { free(codes); }

// False at the end of the parts.
static bool next_code(GIFCodes *codes, unsigned *code) {
  while (codes->bitCount < codes->length) {
    if (codes->partCount == 0) codes->part = codes->next(codes->context, &codes->partCount);
    if (codes->partCount == 0) return false;
    codes->bits |= (uint32_t)*codes->part++ << codes->bitCount;
    codes->partCount--;
    codes->bitCount += 8;
  }
  *code = codes->bits & ((1u << codes->length) - 1);
  codes->bits >>= codes->length;
  codes->bitCount -= codes->length;
  return true;
}

static void wait(GIFCodes *codes, unsigned number) { codes->waiting[codes->waitingCount++] = (uint16_t)number; }

static void remember(GIFCodes *codes) {
  if (codes->previous == None || codes->known == Capacity) return;
  codes->prefixes[codes->known] = (uint16_t)codes->previous;
  codes->suffixes[codes->known] = codes->first;
  codes->known++;
  if (codes->known == 1u << codes->length && codes->length < GIFCodesMostBits) codes->length++;
}

// What a code stands for waits to be written. False if it stands for nothing.
static bool expand(GIFCodes *codes, unsigned code) {
  unsigned colors = 1u << codes->codeSize;
  bool isBeingMade = code == codes->known && codes->previous != None;
  if (code >= codes->known && !isBeingMade) return false;
  unsigned current = code;
  // The code that is being made right now: what the last one stands for, and its first number again.
  if (isBeingMade) {
    wait(codes, codes->first);
    current = codes->previous;
  }
  while (current >= colors) {
    wait(codes, codes->suffixes[current]);
    current = codes->prefixes[current];
  }
  wait(codes, current);
  codes->first = (uint16_t)current;
  remember(codes);
  codes->previous = code;
  return true;
}

GIFCodesResult gif_codes_read(GIFCodes *codes, uint16_t *numbers, size_t count) {
  unsigned clear = 1u << codes->codeSize;
  size_t written = 0;
  while (written < count) {
    while (codes->waitingCount > 0 && written < count) numbers[written++] = codes->waiting[--codes->waitingCount];
    if (written == count) break;
    unsigned code = 0;
    if (codes->hasEnded || !next_code(codes, &code)) return GIFCodesMissing;
    if (code == clear) {
      start_again(codes);
    } else if (code == clear + 1) {
      codes->hasEnded = true;
    } else if (!expand(codes, code)) {
      return GIFCodesMeaningless;
    }
  }
  return GIFCodesRead;
}

#include "CodecPNG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<png.h>)
#error "libpng is missing: run Scripts/setup of Streams, or install libpng-dev on Debian."
#endif
#include <png.h>

// Everything that must survive a longjmp lives here, none of it in locals.
struct CodecPNGReader {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  CodecReadOptions options;
  CodecStatus status;
  char message[CodecMessageCapacity];
  const uint8_t *next;
  size_t remaining;
  size_t allocated;
  bool isReady;
  bool isOverBudget;
  int64_t warnings;
  int pass;
  uint32_t row;
  bool hasAllRows;
};

static void leave(CodecPNGReader *reader, CodecStatus status, const char *message) {
  reader->status = status;
  snprintf(reader->message, sizeof reader->message, "%s", message);
  longjmp(reader->escape, 1);
}

static void fail(png_structp png, png_const_charp message) {
  CodecPNGReader *reader = png_get_error_ptr(png);
  leave(reader, reader->isOverBudget ? CodecStatusTooMuchMemory : CodecStatusCorrupt, message);
}

static void warn(png_structp png, png_const_charp message) {
  (void)message;
  CodecPNGReader *reader = png_get_error_ptr(png);
  reader->warnings++;
  if (reader->warnings > reader->options.maximumWarnings) {
    leave(reader, CodecStatusTooManyWarnings, "too many warnings");
  }
}

static void read_bytes(png_structp png, png_bytep destination, size_t count) {
  CodecPNGReader *reader = png_get_io_ptr(png);
  if (count > reader->remaining) leave(reader, CodecStatusTruncated, "the data ends early");
  memcpy(destination, reader->next, count);
  reader->next += count;
  reader->remaining -= count;
}

// The size of each block stands before it, so that releasing it gives its share of the budget back. What a reader itself is
// made of is not refused: an image has no part in its size.
enum { BLOCK_HEADER = 16 };

static png_voidp allocate(png_structp png, png_alloc_size_t count) {
  CodecPNGReader *reader = png_get_mem_ptr(png);
  size_t budget = (size_t)reader->options.maximumWorkingBytes;
  if (reader->isReady && (count > budget || reader->allocated > budget - count)) {
    reader->isOverBudget = true;
    return NULL;
  }
  uint8_t *block = malloc(count + BLOCK_HEADER);
  if (!block) return NULL;
  memcpy(block, &count, sizeof count);
  reader->allocated += count;
  return block + BLOCK_HEADER;
}

static void release(png_structp png, png_voidp memory) {
  if (!memory) return;
  CodecPNGReader *reader = png_get_mem_ptr(png);
  uint8_t *block = (uint8_t *)memory - BLOCK_HEADER;
  png_alloc_size_t count;
  memcpy(&count, block, sizeof count);
  reader->allocated -= count;
  free(block);
}

// Profiles, text, thumbnails, suggested palettes and the rest of the known ancillary chunks are skipped unread, so
// nothing of theirs is inflated.
static void choose_chunks(png_structp png) {
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

CodecPNGReader *codec_png_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options) {
  CodecPNGReader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->options = *options;
  reader->next = bytes;
  reader->remaining = count;
  if (setjmp(reader->escape)) {
    codec_png_reader_destroy(reader);
    return NULL;
  }
  reader->png = png_create_read_struct_2(
    PNG_LIBPNG_VER_STRING, reader, fail, warn, reader, allocate, release);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) {
    codec_png_reader_destroy(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, read_bytes);
#ifdef PNG_MAXIMUM_INFLATE_WINDOW
  // Old encoders announce a window that is smaller than their distances.
  png_set_option(reader->png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
#endif
  // Data is taken in pieces of this size, and the last one of a file that ends early is lost.
  if (!options->isStrict) png_set_compression_buffer_size(reader->png, 64);
  png_set_chunk_malloc_max(reader->png, 65536);
  choose_chunks(reader->png);
  reader->isReady = true;
  return reader;
}

// Samples of 16 bits have their first byte first in a file.
static bool is_little_endian(void) { return *(const uint8_t *)&(uint16_t){1} == 1; }

// Leaves gray, RGB or RGBA of eight bits, or of sixteen.
static void choose_transforms(png_structp png, png_infop info, bool keepsDepth) {
  int color = png_get_color_type(png, info);
  bool hasAlpha = (color & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
  png_set_expand(png);
  if (png_get_bit_depth(png, info) == 16) {
    if (!keepsDepth) {
      png_set_scale_16(png);
    } else if (is_little_endian()) {
      png_set_swap(png);
    }
  }
  if (hasAlpha && !(color & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
}

CodecStatus codec_png_reader_read_header(
  CodecPNGReader *reader, uint32_t maximumWidth, uint32_t maximumHeight, bool keepsDepth, CodecPNGHeader *header) {
  if (setjmp(reader->escape)) return reader->status;
  png_set_user_limits(reader->png, maximumWidth, maximumHeight);
  png_read_info(reader->png, reader->info);
  choose_transforms(reader->png, reader->info, keepsDepth);
  png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);

  header->width = png_get_image_width(reader->png, reader->info);
  header->height = png_get_image_height(reader->png, reader->info);
  header->channels = png_get_channels(reader->png, reader->info);
  header->bits = png_get_bit_depth(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != (size_t)header->width * header->channels * (header->bits / 8)) {
    leave(reader, CodecStatusUnsupported, "an unknown pixel layout");
  }
  return CodecStatusDone;
}

CodecStatus codec_png_reader_read(CodecPNGReader *reader, uint8_t *pixels, size_t bytesPerRow) {
  if (setjmp(reader->escape)) {
    // libpng looks for the end of the data before it returns from the last row, which it has written by then.
    uint32_t height = png_get_image_height(reader->png, reader->info);
    bool isInterlaced = png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_ADAM7;
    reader->hasAllRows = reader->hasAllRows
      || (isInterlaced ? png_get_current_pass_number(reader->png) >= 7
                       : png_get_current_row_number(reader->png) >= height);
    return reader->status;
  }
  uint32_t height = png_get_image_height(reader->png, reader->info);
  int passes = png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
  for (reader->pass = 0; reader->pass < passes; reader->pass++) {
    for (reader->row = 0; reader->row < height; reader->row++) {
      if (!reader->options.shouldContinue(reader->options.context)) {
        leave(reader, CodecStatusStopped, "stopped");
      }
      png_read_row(reader->png, pixels + (size_t)reader->row * bytesPerRow, NULL);
    }
  }
  reader->hasAllRows = true;
  png_read_end(reader->png, NULL);
  return CodecStatusDone;
}

bool codec_png_reader_has_all_rows(const CodecPNGReader *reader) { return reader->hasAllRows; }

const char *codec_png_reader_message(const CodecPNGReader *reader) { return reader->message; }

void codec_png_reader_destroy(CodecPNGReader *reader) {
  if (!reader) return;
  if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

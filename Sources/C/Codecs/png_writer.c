#include "CodecPNG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct CodecPNGWriter {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  char message[CodecMessageCapacity];
  CodecStatus status;
  uint8_t *output;
  size_t count;
  size_t capacity;
  uint32_t row;
};

static void leave(CodecPNGWriter *writer, CodecStatus status, const char *message) {
  writer->status = status;
  snprintf(writer->message, sizeof writer->message, "%s", message);
  longjmp(writer->escape, 1);
}

static void fail(png_structp png, png_const_charp message) {
  leave(png_get_error_ptr(png), CodecStatusCorrupt, message);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  CodecPNGWriter *writer = png_get_io_ptr(png);
  if (count > writer->capacity - writer->count) {
    size_t capacity = (writer->count + count) * 2;
    uint8_t *larger = realloc(writer->output, capacity);
    if (!larger) leave(writer, CodecStatusOutOfMemory, "no memory for the file");
    writer->output = larger;
    writer->capacity = capacity;
  }
  memcpy(writer->output + writer->count, bytes, count);
  writer->count += count;
}

static void flush(png_structp png) { (void)png; }

CodecPNGWriter *codec_png_writer_create(void) {
  CodecPNGWriter *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  if (setjmp(writer->escape)) {
    codec_png_writer_destroy(writer);
    return NULL;
  }
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore);
  if (writer->png) writer->info = png_create_info_struct(writer->png);
  if (!writer->info) {
    codec_png_writer_destroy(writer);
    return NULL;
  }
  png_set_write_fn(writer->png, writer, write_bytes, flush);
  return writer;
}

static int color_type(uint32_t channels) {
  switch (channels) {
  case 1: return PNG_COLOR_TYPE_GRAY;
  case 3: return PNG_COLOR_TYPE_RGB;
  default: return PNG_COLOR_TYPE_RGB_ALPHA;
  }
}

CodecStatus codec_png_writer_write(
  CodecPNGWriter *writer, const CodecPNGWriterOptions *options, const uint8_t *pixels,
  size_t bytesPerRow) {
  if (setjmp(writer->escape)) return writer->status;
  // A profile that libpng finds fault with is left out rather than fatal.
  png_set_benign_errors(writer->png, 1);
  png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(
    writer->png, writer->info, options->width, options->height, (int)options->bits,
    color_type(options->channels),
    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (options->profileCount > 0) {
    png_set_iCCP(
      writer->png, writer->info, "profile", PNG_COMPRESSION_TYPE_BASE, options->profile,
      (png_uint_32)options->profileCount);
  } else if (options->isSRGB) {
    png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
  }
  png_write_info(writer->png, writer->info);
  bool isLittleEndian = *(const uint8_t *)&(uint16_t){1} == 1;
  if (options->bits == 16 && isLittleEndian) png_set_swap(writer->png);
  for (writer->row = 0; writer->row < options->height; writer->row++) {
    png_write_row(writer->png, pixels + (size_t)writer->row * bytesPerRow);
  }
  png_write_end(writer->png, NULL);
  return CodecStatusDone;
}

const uint8_t *codec_png_writer_output(const CodecPNGWriter *writer, size_t *count) {
  *count = writer->count;
  return writer->output;
}

const char *codec_png_writer_message(const CodecPNGWriter *writer) { return writer->message; }

void codec_png_writer_destroy(CodecPNGWriter *writer) {
  if (!writer) return;
  if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
  free(writer->output);
  free(writer);
}

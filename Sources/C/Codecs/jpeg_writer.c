#include "CodecJPEG.h"
#include "CodecPixels.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

struct CodecJPEGWriter {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf escape;
  CodecStatus status;
  char message[CodecMessageCapacity];
  uint8_t *output;
  size_t capacity;
  uint8_t *opaqueRow;
};

static CodecJPEGWriter *writer_of(j_common_ptr info) { return info->client_data; }

static void fail(j_common_ptr info) {
  CodecJPEGWriter *writer = writer_of(info);
  info->err->format_message(info, writer->message);
  writer->status =
    info->err->msg_code == JERR_OUT_OF_MEMORY ? CodecStatusOutOfMemory : CodecStatusCorrupt;
  longjmp(writer->escape, 1);
}

static void ignore(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}

static void say_nothing(j_common_ptr info) { (void)info; }
static void begin_output(j_compress_ptr info) { (void)info; }
static void end_output(j_compress_ptr info) { (void)info; }

// Called with the whole buffer full, whatever the free count says.
static boolean grow_output(j_compress_ptr info) {
  CodecJPEGWriter *writer = writer_of((j_common_ptr)info);
  uint8_t *larger = realloc(writer->output, writer->capacity * 2);
  if (!larger) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
  writer->output = larger;
  writer->destination.next_output_byte = larger + writer->capacity;
  writer->destination.free_in_buffer = writer->capacity;
  writer->capacity *= 2;
  return TRUE;
}

CodecJPEGWriter *codec_jpeg_writer_create(void) {
  CodecJPEGWriter *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->info.err = jpeg_std_error(&writer->errors);
  writer->info.client_data = writer;
  writer->errors.error_exit = fail;
  writer->errors.emit_message = ignore;
  writer->errors.output_message = say_nothing;
  writer->capacity = 64 * 1024;
  writer->output = malloc(writer->capacity);
  if (!writer->output) {
    codec_jpeg_writer_destroy(writer);
    return NULL;
  }
  if (setjmp(writer->escape)) {
    codec_jpeg_writer_destroy(writer);
    return NULL;
  }
  jpeg_create_compress(&writer->info);
  writer->destination.init_destination = begin_output;
  writer->destination.empty_output_buffer = grow_output;
  writer->destination.term_destination = end_output;
  writer->info.dest = &writer->destination;
  codec_jpeg_writer_discard_output(writer);
  return writer;
}

CodecStatus codec_jpeg_writer_start(CodecJPEGWriter *writer, const CodecJPEGWriterOptions *options) {
  if (options->channels == 4) {
    writer->opaqueRow = malloc((size_t)options->width * 3);
    if (!writer->opaqueRow) return CodecStatusOutOfMemory;
  }
  if (setjmp(writer->escape)) return writer->status;
  j_compress_ptr info = &writer->info;
  info->image_width = options->width;
  info->image_height = options->height;
  info->input_components = options->channels == 1 ? 1 : 3;
  info->in_color_space = options->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, options->quality, TRUE);
  if (options->isProgressive) jpeg_simple_progression(info);
  jpeg_start_compress(info, TRUE);
  if (options->profileCount > 0) {
    jpeg_write_icc_profile(info, options->profile, (unsigned)options->profileCount);
  }
  return CodecStatusDone;
}

CodecStatus codec_jpeg_writer_write_row(CodecJPEGWriter *writer, const uint8_t *row) {
  if (setjmp(writer->escape)) return writer->status;
  JSAMPROW samples = (JSAMPROW)row;
  if (writer->opaqueRow) {
    codec_flatten_over_white(row, writer->info.image_width, writer->opaqueRow);
    samples = writer->opaqueRow;
  }
  jpeg_write_scanlines(&writer->info, &samples, 1);
  return CodecStatusDone;
}

CodecStatus codec_jpeg_writer_finish(CodecJPEGWriter *writer) {
  if (setjmp(writer->escape)) return writer->status;
  jpeg_finish_compress(&writer->info);
  return CodecStatusDone;
}

const uint8_t *codec_jpeg_writer_output(const CodecJPEGWriter *writer, size_t *count) {
  *count = writer->capacity - writer->destination.free_in_buffer;
  return writer->output;
}

void codec_jpeg_writer_discard_output(CodecJPEGWriter *writer) {
  writer->destination.next_output_byte = writer->output;
  writer->destination.free_in_buffer = writer->capacity;
}

const char *codec_jpeg_writer_message(const CodecJPEGWriter *writer) { return writer->message; }

void codec_jpeg_writer_destroy(CodecJPEGWriter *writer) {
  if (!writer) return;
  jpeg_destroy_compress(&writer->info);
  free(writer->opaqueRow);
  free(writer->output);
  free(writer);
}

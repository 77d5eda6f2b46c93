#include "jpeg_reader.h"

#include "CodecPixels.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

static CodecJPEGReader *reader_of(j_common_ptr info) { return info->client_data; }

static void leave(CodecJPEGReader *reader, CodecStatus status, const char *message) {
  reader->status = status;
  if (message) snprintf(reader->message, sizeof reader->message, "%s", message);
  longjmp(reader->escape, 1);
}

static CodecStatus status_of(int messageCode) {
  switch (messageCode) {
  case JERR_INPUT_EMPTY:
  case JERR_INPUT_EOF: return CodecStatusTruncated;
  case JERR_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
  case JERR_NO_BACKING_STORE: return CodecStatusTooMuchMemory;
  case JERR_ARITH_NOTIMPL:
  case JERR_BAD_PRECISION:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_SOF_UNSUPPORTED: return CodecStatusUnsupported;
  default: return CodecStatusCorrupt;
  }
}

static void fail(j_common_ptr info) {
  CodecJPEGReader *reader = reader_of(info);
  info->err->format_message(info, reader->message);
  leave(reader, status_of(info->err->msg_code), NULL);
}

// Of these libjpeg fills in pixels that the file does not hold; the other warnings are about its style.
static bool loses_pixels(int messageCode) {
  switch (messageCode) {
  case JWRN_ARITH_BAD_CODE:
  case JWRN_HIT_MARKER:
  case JWRN_HUFF_BAD_CODE:
  case JWRN_JPEG_EOF:
  case JWRN_MUST_RESYNC: return true;
  default: return false;
  }
}

static void warn(j_common_ptr info, int level) {
  if (level >= 0) return;
  CodecJPEGReader *reader = reader_of(info);
  info->err->num_warnings++;
  if (loses_pixels(info->err->msg_code)) {
    if (reader->options.isStrict) fail(info);
    reader->isComplete = false;
  }
  if (info->err->num_warnings > reader->options.maximumWarnings) {
    leave(reader, CodecStatusTooManyWarnings, "too many warnings");
  }
}

static void say_nothing(j_common_ptr info) { (void)info; }

// Called between rows of blocks also while a progressive file is absorbed, which is where its time goes.
static void watch(j_common_ptr info) {
  CodecJPEGReader *reader = reader_of(info);
  if (reader->info.input_scan_number > reader->options.maximumScans) {
    leave(reader, CodecStatusTooManyScans, "too many scans");
  }
  if (!reader->options.shouldContinue(reader->options.context)) {
    leave(reader, CodecStatusStopped, "stopped");
  }
}

static void begin_source(j_decompress_ptr info) { (void)info; }
static void end_source(j_decompress_ptr info) { (void)info; }

// Hands the bytes up to the next gap to libjpeg.
static void offer(CodecJPEGReader *reader, size_t start) {
  size_t end = reader->gapsPassed < reader->plan.count ? reader->plan.gaps[reader->gapsPassed].start : reader->byteCount;
  reader->source.next_input_byte = reader->bytes + start;
  reader->source.bytes_in_buffer = end - start;
}

static boolean fill_source(j_decompress_ptr info) {
  static const JOCTET endOfImage[2] = {0xFF, JPEG_EOI};
  CodecJPEGReader *reader = reader_of((j_common_ptr)info);
  while (reader->gapsPassed < reader->plan.count) {
    size_t start = reader->plan.gaps[reader->gapsPassed++].end;
    offer(reader, start);
    if (reader->source.bytes_in_buffer > 0) return TRUE;
  }
  if (reader->options.isStrict) leave(reader, CodecStatusTruncated, "the data ends early");
  reader->lacksEnd = true;
  reader->source.next_input_byte = endOfImage;
  reader->source.bytes_in_buffer = sizeof endOfImage;
  return TRUE;
}

static void skip_source(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  CodecJPEGReader *reader = reader_of((j_common_ptr)info);
  size_t rest = (size_t)count;
  while (rest > reader->source.bytes_in_buffer) {
    bool isLast = reader->gapsPassed == reader->plan.count;
    rest -= reader->source.bytes_in_buffer;
    fill_source(info);
    if (isLast) return;
  }
  reader->source.next_input_byte += rest;
  reader->source.bytes_in_buffer -= rest;
}

CodecJPEGReader *codec_jpeg_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options) {
  CodecJPEGReader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->options = *options;
  reader->isComplete = true;
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->info.client_data = reader;
  reader->errors.error_exit = fail;
  reader->errors.emit_message = warn;
  reader->errors.output_message = say_nothing;
  if (setjmp(reader->escape)) {
    codec_jpeg_reader_destroy(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->info);

  reader->progress.progress_monitor = watch;
  reader->info.progress = &reader->progress;
  reader->info.mem->max_memory_to_use = (long)options->maximumWorkingBytes;
  reader->source.init_source = begin_source;
  reader->source.fill_input_buffer = fill_source;
  reader->source.skip_input_data = skip_source;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = end_source;
  reader->bytes = bytes;
  reader->byteCount = count;
  offer(reader, 0);
  reader->info.src = &reader->source;
  return reader;
}

CodecStatus codec_jpeg_reader_read_header(CodecJPEGReader *reader, CodecJPEGHeader *header) {
  if (setjmp(reader->escape)) return reader->status;
  jpeg_read_header(&reader->info, TRUE);

  switch (reader->info.jpeg_color_space) {
  case JCS_GRAYSCALE: reader->info.out_color_space = JCS_GRAYSCALE; break;
  case JCS_CMYK:
  case JCS_YCCK: reader->info.out_color_space = JCS_CMYK; break;
  default: reader->info.out_color_space = JCS_RGB; break;
  }
  header->width = reader->info.image_width;
  header->height = reader->info.image_height;
  header->channels = reader->info.out_color_space == JCS_GRAYSCALE ? 1 : 3;
  header->hasInkColors = reader->info.out_color_space == JCS_CMYK;
  return CodecStatusDone;
}

// Only the scans that matter at this size will be read, and kept.
static void plan_scans(CodecJPEGReader *reader) {
  j_decompress_ptr info = &reader->info;
  info->buffered_image = TRUE;
  // It guesses coefficients that are missing, which takes longer than reading them.
  info->do_block_smoothing = FALSE;
  jpeg_calc_output_dimensions(info);
  size_t start = (size_t)(reader->source.next_input_byte - reader->bytes);
  if (!jpeg_plan_scans(
        info, reader->bytes, reader->byteCount, start, reader->options.maximumScans, &reader->plan)) {
    leave(reader, CodecStatusOutOfMemory, "no memory for the list of scans");
  }
  offer(reader, start);
  jpeg_compact_memory(reader);
}

static void absorb_scans(CodecJPEGReader *reader) {
  j_decompress_ptr info = &reader->info;
  int scans = 0;
  while (scans < reader->plan.scans) {
    watch((j_common_ptr)info);
    int event = jpeg_consume_input(info);
    if (event == JPEG_REACHED_EOI) break;
    if (event == JPEG_SUSPENDED) leave(reader, CodecStatusTruncated, "the data ends early");
    if (event == JPEG_SCAN_COMPLETED) scans++;
  }
  jpeg_start_output(info, info->input_scan_number);
}

CodecStatus codec_jpeg_reader_start(
  CodecJPEGReader *reader, uint32_t eighths, bool stopsEarly, uint32_t *width, uint32_t *height) {
  if (setjmp(reader->escape)) return reader->status;
  reader->info.scale_num = eighths;
  reader->info.scale_denom = 8;
  if (jpeg_has_multiple_scans(&reader->info)) {
    if (stopsEarly) plan_scans(reader);
    if (jpeg_coefficient_bytes(reader) > (uint64_t)reader->options.maximumWorkingBytes) {
      leave(reader, CodecStatusTooMuchMemory, "too many coefficients");
    }
  }
  jpeg_start_decompress(&reader->info);
  if (reader->info.buffered_image) absorb_scans(reader);
  if (reader->info.out_color_space == JCS_CMYK) {
    reader->inks = malloc((size_t)reader->info.output_width * 4);
    if (!reader->inks) leave(reader, CodecStatusOutOfMemory, "no memory for a row");
  }
  *width = reader->info.output_width;
  *height = reader->info.output_height;
  return CodecStatusDone;
}

bool codec_jpeg_reader_use_ink_profile(
  CodecJPEGReader *reader, const uint8_t *profile, size_t count) {
  reader->inkTransform =
    codec_profile_transform_create_for_inks(profile, count, true);
  return reader->inkTransform != NULL;
}

// Of a file without an end, more scans may be missing: of components, or of the lower bits of coefficients.
static bool has_all_scans(const CodecJPEGReader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  if (info->progressive_mode) {
    for (int component = 0; component < info->num_components; component++) {
      for (int coefficient = 0; coefficient < DCTSIZE2; coefficient++) {
        if (info->coef_bits[component][coefficient] != 0) return false;
      }
    }
    return true;
  }
  int components = 0;
  JPEGWalk walk = {.bytes = reader->bytes, .count = reader->byteCount, .end = 2};
  while (jpeg_walk_next(&walk)) {
    if (walk.marker == 0xDA && walk.end > walk.start + 4) components += reader->bytes[walk.start + 4];
  }
  return components >= info->num_components;
}

static void read_row(CodecJPEGReader *reader, JSAMPROW row) {
  j_decompress_ptr info = &reader->info;
  if (!reader->inks) {
    jpeg_read_scanlines(info, &row, 1);
    return;
  }
  jpeg_read_scanlines(info, &reader->inks, 1);
  if (reader->inkTransform) {
    codec_profile_transform_apply(reader->inkTransform, reader->inks, row, info->output_width);
  } else {
    // Also without the marker of Adobe's programs: browsers take all inks in JPEG for inverted.
    codec_cmyk_to_rgb(reader->inks, info->output_width, true, row);
  }
}

CodecStatus codec_jpeg_reader_read_row(CodecJPEGReader *reader, uint8_t *row) {
  if (setjmp(reader->escape)) return reader->status;
  read_row(reader, row);
  return CodecStatusDone;
}

CodecStatus codec_jpeg_reader_read(CodecJPEGReader *reader, uint8_t *pixels, size_t bytesPerRow) {
  if (setjmp(reader->escape)) return reader->status;
  j_decompress_ptr info = &reader->info;
  while (info->output_scanline < info->output_height) {
    read_row(reader, pixels + (size_t)info->output_scanline * bytesPerRow);
  }
  bool hasAllScans = !reader->lacksEnd || has_all_scans(reader);
  // With scans left unread there is nothing to finish.
  if (!info->buffered_image) jpeg_finish_decompress(info);
  if (!hasAllScans) reader->isComplete = false;
  return CodecStatusDone;
}

int32_t codec_jpeg_reader_scans(const CodecJPEGReader *reader) { return reader->info.input_scan_number; }

bool codec_jpeg_is_whole(const uint8_t *bytes, size_t count) {
  JPEGWalk walk = {.bytes = bytes, .count = count, .end = 2};
  while (jpeg_walk_next(&walk)) {
    if (walk.marker == JPEG_EOI) return true;
  }
  return false;
}

bool codec_jpeg_reader_is_complete(const CodecJPEGReader *reader) { return reader->isComplete; }

const char *codec_jpeg_reader_message(const CodecJPEGReader *reader) { return reader->message; }

void codec_jpeg_reader_destroy(CodecJPEGReader *reader) {
  if (!reader) return;
  jpeg_destroy_decompress(&reader->info);
  codec_profile_transform_destroy(reader->inkTransform);
  free(reader->inks);
  free(reader->plan.gaps);
  free(reader);
}

#ifdef CODECS_HEIF

#include "CodecBoxes.h"
#include "CodecClean.h"
#include "CodecPixels.h"
#include "CodecQuiet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<libheif/heif.h>)
#error "libheif is missing: run Scripts/setup of Streams, or install libheif-dev on Debian."
#endif
#include <libheif/heif.h>

static CodecStatus status_of(struct heif_error error, char *message) {
  if (error.code == heif_error_Ok) return CodecStatusDone;
  snprintf(message, CodecMessageCapacity, "%s", error.message ? error.message : "libheif gives no reason");
  if (error.subcode == heif_suberror_End_of_data) return CodecStatusTruncated;
  if (error.subcode == heif_suberror_Security_limit_exceeded) return CodecStatusTooMuchMemory;
  switch (error.code) {
  case heif_error_Unsupported_filetype:
  case heif_error_Unsupported_feature: return CodecStatusUnsupported;
  case heif_error_Memory_allocation_error: return CodecStatusOutOfMemory;
  default: return CodecStatusCorrupt;
  }
}

// libheif may have its codecs in packages of their own, named here as Debian does.
static CodecStatus missing(const char *package, char *message) {
  snprintf(message, CodecMessageCapacity, "%s", package);
  return CodecStatusMissingLibrary;
}

static CodecStatus wrong_size(char *message) {
  snprintf(message, CodecMessageCapacity, "two sizes");
  return CodecStatusCorrupt;
}

// Numbers of some bits, low byte first, to all sixteen: the upper bits are repeated below.
static void widen(const uint8_t *source, size_t count, int bits, uint8_t *target) {
  uint32_t most = (1u << bits) - 1;
  for (size_t index = 0; index < count; index++) {
    uint32_t value = source[index * 2] | (uint32_t)source[index * 2 + 1] << 8;
    if (value > most) value = most;
    uint16_t wide = (uint16_t)(value << (16 - bits) | value >> (2 * bits - 16));
    memcpy(target + index * 2, &wide, 2);
  }
}

// libheif leaves colors that are multiplied by alpha to its caller.
static void divide(void *pixels, const CodecBoxesFrame *frame) {
  uint8_t *narrow = pixels;
  uint16_t *wide = pixels;
  for (size_t pixel = 0; pixel < (size_t)frame->width * 4; pixel += 4) {
    for (size_t index = pixel; index < pixel + 3; index++) {
      if (frame->isWide) {
        wide[index] = (uint16_t)codec_divided(wide[index], wide[pixel + 3], 65535);
      } else {
        narrow[index] = (uint8_t)codec_divided(narrow[index], narrow[pixel + 3], 255);
      }
    }
  }
}

static CodecStatus copy_pixels(struct heif_image *image, const CodecBoxesFrame *frame, char *message) {
  if (heif_image_get_width(image, heif_channel_interleaved) != (int)frame->width
      || heif_image_get_height(image, heif_channel_interleaved) != (int)frame->height) {
    return wrong_size(message);
  }
  int stride = 0;
  const uint8_t *rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
  size_t rowBytes = (size_t)frame->width * frame->channels * (frame->isWide ? 2 : 1);
  if (!rows || stride < 0 || (size_t)stride < rowBytes) return wrong_size(message);
  int bits = heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved);
  if (frame->isWide && (bits < 8 || bits > 16)) return wrong_size(message);
  bool isMultiplied = frame->channels == 4 && heif_image_is_premultiplied_alpha(image);
  for (uint32_t row = 0; row < frame->height; row++) {
    uint8_t *target = frame->pixels + row * frame->bytesPerRow;
    const uint8_t *source = rows + (size_t)row * (size_t)stride;
    if (frame->isWide) {
      widen(source, rowBytes / 2, bits, target);
    } else {
      memcpy(target, source, rowBytes);
    }
    if (isMultiplied) divide(target, frame);
  }
  return CodecStatusDone;
}

const char *codec_heif_version(void) { return heif_get_version(); }

typedef struct Decoding {
  struct heif_context *context;
  struct heif_image_handle *handle;
  const uint8_t *bytes;
  size_t count;
  const CodecBoxesFrame *frame;
  char *message;
} Decoding;

static CodecStatus open_quietly(void *context) {
  Decoding *decoding = context;
  CodecStatus status = status_of(
    heif_context_read_from_memory_without_copy(decoding->context, decoding->bytes, decoding->count, NULL),
    decoding->message);
  if (status != CodecStatusDone) return status;
  return status_of(
    heif_context_get_primary_image_handle(decoding->context, &decoding->handle), decoding->message);
}

static CodecStatus decode_quietly(void *context) {
  Decoding *decoding = context;
  const CodecBoxesFrame *frame = decoding->frame;
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  if (!options) return CodecStatusOutOfMemory;
  options->ignore_transformations = 1;
  struct heif_image *image = NULL;
  enum heif_chroma chroma =
    frame->channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  if (frame->isWide) {
    chroma = frame->channels == 4 ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
  }
  CodecStatus status = status_of(
    heif_decode_image(decoding->handle, &image, heif_colorspace_RGB, chroma, options), decoding->message);
  if (status == CodecStatusDone) status = copy_pixels(image, frame, decoding->message);
  if (image) heif_image_release(image);
  heif_decoding_options_free(options);
  return status;
}

CodecStatus codec_heif_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecBoxesFrame *frame,
  char *message) {
  // libde265 waits for its threads for ever if there are none.
  if (!codec_can_start_threads()) return CodecStatusOutOfMemory;
  Decoding decoding = {heif_context_alloc(), NULL, bytes, count, frame, message};
  if (!decoding.context) return CodecStatusOutOfMemory;
  if (!heif_have_decoder_for_format(heif_compression_HEVC)) {
    heif_context_free(decoding.context);
    return missing("libheif-plugin-libde265", message);
  }
  // Encoders work on whole blocks: a small picture is stored as part of a larger one.
  uint32_t side = frame->width > frame->height ? frame->width : frame->height;
  heif_context_set_maximum_image_size_limit(decoding.context, (int)((side + 127) / 64 * 64));
  CodecStatus status = codec_run_quietly(open_quietly, &decoding);
  if (status == CodecStatusDone && !options->shouldContinue(options->context)) status = CodecStatusStopped;
  // libde265 leaves what a damaged stream does not describe as it finds it.
  codec_begin_clean_memory();
  if (status == CodecStatusDone) status = codec_run_quietly(decode_quietly, &decoding);
  codec_end_clean_memory();
  if (decoding.handle) heif_image_handle_release(decoding.handle);
  heif_context_free(decoding.context);
  return status;
}

typedef struct Output {
  uint8_t *bytes;
  size_t count;
} Output;

static struct heif_error collect(
  struct heif_context *context, const void *data, size_t size, void *userdata) {
  (void)context;
  Output *output = userdata;
  output->bytes = malloc(size);
  if (!output->bytes) {
    return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified, "no memory"};
  }
  memcpy(output->bytes, data, size);
  output->count = size;
  return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "done"};
}

static CodecStatus fill(
  struct heif_image *image, const CodecBoxesEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow,
  char *message) {
  CodecStatus status = status_of(
    heif_image_add_plane(
      image, heif_channel_interleaved, (int)encoding->width, (int)encoding->height, 8), message);
  if (status != CodecStatusDone) return status;
  int stride = 0;
  uint8_t *rows = heif_image_get_plane(image, heif_channel_interleaved, &stride);
  if (!rows || stride <= 0) return CodecStatusOutOfMemory;
  for (uint32_t row = 0; row < encoding->height; row++) {
    const uint8_t *source = pixels + row * bytesPerRow;
    uint8_t *target = rows + (size_t)row * (size_t)stride;
    if (encoding->channels == 1) {
      codec_gray_to_rgb(source, encoding->width, target);
    } else {
      memcpy(target, source, (size_t)encoding->width * encoding->channels);
    }
  }
  if (encoding->metadata.profileCount == 0) return CodecStatusDone;
  return status_of(
    heif_image_set_raw_color_profile(image, "prof", encoding->metadata.profile, encoding->metadata.profileCount), message);
}

static CodecStatus add_metadata(
  struct heif_context *context, const struct heif_image_handle *handle, const CodecBoxesEncoding *encoding,
  char *message) {
  CodecStatus status = CodecStatusDone;
  if (encoding->metadata.exifCount > 0) {
    status = status_of(
      heif_context_add_exif_metadata(context, handle, encoding->metadata.exif, (int)encoding->metadata.exifCount), message);
  }
  if (status == CodecStatusDone && encoding->metadata.xmpCount > 0) {
    status = status_of(
      heif_context_add_XMP_metadata(context, handle, encoding->metadata.xmp, (int)encoding->metadata.xmpCount), message);
  }
  return status;
}

static CodecStatus encode(
  struct heif_context *context, const struct heif_image *image, const CodecBoxesEncoding *encoding,
  Output *output, char *message) {
  if (!heif_have_encoder_for_format(heif_compression_HEVC)) return missing("libheif-plugin-x265", message);
  struct heif_encoder *encoder = NULL;
  CodecStatus status =
    status_of(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder), message);
  if (status != CodecStatusDone) return status;
  heif_encoder_set_lossy_quality(encoder, (int)(encoding->quality + 0.5f));
  struct heif_image_handle *handle = NULL;
  status = status_of(heif_context_encode_image(context, image, encoder, NULL, &handle), message);
  heif_encoder_release(encoder);
  if (status == CodecStatusDone) status = add_metadata(context, handle, encoding, message);
  if (handle) heif_image_handle_release(handle);
  if (status != CodecStatusDone) return status;
  struct heif_writer writer = {1, collect};
  return status_of(heif_context_write(context, &writer, output), message);
}

CodecStatus codec_heif_write(
  const CodecBoxesEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow, uint8_t **output,
  size_t *count, char *message) {
  struct heif_context *context = heif_context_alloc();
  if (!context) return CodecStatusOutOfMemory;
  struct heif_image *image = NULL;
  Output collected = {NULL, 0};
  enum heif_chroma chroma =
    encoding->channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  CodecStatus status = status_of(
    heif_image_create((int)encoding->width, (int)encoding->height, heif_colorspace_RGB, chroma, &image),
    message);
  if (status == CodecStatusDone) status = fill(image, encoding, pixels, bytesPerRow, message);
  if (status == CodecStatusDone) status = encode(context, image, encoding, &collected, message);
  if (image) heif_image_release(image);
  heif_context_free(context);
  if (status == CodecStatusDone) {
    *output = collected.bytes;
    *count = collected.count;
  } else {
    free(collected.bytes);
  }
  return status;
}

#endif

#ifdef CODECS_TIFF

#include "CodecTIFF.h"
#include "CodecPixels.h"
#include "CodecProfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

typedef struct Source {
  const uint8_t *bytes;
  uint64_t count;
  uint64_t position;
  bool hasRunOut;
  bool isOverBudget;
  char *message;
} Source;

static tmsize_t read_bytes(thandle_t handle, void *destination, tmsize_t count) {
  Source *source = handle;
  uint64_t wanted = count > 0 ? (uint64_t)count : 0;
  uint64_t left = source->position < source->count ? source->count - source->position : 0;
  if (wanted > left) {
    source->hasRunOut = true;
    wanted = left;
  }
  memcpy(destination, source->bytes + (wanted > 0 ? source->position : 0), (size_t)wanted);
  source->position += wanted;
  return (tmsize_t)wanted;
}

static tmsize_t refuse_bytes(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle;
  (void)bytes;
  (void)count;
  return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Source *source = handle;
  if (whence == SEEK_CUR) offset += source->position;
  if (whence == SEEK_END) offset += source->count;
  source->position = offset;
  return offset;
}

static int close_source(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size_of_source(thandle_t handle) { return ((Source *)handle)->count; }

#if TIFFLIB_VERSION >= 20221213
// The first complaint is the cause of those that follow.
static int note(TIFF *file, void *context, const char *module, const char *format, va_list arguments) {
  (void)file;
  (void)module;
  Source *source = context;
  // libtiff has no code for it.
  if (strstr(format, "byte limit defined in open options")) source->isOverBudget = true;
  if (source->message[0] == 0) vsnprintf(source->message, CodecMessageCapacity, format, arguments);
  return 1;
}

// Of all that libtiff warns of, this is where libjpeg and the decoder of faxes make up pixels.
static int warn(TIFF *file, void *context, const char *module, const char *format, va_list arguments) {
  (void)file;
  (void)module;
  Source *source = context;
  char text[CodecMessageCapacity];
  vsnprintf(text, sizeof text, format, arguments);
  if (strstr(text, "remature end") || strstr(text, "remature EOF")) source->hasRunOut = true;
  return 1;
}

static TIFF *open_source(Source *source, const CodecReadOptions *options) {
  TIFFOpenOptions *settings = TIFFOpenOptionsAlloc();
  if (!settings) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(settings, (tmsize_t)options->maximumWorkingBytes);
  TIFFOpenOptionsSetErrorHandlerExtR(settings, note, source);
  TIFFOpenOptionsSetWarningHandlerExtR(settings, warn, source);
  TIFF *file = TIFFClientOpenExt(
    "bytes", "rm", source, read_bytes, refuse_bytes, seek, close_source, size_of_source, NULL, NULL, settings);
  TIFFOpenOptionsFree(settings);
  return file;
}
#else
static TIFF *open_source(Source *source, const CodecReadOptions *options) {
  (void)options;
  // For all of the process: what is said would go to its standard error.
  TIFFSetErrorHandler(NULL);
  TIFFSetWarningHandler(NULL);
  return TIFFClientOpen(
    "bytes", "rm", source, read_bytes, refuse_bytes, seek, close_source, size_of_source, NULL, NULL);
}
#endif

static bool should_continue(const CodecReadOptions *options) { return options->shouldContinue(options->context); }

// Rows of samples on their way to rows of pixels.
typedef struct Samples {
  size_t count;
  uint16_t *wide;
  // Of CIELab: lightness, and two of color, as they stand in a profile.
  uint16_t *lab;
  CodecProfileTransform *transform;
} Samples;

// Of TIFF's CIELab, whose colors have a sign, in 8 or 16 bits.
static void read_lab(const Samples *samples, const uint8_t *row) {
  for (size_t index = 0; index < samples->count; index++) {
    bool isLight = index % 3 == 0;
    if (samples->wide) {
      // From a 256th to a 257th: all sixteen bits are 100, or 127.996.
      int value = isLight ? samples->wide[index] : (int16_t)samples->wide[index];
      samples->lab[index] = (uint16_t)(isLight ? value : (value + 32768) * 257 / 256);
    } else {
      samples->lab[index] = (uint16_t)((isLight ? row[index] : row[index] ^ 0x80) * 257);
    }
  }
}

static CodecStatus read_row(TIFF *file, const Samples *samples, uint32_t row, uint8_t *target) {
  if (TIFFReadScanline(file, samples->wide ? (void *)samples->wide : target, row, 0) < 0) return CodecStatusCorrupt;
  if (samples->lab) {
    read_lab(samples, target);
    codec_profile_transform_apply(samples->transform, (const uint8_t *)samples->lab, target, samples->count / 3);
  } else if (samples->wide) {
    codec_narrow(samples->wide, samples->count, target);
  }
  return CodecStatusDone;
}

static CodecStatus read_rows(
  TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame, const Samples *samples) {
  CodecStatus status = CodecStatusDone;
  for (uint32_t row = 0; row < frame->height && status == CodecStatusDone; row++) {
    status = should_continue(options) ? read_row(file, samples, row, frame->pixels + row * frame->bytesPerRow)
                                      : CodecStatusStopped;
  }
  return status;
}

// Rows of samples, of which the upper eight bits are kept unless all are wanted.
static CodecStatus read_plain(TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame) {
  uint16_t bits = 0, count = 0;
  TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &count);
  Samples samples = {.count = (size_t)frame->width * frame->channels};
  tmsize_t rowBytes = TIFFScanlineSize(file);
  if (count != frame->channels || (bits != 8 && bits != 16) || rowBytes < 0
      || (size_t)rowBytes != samples.count * (bits / 8)) {
    return CodecStatusCorrupt;
  }
  if (frame->isWide && bits != 16) return CodecStatusCorrupt;
  bool isChanged = bits == 16 && (!frame->isWide || frame->isLab);
  if (isChanged) samples.wide = malloc((size_t)rowBytes);
  if (frame->isLab) {
    samples.lab = malloc(samples.count * sizeof *samples.lab);
    samples.transform = codec_profile_transform_create_for_lab(frame->isWide);
  }
  bool hasMemory = (!isChanged || samples.wide) && (!frame->isLab || (samples.lab && samples.transform));
  CodecStatus status = hasMemory ? read_rows(file, options, frame, &samples) : CodecStatusOutOfMemory;
  codec_profile_transform_destroy(samples.transform);
  free(samples.lab);
  free(samples.wide);
  return status;
}

// libtiff multiplies colors by alpha.
static void divide_by_alpha(uint8_t *rgba, size_t count) {
  for (size_t index = 0; index < count; index++, rgba += 4) {
    unsigned alpha = rgba[3];
    if (alpha == 0 || alpha == 255) continue;
    for (int channel = 0; channel < 3; channel++) {
      unsigned color = (rgba[channel] * 255u + alpha / 2) / alpha;
      rgba[channel] = (uint8_t)(color > 255 ? 255 : color);
    }
  }
}

static uint32_t band_height(TIFF *file, const CodecTIFFFrame *frame) {
  uint32_t rows = 0;
  if (!TIFFGetField(file, TIFFIsTiled(file) ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, &rows)) rows = 0;
  return rows == 0 || rows > frame->height ? frame->height : rows;
}

static CodecStatus read_as_rgba(
  TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame, char *message) {
  TIFFRGBAImage image;
  char reason[1024] = "";
  if (!TIFFRGBAImageOK(file, reason) || !TIFFRGBAImageBegin(&image, file, 1, reason)) {
    snprintf(message, CodecMessageCapacity, "%.*s", CodecMessageCapacity - 1, reason);
    return CodecStatusUnsupported;
  }
  CodecStatus status = CodecStatusDone;
  if (image.width != frame->width || image.height != frame->height) status = CodecStatusCorrupt;
  // As stored.
  image.req_orientation = image.orientation;
  uint32_t band = band_height(file, frame);
  for (uint32_t row = 0; row < frame->height && status == CodecStatusDone; row += band) {
    uint32_t rows = band < frame->height - row ? band : frame->height - row;
    uint8_t *target = frame->pixels + row * frame->bytesPerRow;
    image.row_offset = (int)row;
    if (!should_continue(options)) {
      status = CodecStatusStopped;
    } else if (!TIFFRGBAImageGet(&image, (uint32_t *)(void *)target, frame->width, rows)) {
      status = CodecStatusCorrupt;
    }
    divide_by_alpha(target, (size_t)rows * frame->width);
  }
  TIFFRGBAImageEnd(&image);
  return status;
}

CodecStatus codec_tiff_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecTIFFFrame *frame,
  char *message) {
  Source source = {.bytes = bytes, .count = count, .message = message};
  message[0] = 0;
  TIFF *file = open_source(&source, options);
  CodecStatus status = CodecStatusCorrupt;
  if (file) {
    uint32_t width = 0, height = 0;
    bool hasSize =
      TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width) && TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    if (!hasSize || width != frame->width || height != frame->height) {
      snprintf(message, CodecMessageCapacity, "two sizes");
    } else {
      status = frame->isPlain ? read_plain(file, options, frame) : read_as_rgba(file, options, frame, message);
    }
    TIFFClose(file);
  }
  if (status == CodecStatusCorrupt && source.isOverBudget) return CodecStatusTooMuchMemory;
  if ((status == CodecStatusCorrupt || status == CodecStatusDone) && source.hasRunOut) return CodecStatusTruncated;
  if (status == CodecStatusCorrupt && message[0] == 0) {
    snprintf(message, CodecMessageCapacity, "libtiff gives no reason");
  }
  return status;
}

#endif

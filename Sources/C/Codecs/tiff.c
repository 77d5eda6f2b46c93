#ifdef CODECS_TIFF

#include "CodecTIFF.h"
#include "CodecPixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

typedef struct Source {
  const uint8_t *bytes;
  uint64_t count;
  uint64_t position;
  bool hasRunOut;
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
  if (source->message[0] == 0) vsnprintf(source->message, CodecMessageCapacity, format, arguments);
  return 1;
}

static int ignore(TIFF *file, void *context, const char *module, const char *format, va_list arguments) {
  (void)file;
  (void)context;
  (void)module;
  (void)format;
  (void)arguments;
  return 1;
}

static TIFF *open_source(Source *source, const CodecReadOptions *options) {
  TIFFOpenOptions *settings = TIFFOpenOptionsAlloc();
  if (!settings) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(settings, (tmsize_t)options->maximumWorkingBytes);
  TIFFOpenOptionsSetErrorHandlerExtR(settings, note, source);
  TIFFOpenOptionsSetWarningHandlerExtR(settings, ignore, source);
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

// Rows of samples, of which the upper eight bits are kept.
static CodecStatus read_plain(TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame) {
  uint16_t bits = 0, samples = 0;
  TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
  size_t count = (size_t)frame->width * frame->channels;
  tmsize_t rowBytes = TIFFScanlineSize(file);
  if (samples != frame->channels || (bits != 8 && bits != 16) || rowBytes < 0
      || (size_t)rowBytes != count * (bits / 8)) {
    return CodecStatusCorrupt;
  }
  if (frame->isWide && bits != 16) return CodecStatusCorrupt;
  uint16_t *wide = bits == 16 && !frame->isWide ? malloc((size_t)rowBytes) : NULL;
  if (bits == 16 && !frame->isWide && !wide) return CodecStatusOutOfMemory;
  CodecStatus status = CodecStatusDone;
  for (uint32_t row = 0; row < frame->height && status == CodecStatusDone; row++) {
    uint8_t *target = frame->pixels + row * frame->bytesPerRow;
    if (!should_continue(options)) {
      status = CodecStatusStopped;
    } else if (TIFFReadScanline(file, wide ? (void *)wide : target, row, 0) < 0) {
      status = CodecStatusCorrupt;
    } else if (wide) {
      codec_narrow(wide, count, target);
    }
  }
  free(wide);
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
  if (status == CodecStatusCorrupt && source.hasRunOut) return CodecStatusTruncated;
  if (status == CodecStatusCorrupt && message[0] == 0) {
    snprintf(message, CodecMessageCapacity, "libtiff gives no reason");
  }
  return status;
}

#endif

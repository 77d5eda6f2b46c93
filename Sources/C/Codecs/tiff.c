#ifdef CODECS_TIFF

#include "CodecTIFF.h"
#include "tiff_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<tiffio.h>)
#error "libtiff is missing: run Scripts/setup of Streams, or install libtiff-dev on Debian."
#endif
#include <tiffio.h>

typedef struct Source {
  const uint8_t *bytes;
  uint64_t count;
  uint64_t position;
  bool hasRunOut;
  // Whether a decoder within libtiff made up pixels that are missing.
  bool hasInvented;
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
  if (strstr(text, "remature end") || strstr(text, "remature EOF")) source->hasInvented = true;
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

// Where the stored samples are.
typedef struct Layout {
  bool isInPlanes;
  bool isTiled;
  // Of a row of the picture, or of one plane of it.
  size_t rowBytes;
  uint32_t tileWidth;
  size_t tileRowBytes;
  size_t tileBytes;
  // Rows that are read at a time.
  uint32_t bandHeight;
} Layout;

static size_t bytes_of(const CodecTIFFFrame *frame, uint32_t width, uint32_t samples) {
  return (size_t)(((uint64_t)width * samples * frame->bits + 7) / 8);
}

// False if libtiff has found something else than our own parser.
static bool choose_layout(TIFF *file, const CodecTIFFFrame *frame, Layout *layout) {
  uint16_t bits = 0, samples = 0, planes = 0, format = 0;
  TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &format);
  *layout = (Layout){.isInPlanes = planes == PLANARCONFIG_SEPARATE && samples > 1, .isTiled = TIFFIsTiled(file)};
  uint32_t together = layout->isInPlanes ? 1 : frame->samples;
  layout->rowBytes = bytes_of(frame, frame->width, together);
  if (bits != frame->bits || samples != frame->samples || (format == SAMPLEFORMAT_IEEEFP) != frame->isFloat) return false;
  uint32_t rows = 0;
  if (!layout->isTiled) {
    TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
    // Rows of all samples are read one by one, without memory for a strip.
    layout->bandHeight = !layout->isInPlanes ? 1 : rows == 0 || rows > frame->height ? frame->height : rows;
    return TIFFScanlineSize64(file) == layout->rowBytes;
  }
  if (!TIFFGetField(file, TIFFTAG_TILEWIDTH, &layout->tileWidth) || !TIFFGetField(file, TIFFTAG_TILELENGTH, &rows)) return false;
  if (layout->tileWidth == 0 || rows == 0) return false;
  layout->bandHeight = rows;
  layout->tileRowBytes = bytes_of(frame, layout->tileWidth, together);
  layout->tileBytes = (size_t)TIFFTileSize64(file);
  // Columns of a tile begin with a byte of their own.
  bool isAligned = (uint64_t)layout->tileWidth * together * frame->bits % 8 == 0 || layout->tileWidth >= frame->width;
  return isAligned && layout->tileBytes == (uint64_t)layout->tileRowBytes * rows;
}

// Reads a band of tiles into rows. The rows of a plane follow those of the one before.
static bool read_tiles(TIFF *file, const CodecTIFFFrame *frame, const Layout *layout, uint32_t row, uint8_t *tile, uint8_t *band) {
  for (uint32_t plane = 0; plane < (layout->isInPlanes ? frame->samples : 1); plane++) {
    uint8_t *rows = band + (size_t)plane * layout->bandHeight * layout->rowBytes;
    for (uint32_t column = 0; column < frame->width; column += layout->tileWidth) {
      uint32_t number = TIFFComputeTile(file, column, row, 0, (uint16_t)plane);
      if (TIFFReadEncodedTile(file, number, tile, (tmsize_t)layout->tileBytes) != (tmsize_t)layout->tileBytes) return false;
      size_t start = (size_t)column / layout->tileWidth * layout->tileRowBytes;
      size_t count = layout->rowBytes - start < layout->tileRowBytes ? layout->rowBytes - start : layout->tileRowBytes;
      for (uint32_t y = 0; y < layout->bandHeight; y++) {
        memcpy(rows + y * layout->rowBytes + start, tile + y * layout->tileRowBytes, count);
      }
    }
  }
  return true;
}

static bool read_strips(TIFF *file, const CodecTIFFFrame *frame, const Layout *layout, uint32_t row, uint32_t height, uint8_t *band) {
  if (!layout->isInPlanes) return TIFFReadScanline(file, band, row, 0) == 1;
  for (uint32_t plane = 0; plane < frame->samples; plane++) {
    tmsize_t count = (tmsize_t)(height * layout->rowBytes);
    uint32_t number = TIFFComputeStrip(file, row, (uint16_t)plane);
    uint8_t *rows = band + (size_t)plane * layout->bandHeight * layout->rowBytes;
    if (TIFFReadEncodedStrip(file, number, rows, count) != count) return false;
  }
  return true;
}

static CodecStatus read_band(
  TIFF *file, const CodecReadOptions *options, const Layout *layout, uint32_t row, uint8_t *band, TIFFRows *rows) {
  const CodecTIFFFrame *frame = rows->frame;
  uint32_t height = layout->bandHeight < frame->height - row ? layout->bandHeight : frame->height - row;
  uint32_t planes = layout->isInPlanes ? frame->samples : 1;
  size_t bytes = (size_t)planes * layout->bandHeight * layout->rowBytes;
  uint8_t *tile = band + bytes;
  // What cannot be read does not show the band before.
  if (!options->isStrict) memset(band, 0, bytes);
  bool isRead = layout->isTiled ? read_tiles(file, frame, layout, row, tile, band) : read_strips(file, frame, layout, row, height, band);
  // The part that was read is shown if nothing more is to come.
  if (!isRead && (options->isStrict || height == 1)) return CodecStatusCorrupt;
  for (uint32_t y = 0; y < height; y++) {
    if (!should_continue(options)) return CodecStatusStopped;
    for (uint32_t plane = 0; plane < planes; plane++) {
      tiff_rows_add(rows, band + ((size_t)plane * layout->bandHeight + y) * layout->rowBytes, plane, layout->isInPlanes);
    }
    tiff_rows_write(rows, frame->pixels + (size_t)(row + y) * frame->bytesPerRow);
  }
  return isRead ? CodecStatusDone : CodecStatusCorrupt;
}

// Pixels of eight bits that are stored as they are needed.
static bool is_plain(const CodecTIFFFrame *frame, const Layout *layout) {
  bool isGray = frame->colors == CodecTIFFColorsGray && frame->samples == 1;
  bool isColor = frame->colors == CodecTIFFColorsRGB && (frame->samples == 3 || frame->alpha == 3) && frame->samples <= 4;
  return frame->bits == 8 && !layout->isInPlanes && !layout->isTiled && !frame->isMultiplied && !frame->isWide
    && (isGray || isColor);
}

static CodecStatus read_plain(TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame) {
  for (uint32_t row = 0; row < frame->height; row++) {
    if (!should_continue(options)) return CodecStatusStopped;
    if (TIFFReadScanline(file, frame->pixels + row * frame->bytesPerRow, row, 0) != 1) return CodecStatusCorrupt;
  }
  return CodecStatusDone;
}

// Some programs write levels of eight bits.
static bool is_narrow_palette(const TIFFRows *rows) {
  for (uint32_t index = 0; index < 1u << rows->frame->bits; index++) {
    for (int channel = 0; channel < 3; channel++) {
      if (rows->palette[channel][index] > 255) return false;
    }
  }
  return true;
}

static CodecStatus read_palette(TIFF *file, TIFFRows *rows, char *message) {
  uint16_t *levels[3];
  if (rows->frame->colors != CodecTIFFColorsPalette) return CodecStatusDone;
  if (!TIFFGetField(file, TIFFTAG_COLORMAP, &levels[0], &levels[1], &levels[2])) {
    if (message[0] == 0) {
      snprintf(
        message, CodecMessageCapacity, "no palette for samples of %u bits, or one that comes before their number of bits",
        rows->frame->bits);
    }
    return CodecStatusCorrupt;
  }
  for (int channel = 0; channel < 3; channel++) rows->palette[channel] = levels[channel];
  rows->isNarrowPalette = is_narrow_palette(rows);
  return CodecStatusDone;
}

static CodecStatus read_samples(
  TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame, char *message) {
  Layout layout;
  if (!choose_layout(file, frame, &layout)) return CodecStatusCorrupt;
  if (is_plain(frame, &layout)) return read_plain(file, options, frame);
  uint64_t planes = layout.isInPlanes ? frame->samples : 1;
  uint64_t bytes = planes * layout.bandHeight * layout.rowBytes;
  uint64_t limit = (uint64_t)options->maximumWorkingBytes;
  if (layout.bandHeight > limit || layout.tileBytes > limit || bytes > limit) return CodecStatusTooMuchMemory;
  TIFFRows rows;
  bool isReady = tiff_rows_create(&rows, frame);
  uint8_t *band = isReady ? calloc(1, (size_t)bytes + layout.tileBytes) : NULL;
  CodecStatus status = band ? read_palette(file, &rows, message) : CodecStatusOutOfMemory;
  for (uint32_t row = 0; row < frame->height && status == CodecStatusDone; row += layout.bandHeight) {
    status = read_band(file, options, &layout, row, band, &rows);
    if (layout.bandHeight >= frame->height - row) break;
  }
  free(band);
  tiff_rows_destroy(&rows);
  return status;
}

static uint32_t band_height(TIFF *file, const CodecTIFFFrame *frame) {
  uint32_t rows = 0;
  if (!TIFFGetField(file, TIFFIsTiled(file) ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, &rows)) rows = 0;
  return rows == 0 || rows > frame->height ? frame->height : rows;
}

// Colors that libtiff converts have no alpha.
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
  }
  TIFFRGBAImageEnd(&image);
  return status;
}

static CodecStatus read_picture(
  TIFF *file, const CodecReadOptions *options, const CodecTIFFFrame *frame, char *message) {
  uint16_t compression = 0;
  TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
  if (!TIFFIsCODECConfigured(compression)) {
    snprintf(message, CodecMessageCapacity, "TIFF with compression %d, which this libtiff does not have", compression);
    return CodecStatusUnsupported;
  }
  if (frame->colors == CodecTIFFColorsConverted) return read_as_rgba(file, options, frame, message);
  return read_samples(file, options, frame, message);
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
      status = read_picture(file, options, frame, message);
    }
    TIFFClose(file);
  }
  if (status == CodecStatusCorrupt && source.isOverBudget) return CodecStatusTooMuchMemory;
  if (status == CodecStatusCorrupt && source.hasRunOut) return CodecStatusTruncated;
  if ((status == CodecStatusCorrupt || status == CodecStatusDone) && source.hasInvented) return CodecStatusTruncated;
  if (status == CodecStatusCorrupt && message[0] == 0) {
    snprintf(message, CodecMessageCapacity, "libtiff gives no reason");
  }
  return status;
}

#endif

#include "CodecGIF.h"
#include "gif_codes.h"

#include <stdlib.h>
#include <string.h>

#if !__has_include(<gif_lib.h>)
#error "giflib is missing: run Scripts/setup of Streams, or install libgif-dev on Debian."
#endif
#include <gif_lib.h>

typedef struct Area {
  uint32_t left;
  uint32_t top;
  uint32_t width;
  uint32_t height;
} Area;

typedef struct Frame {
  uint32_t left;
  uint32_t top;
  uint32_t width;
  uint32_t height;
  bool isInterlaced;
  unsigned codeSize;
  // Red, green and blue of each.
  const uint8_t *colors;
  int colorCount;
  int transparent;
} Frame;

struct CodecGIFReader {
  GifFileType *file;
  CodecReadOptions options;
  const uint8_t *next;
  size_t remaining;
  bool ranOut;
  const char *message;
  bool hasPassedCodes;
  // Of the frame, where it has its own.
  uint8_t colors[256 * 3];
  // What will be done to the canvas before the next frame is painted.
  int disposal;
  Area painted;
  uint8_t *before;
};

static int read_bytes(GifFileType *file, GifByteType *destination, int count) {
  CodecGIFReader *reader = file->UserData;
  size_t wanted = count > 0 ? (size_t)count : 0;
  if (wanted > reader->remaining) {
    reader->ranOut = true;
    wanted = reader->remaining;
  }
  memcpy(destination, reader->next, wanted);
  reader->next += wanted;
  reader->remaining -= wanted;
  return (int)wanted;
}

static CodecStatus failed(CodecGIFReader *reader, const char *message) {
  reader->message = message;
  return CodecStatusCorrupt;
}

static CodecStatus failure(CodecGIFReader *reader, int code) {
  const char *message = GifErrorString(code);
  reader->message = message ? message : "giflib gives no reason";
  if (code == D_GIF_ERR_NOT_ENOUGH_MEM) return CodecStatusOutOfMemory;
  return reader->ranOut ? CodecStatusTruncated : CodecStatusCorrupt;
}

CodecGIFReader *codec_gif_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options) {
  CodecGIFReader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->options = *options;
  reader->next = bytes;
  reader->remaining = count;
  reader->message = "";
  return reader;
}

CodecStatus codec_gif_reader_read_header(CodecGIFReader *reader, uint32_t width, uint32_t height) {
  int code = 0;
  reader->file = DGifOpen(reader, read_bytes, &code);
  if (!reader->file) return failure(reader, code);
  reader->file->SWidth = (int)width;
  reader->file->SHeight = (int)height;
  return CodecStatusDone;
}

static size_t canvas_bytes(const CodecGIFReader *reader) {
  return (size_t)reader->file->SWidth * (size_t)reader->file->SHeight * 4;
}

static void dispose(CodecGIFReader *reader, uint8_t *canvas) {
  if (reader->disposal == DISPOSE_PREVIOUS && reader->before) {
    memcpy(canvas, reader->before, canvas_bytes(reader));
  }
  if (reader->disposal == DISPOSE_BACKGROUND) {
    for (uint32_t row = 0; row < reader->painted.height; row++) {
      size_t start = (size_t)(reader->painted.top + row) * (size_t)reader->file->SWidth + reader->painted.left;
      memset(canvas + start * 4, 0, (size_t)reader->painted.width * 4);
    }
  }
}

static CodecStatus remember(CodecGIFReader *reader, const uint8_t *canvas) {
  if (!reader->before) reader->before = malloc(canvas_bytes(reader));
  if (!reader->before) return CodecStatusOutOfMemory;
  memcpy(reader->before, canvas, canvas_bytes(reader));
  return CodecStatusDone;
}

// Indices beyond the palette show what is under them, as transparent ones do.
static void paint_row(const uint16_t *indices, uint32_t width, const Frame *frame, uint8_t *pixels) {
  for (uint32_t x = 0; x < width; x++, pixels += 4) {
    int index = indices[x];
    if (index == frame->transparent || index >= frame->colorCount) continue;
    memcpy(pixels, frame->colors + index * 3, 3);
    pixels[3] = 255;
  }
}

// The next part of a frame's codes, for their decoder; of no bytes behind the last one, and where the file ends. giflib,
// which keeps nothing of the file for itself, does not see them.
static const uint8_t *next_part(void *context, size_t *count) {
  CodecGIFReader *reader = context;
  *count = 0;
  if (reader->hasPassedCodes) return NULL;
  if (reader->remaining == 0 || reader->remaining <= reader->next[0]) reader->ranOut = true;
  reader->hasPassedCodes = reader->ranOut || reader->next[0] == 0;
  if (reader->ranOut) return NULL;
  const uint8_t *part = reader->next + 1;
  *count = reader->next[0];
  reader->remaining -= *count + 1;
  reader->next += *count + 1;
  return part;
}

// What stands before the codes of a frame. giflib, which would refuse some frames for their codes, does not see it.
static CodecStatus read_frame_header(CodecGIFReader *reader, Frame *frame) {
  uint8_t header[9], codeSize;
  if (read_bytes(reader->file, header, sizeof header) != sizeof header) return CodecStatusTruncated;
  *frame = (Frame){
    .left = header[0] | (uint32_t)header[1] << 8,
    .top = header[2] | (uint32_t)header[3] << 8,
    .width = header[4] | (uint32_t)header[5] << 8,
    .height = header[6] | (uint32_t)header[7] << 8,
    .isInterlaced = (header[8] & 0x40) != 0};
  if (header[8] & 0x80) {
    frame->colorCount = 2 << (header[8] & 7);
    int byteCount = frame->colorCount * 3;
    if (read_bytes(reader->file, reader->colors, byteCount) != byteCount) return CodecStatusTruncated;
    frame->colors = reader->colors;
  } else if (reader->file->SColorMap) {
    frame->colorCount = reader->file->SColorMap->ColorCount;
    frame->colors = (const uint8_t *)reader->file->SColorMap->Colors;
  }
  if (read_bytes(reader->file, &codeSize, 1) != 1) return CodecStatusTruncated;
  frame->codeSize = codeSize;
  reader->hasPassedCodes = false;
  if (frame->width == 0 || frame->height == 0) return failed(reader, "an empty frame");
  if (!frame->colors) return failed(reader, "a frame without a palette");
  bool canBeRead = codeSize >= 1 && codeSize < GIFCodesMostBits;
  return canBeRead ? CodecStatusDone : failed(reader, "invalid LZW code size");
}

static CodecStatus code_failure(CodecGIFReader *reader, GIFCodesResult result) {
  if (result == GIFCodesMissing && reader->ranOut) return CodecStatusTruncated;
  return failed(reader, result == GIFCodesMissing ? "codes that end before the frame" : "a code without a meaning");
}

static CodecStatus paint(CodecGIFReader *reader, const Frame *frame, uint8_t *canvas) {
  static const uint32_t starts[4] = {0, 4, 2, 1}, steps[4] = {8, 8, 4, 2};
  uint16_t *indices = malloc((size_t)frame->width * sizeof *indices);
  GIFCodes *codes = gif_codes_create(frame->codeSize, next_part, reader);
  CodecStatus status = indices && codes ? CodecStatusDone : CodecStatusOutOfMemory;
  Area area = reader->painted;
  for (int pass = 0; pass < (frame->isInterlaced ? 4 : 1) && status == CodecStatusDone; pass++) {
    uint32_t step = frame->isInterlaced ? steps[pass] : 1;
    for (uint32_t row = frame->isInterlaced ? starts[pass] : 0; row < frame->height; row += step) {
      if (!reader->options.shouldContinue(reader->options.context)) {
        status = CodecStatusStopped;
        break;
      }
      GIFCodesResult result = gif_codes_read(codes, indices, frame->width);
      if (result != GIFCodesRead) {
        status = code_failure(reader, result);
        break;
      }
      if (row >= area.height) continue;
      size_t start = (size_t)(area.top + row) * (size_t)reader->file->SWidth + area.left;
      paint_row(indices, area.width, frame, canvas + start * 4);
    }
  }
  gif_codes_destroy(codes);
  free(indices);
  if (status != CodecStatusDone) return status;
  // Some programs write more than a frame needs.
  size_t count = 1;
  while (count > 0) next_part(reader, &count);
  return reader->ranOut && reader->options.isStrict ? CodecStatusTruncated : CodecStatusDone;
}

static uint32_t smaller(uint32_t first, uint32_t second) { return first < second ? first : second; }

// The part of the frame that lies on the canvas, if any does.
static Area visible(const CodecGIFReader *reader, const Frame *frame) {
  uint32_t width = (uint32_t)reader->file->SWidth, height = (uint32_t)reader->file->SHeight;
  uint32_t left = smaller(frame->left, width), top = smaller(frame->top, height);
  return (Area){left, top, smaller(frame->width, width - left), smaller(frame->height, height - top)};
}

static CodecStatus read_image(
  CodecGIFReader *reader, const GraphicsControlBlock *control, uint8_t *canvas) {
  Frame frame;
  CodecStatus status = read_frame_header(reader, &frame);
  if (status != CodecStatusDone) return status;
  dispose(reader, canvas);
  if (control->DisposalMode == DISPOSE_PREVIOUS) status = remember(reader, canvas);
  if (status != CodecStatusDone) return status;
  frame.transparent = control->TransparentColor;
  reader->disposal = control->DisposalMode;
  reader->painted = visible(reader, &frame);
  return paint(reader, &frame, canvas);
}

static CodecStatus read_extension(CodecGIFReader *reader, GraphicsControlBlock *control) {
  int kind = 0;
  GifByteType *block = NULL;
  if (DGifGetExtension(reader->file, &kind, &block) == GIF_ERROR) return failure(reader, reader->file->Error);
  while (block) {
    if (kind == GRAPHICS_EXT_FUNC_CODE) DGifExtensionToGCB(block[0], block + 1, control);
    if (DGifGetExtensionNext(reader->file, &block) == GIF_ERROR) return failure(reader, reader->file->Error);
  }
  return CodecStatusDone;
}

// Bytes behind a frame that begin no block. giflib would refuse them.
static void skip_stray_bytes(CodecGIFReader *reader) {
  while (reader->remaining > 0 && !memchr("\x21\x2C\x3B", reader->next[0], 3)) {
    reader->next++;
    reader->remaining--;
  }
}

CodecStatus codec_gif_reader_next(CodecGIFReader *reader, uint8_t *canvas, CodecGIFFrame *frame) {
  GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
  for (;;) {
    if (!reader->options.shouldContinue(reader->options.context)) return CodecStatusStopped;
    if (reader->hasPassedCodes) skip_stray_bytes(reader);
    GifRecordType type;
    if (DGifGetRecordType(reader->file, &type) == GIF_ERROR) return failure(reader, reader->file->Error);
    CodecStatus status = CodecStatusDone;
    switch (type) {
    case EXTENSION_RECORD_TYPE: status = read_extension(reader, &control); break;
    case IMAGE_DESC_RECORD_TYPE:
      frame->exists = true;
      frame->delay = control.DelayTime > 0 ? (uint32_t)control.DelayTime : 0;
      return read_image(reader, &control, canvas);
    case TERMINATE_RECORD_TYPE: frame->exists = false; return CodecStatusDone;
    default: return failed(reader, "an unknown block");
    }
    if (status != CodecStatusDone) return status;
  }
}

const char *codec_gif_reader_message(const CodecGIFReader *reader) { return reader->message; }

void codec_gif_reader_destroy(CodecGIFReader *reader) {
  if (!reader) return;
  int ignored;
  if (reader->file) DGifCloseFile(reader->file, &ignored);
  free(reader->before);
  free(reader);
}

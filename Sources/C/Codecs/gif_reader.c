#include "CodecGIF.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

typedef struct Area {
  uint32_t left;
  uint32_t top;
  uint32_t width;
  uint32_t height;
} Area;

struct CodecGIFReader {
  GifFileType *file;
  CodecReadOptions options;
  const uint8_t *next;
  size_t remaining;
  bool ranOut;
  const char *message;
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

static CodecStatus failure(CodecGIFReader *reader) {
  int code = reader->file ? reader->file->Error : D_GIF_ERR_NOT_ENOUGH_MEM;
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

CodecStatus codec_gif_reader_read_header(CodecGIFReader *reader, uint32_t *width, uint32_t *height) {
  int code = 0;
  reader->file = DGifOpen(reader, read_bytes, &code);
  if (!reader->file) {
    const char *message = GifErrorString(code);
    reader->message = message ? message : "no header";
    if (code == D_GIF_ERR_NOT_ENOUGH_MEM) return CodecStatusOutOfMemory;
    return reader->ranOut ? CodecStatusTruncated : CodecStatusCorrupt;
  }
  *width = (uint32_t)reader->file->SWidth;
  *height = (uint32_t)reader->file->SHeight;
  return CodecStatusDone;
}

static size_t canvas_bytes(const CodecGIFReader *reader) {
  return (size_t)reader->file->SWidth * (size_t)reader->file->SHeight * 4;
}

static CodecStatus dispose(CodecGIFReader *reader, uint8_t *canvas) {
  if (reader->disposal == DISPOSE_PREVIOUS && reader->before) {
    memcpy(canvas, reader->before, canvas_bytes(reader));
  }
  if (reader->disposal == DISPOSE_BACKGROUND) {
    for (uint32_t row = 0; row < reader->painted.height; row++) {
      size_t start = (size_t)(reader->painted.top + row) * (size_t)reader->file->SWidth + reader->painted.left;
      memset(canvas + start * 4, 0, (size_t)reader->painted.width * 4);
    }
  }
  return CodecStatusDone;
}

static CodecStatus remember(CodecGIFReader *reader, const uint8_t *canvas) {
  if (!reader->before) reader->before = malloc(canvas_bytes(reader));
  if (!reader->before) return CodecStatusOutOfMemory;
  memcpy(reader->before, canvas, canvas_bytes(reader));
  return CodecStatusDone;
}

// Indices beyond the palette show what is under them, as transparent ones do.
static void paint_row(
  const uint8_t *indices, uint32_t width, const ColorMapObject *colors, int transparent, uint8_t *pixels) {
  for (uint32_t x = 0; x < width; x++, pixels += 4) {
    int index = indices[x];
    if (index == transparent || index >= colors->ColorCount) continue;
    pixels[0] = colors->Colors[index].Red;
    pixels[1] = colors->Colors[index].Green;
    pixels[2] = colors->Colors[index].Blue;
    pixels[3] = 255;
  }
}

static CodecStatus paint(CodecGIFReader *reader, int transparent, uint8_t *canvas) {
  static const uint32_t starts[4] = {0, 4, 2, 1}, steps[4] = {8, 8, 4, 2};
  const GifImageDesc *image = &reader->file->Image;
  const ColorMapObject *colors = image->ColorMap ? image->ColorMap : reader->file->SColorMap;
  if (!colors) return failed(reader, "a frame without a palette");

  Area area = reader->painted;
  uint8_t *indices = malloc(area.width);
  if (!indices) return CodecStatusOutOfMemory;
  CodecStatus status = CodecStatusDone;
  for (int pass = 0; pass < (image->Interlace ? 4 : 1) && status == CodecStatusDone; pass++) {
    uint32_t step = image->Interlace ? steps[pass] : 1;
    for (uint32_t row = image->Interlace ? starts[pass] : 0; row < area.height; row += step) {
      if (!reader->options.shouldContinue(reader->options.context)) {
        status = CodecStatusStopped;
        break;
      }
      if (DGifGetLine(reader->file, indices, (int)area.width) == GIF_ERROR) {
        status = failure(reader);
        break;
      }
      size_t start = (size_t)(area.top + row) * (size_t)reader->file->SWidth + area.left;
      paint_row(indices, area.width, colors, transparent, canvas + start * 4);
    }
  }
  free(indices);
  return status;
}

static CodecStatus read_image(
  CodecGIFReader *reader, const GraphicsControlBlock *control, uint8_t *canvas) {
  GifFileType *file = reader->file;
  if (DGifGetImageDesc(file) == GIF_ERROR) return failure(reader);
  const GifImageDesc *image = &file->Image;
  if (image->Width < 1 || image->Height < 1) return failed(reader, "an empty frame");
  if (image->Left < 0 || image->Top < 0 || image->Left + image->Width > file->SWidth
      || image->Top + image->Height > file->SHeight) {
    return failed(reader, "a frame outside of its canvas");
  }
  CodecStatus status = dispose(reader, canvas);
  if (status == CodecStatusDone && control->DisposalMode == DISPOSE_PREVIOUS) {
    status = remember(reader, canvas);
  }
  if (status != CodecStatusDone) return status;
  reader->disposal = control->DisposalMode;
  reader->painted = (Area){
    (uint32_t)image->Left, (uint32_t)image->Top, (uint32_t)image->Width, (uint32_t)image->Height};
  return paint(reader, control->TransparentColor, canvas);
}

static CodecStatus read_extension(CodecGIFReader *reader, GraphicsControlBlock *control) {
  int kind = 0;
  GifByteType *block = NULL;
  if (DGifGetExtension(reader->file, &kind, &block) == GIF_ERROR) return failure(reader);
  while (block) {
    if (kind == GRAPHICS_EXT_FUNC_CODE) DGifExtensionToGCB(block[0], block + 1, control);
    if (DGifGetExtensionNext(reader->file, &block) == GIF_ERROR) return failure(reader);
  }
  return CodecStatusDone;
}

CodecStatus codec_gif_reader_next(CodecGIFReader *reader, uint8_t *canvas, CodecGIFFrame *frame) {
  GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
  for (;;) {
    if (!reader->options.shouldContinue(reader->options.context)) return CodecStatusStopped;
    GifRecordType type;
    if (DGifGetRecordType(reader->file, &type) == GIF_ERROR) return failure(reader);
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

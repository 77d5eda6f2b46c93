#ifdef CODECS_JPEGXL

#include "CodecJXL.h"
#include "CodecQuiet.h"
#include "jxl_version.h"

#include <jxl/decode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CodecJXLReader {
  JxlDecoder *decoder;
  const uint8_t *bytes;
  size_t count;
  /// How much of the file the decoder has received.
  size_t given;
  CodecReadOptions options;
  size_t used;
  bool isOverLimit;
  bool hasColors;
  JxlBasicInfo info;
  uint8_t *profile;
  size_t profileCount;
  char message[CodecMessageCapacity];
};

// MARK: Memory

// Each block begins with its size. What follows is aligned as malloc aligns.
enum { BlockHeader = 16 };

static void *allocate(void *opaque, size_t size) {
  CodecJXLReader *reader = opaque;
  size_t most = (size_t)reader->options.maximumWorkingBytes;
  if (size > most || reader->used > most - size) {
    reader->isOverLimit = true;
    return NULL;
  }
  uint8_t *block = malloc(size + BlockHeader);
  if (!block) return NULL;
  memcpy(block, &size, sizeof size);
  reader->used += size;
  return block + BlockHeader;
}

static void release(void *opaque, void *address) {
  if (!address) return;
  CodecJXLReader *reader = opaque;
  uint8_t *block = (uint8_t *)address - BlockHeader;
  size_t size;
  memcpy(&size, block, sizeof size);
  reader->used -= size;
  free(block);
}

// MARK: Input

static CodecStatus fail(CodecJXLReader *reader, CodecStatus status, const char *message) {
  snprintf(reader->message, sizeof reader->message, "%s", message);
  return status;
}

static CodecJXLReader *create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, int events) {
  CodecJXLReader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->options = *options;
  reader->decoder = JxlDecoderCreate(&(JxlMemoryManager){reader, allocate, release});
  bool isReady = reader->decoder && JxlDecoderSubscribeEvents(reader->decoder, events) == JXL_DEC_SUCCESS
    && JxlDecoderSetKeepOrientation(reader->decoder, JXL_TRUE) == JXL_DEC_SUCCESS
    && JxlDecoderSetUnpremultiplyAlpha(reader->decoder, JXL_TRUE) == JXL_DEC_SUCCESS;
  if (isReady) return reader;
  codec_jxl_reader_destroy(reader);
  return NULL;
}

// The file is given in pieces: between them, decoding can be interrupted.
static CodecStatus give(CodecJXLReader *reader) {
  size_t rest = JxlDecoderReleaseInput(reader->decoder);
  if (reader->given == reader->count) return fail(reader, CodecStatusTruncated, "the file ends early");
  size_t start = reader->given - rest;
  size_t step = reader->count / 64 > 4096 ? reader->count / 64 : 4096;
  size_t left = reader->count - reader->given;
  reader->given += step < left ? step : left;
  JxlDecoderSetInput(reader->decoder, reader->bytes + start, reader->given - start);
  return CodecStatusDone;
}

typedef struct Step {
  JxlDecoder *decoder;
  JxlDecoderStatus event;
} Step;

// Some builds of libjxl print what they refuse.
static CodecStatus process_quietly(void *context) {
  Step *step = context;
  step->event = JxlDecoderProcessInput(step->decoder);
  return CodecStatusDone;
}

uint32_t codec_jxl_version(void) { return JxlDecoderVersion(); }

static CodecStatus advance(CodecJXLReader *reader, JxlDecoderStatus *event) {
  for (;;) {
    if (!reader->options.shouldContinue(reader->options.context)) return CodecStatusStopped;
    Step step = {reader->decoder, JXL_DEC_ERROR};
    codec_run_quietly(process_quietly, &step);
    *event = step.event;
    if (*event == JXL_DEC_ERROR) {
      return reader->isOverLimit ? CodecStatusTooMuchMemory
                                 : fail(reader, CodecStatusCorrupt, "libjxl cannot decode the image data");
    }
    if (*event != JXL_DEC_NEED_MORE_INPUT) return CodecStatusDone;
    CodecStatus status = give(reader);
    if (status != CodecStatusDone) return status;
  }
}

// MARK: Colors

// Before 0.9, there was another argument, without a use.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define OF_PIXELS NULL, JXL_COLOR_PROFILE_TARGET_DATA
#else
#define OF_PIXELS JXL_COLOR_PROFILE_TARGET_DATA
#endif

static bool is_sRGB(const JxlDecoder *decoder) {
  JxlColorEncoding colors;
  if (JxlDecoderGetColorAsEncodedProfile(decoder, OF_PIXELS, &colors) != JXL_DEC_SUCCESS) return false;
  bool isNamed = colors.white_point == JXL_WHITE_POINT_D65 && colors.transfer_function == JXL_TRANSFER_FUNCTION_SRGB;
  bool isGray = colors.color_space == JXL_COLOR_SPACE_GRAY;
  return isNamed && (isGray || (colors.color_space == JXL_COLOR_SPACE_RGB && colors.primaries == JXL_PRIMARIES_SRGB));
}

static CodecStatus read_colors(CodecJXLReader *reader) {
  reader->hasColors = true;
  if (is_sRGB(reader->decoder)) return CodecStatusDone;
  size_t count = 0;
  JxlDecoderStatus status = JxlDecoderGetICCProfileSize(reader->decoder, OF_PIXELS, &count);
  // As with other formats, a profile that is too large is left out.
  if (status != JXL_DEC_SUCCESS || count == 0 || count > (size_t)reader->options.maximumProfileBytes) {
    return CodecStatusDone;
  }
  reader->profile = malloc(count);
  if (!reader->profile) return CodecStatusOutOfMemory;
  status = JxlDecoderGetColorAsICCProfile(reader->decoder, OF_PIXELS, reader->profile, count);
  if (status == JXL_DEC_SUCCESS) reader->profileCount = count;
  return CodecStatusDone;
}

// MARK: Frames

static int64_t milliseconds(const CodecJXLReader *reader) {
  JxlFrameHeader header;
  const JxlAnimationHeader *animation = &reader->info.animation;
  if (!reader->info.have_animation || animation->tps_numerator == 0) return 0;
  if (JxlDecoderGetFrameHeader(reader->decoder, &header) != JXL_DEC_SUCCESS) return 0;
  double ticks = header.duration;
  double time = ticks * 1000 * animation->tps_denominator / animation->tps_numerator;
  return time < 1e12 ? (int64_t)(time + 0.5) : (int64_t)1e12;
}

static CodecStatus set_output(CodecJXLReader *reader, const CodecJXLFrame *frame) {
  JxlPixelFormat format = {
    frame->channels, frame->isWide ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  size_t needed = 0;
  if (JxlDecoderImageOutBufferSize(reader->decoder, &format, &needed) != JXL_DEC_SUCCESS
      || needed != frame->byteCount) {
    return fail(reader, CodecStatusCorrupt, "two sizes");
  }
  JxlDecoderStatus status =
    JxlDecoderSetImageOutBuffer(reader->decoder, &format, frame->pixels, frame->byteCount);
  return status == JXL_DEC_SUCCESS ? CodecStatusDone : fail(reader, CodecStatusCorrupt, "another kind of pixels");
}

static CodecStatus meet(CodecJXLReader *reader, JxlDecoderStatus event, CodecJXLFrame *frame) {
  switch (event) {
  case JXL_DEC_BASIC_INFO:
    if (JxlDecoderGetBasicInfo(reader->decoder, &reader->info) != JXL_DEC_SUCCESS) {
      return fail(reader, CodecStatusCorrupt, "no header");
    }
    return reader->info.xsize == frame->width && reader->info.ysize == frame->height
      ? CodecStatusDone
      : fail(reader, CodecStatusCorrupt, "two sizes");
  case JXL_DEC_COLOR_ENCODING: return read_colors(reader);
  case JXL_DEC_FRAME: frame->milliseconds = milliseconds(reader); return CodecStatusDone;
  case JXL_DEC_NEED_IMAGE_OUT_BUFFER: return set_output(reader, frame);
  default: return fail(reader, CodecStatusCorrupt, "an unexpected event of libjxl");
  }
}

CodecJXLReader *codec_jxl_reader_create(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options) {
  return create(
    bytes, count, options, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE);
}

CodecStatus codec_jxl_reader_next(CodecJXLReader *reader, CodecJXLFrame *frame) {
  frame->exists = false;
  for (;;) {
    JxlDecoderStatus event;
    CodecStatus status = advance(reader, &event);
    if (status == CodecStatusTruncated && !reader->options.isStrict) {
      frame->exists = JxlDecoderFlushImage(reader->decoder) == JXL_DEC_SUCCESS;
    }
    if (status != CodecStatusDone || event == JXL_DEC_SUCCESS) return status;
    if (event == JXL_DEC_FULL_IMAGE) {
      frame->exists = true;
      return CodecStatusDone;
    }
    status = meet(reader, event, frame);
    if (status != CodecStatusDone) return status;
  }
}

const uint8_t *codec_jxl_reader_profile(const CodecJXLReader *reader, size_t *count) {
  *count = reader->profileCount;
  return reader->profileCount > 0 ? reader->profile : NULL;
}

const char *codec_jxl_reader_message(const CodecJXLReader *reader) { return reader->message; }

void codec_jxl_reader_destroy(CodecJXLReader *reader) {
  if (reader->decoder) JxlDecoderDestroy(reader->decoder);
  free(reader->profile);
  free(reader);
}

// MARK: The original JPEG

typedef struct Output {
  uint8_t *bytes;
  size_t capacity;
  size_t count;
} Output;

static CodecStatus grow(CodecJXLReader *reader, Output *output, size_t maximumCount) {
  // None is set at first.
  if (output->bytes) output->count = output->capacity - JxlDecoderReleaseJPEGBuffer(reader->decoder);
  if (output->capacity >= maximumCount) return CodecStatusTooMuchMemory;
  size_t capacity = output->capacity > 0 ? output->capacity * 2 : reader->count + (64 << 10);
  if (capacity > maximumCount) capacity = maximumCount;
  uint8_t *bytes = realloc(output->bytes, capacity);
  if (!bytes) return CodecStatusOutOfMemory;
  output->bytes = bytes;
  output->capacity = capacity;
  JxlDecoderStatus status =
    JxlDecoderSetJPEGBuffer(reader->decoder, bytes + output->count, capacity - output->count);
  return status == JXL_DEC_SUCCESS ? CodecStatusDone : CodecStatusCorrupt;
}

static CodecStatus read_jpeg(CodecJXLReader *reader, Output *output, size_t maximumCount) {
  for (;;) {
    JxlDecoderStatus event;
    CodecStatus status = advance(reader, &event);
    if (status != CodecStatusDone) return status;
    switch (event) {
    case JXL_DEC_JPEG_RECONSTRUCTION:
    case JXL_DEC_JPEG_NEED_MORE_OUTPUT:
      status = grow(reader, output, maximumCount);
      if (status != CodecStatusDone) return status;
      break;
    case JXL_DEC_FULL_IMAGE:
      if (!output->bytes) return CodecStatusUnsupported;
      output->count = output->capacity - JxlDecoderReleaseJPEGBuffer(reader->decoder);
      return CodecStatusDone;
    // It has no coefficients of a JPEG, or too few data about one.
    default: return CodecStatusUnsupported;
    }
  }
}

CodecStatus codec_jxl_read_jpeg(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, size_t maximumCount,
  uint8_t **output, size_t *outputCount) {
  CodecJXLReader *reader = create(bytes, count, options, JXL_DEC_JPEG_RECONSTRUCTION | JXL_DEC_FULL_IMAGE);
  if (!reader) return CodecStatusOutOfMemory;
  Output jpeg = {0};
  CodecStatus status = read_jpeg(reader, &jpeg, maximumCount);
  if (status == CodecStatusDone) {
    *output = jpeg.bytes;
    *outputCount = jpeg.count;
  } else {
    free(jpeg.bytes);
  }
  codec_jxl_reader_destroy(reader);
  return status;
}

// MARK: Compressed boxes

static CodecStatus read_box(CodecJXLReader *reader, Output *output, size_t maximumCount) {
  bool isInBox = false;
  for (;;) {
    JxlDecoderStatus event;
    CodecStatus status = advance(reader, &event);
    if (status != CodecStatusDone) return status;
    if (isInBox && event == JXL_DEC_BOX) {
      // It begins the next box.
      output->count = output->capacity - JxlDecoderReleaseBoxBuffer(reader->decoder);
      return CodecStatusDone;
    }
    if (event == JXL_DEC_BOX) {
      JxlBoxType type;
      if (JxlDecoderGetBoxType(reader->decoder, type, JXL_FALSE) != JXL_DEC_SUCCESS) return CodecStatusCorrupt;
      if (memcmp(type, "brob", 4) != 0) continue;
      isInBox = true;
    } else if (event != JXL_DEC_BOX_NEED_MORE_OUTPUT) {
      return CodecStatusCorrupt;
    } else {
      output->count = output->capacity - JxlDecoderReleaseBoxBuffer(reader->decoder);
    }
    if (output->capacity >= maximumCount) return CodecStatusTooMuchMemory;
    size_t capacity = output->capacity > 0 ? output->capacity * 2 : 16 << 10;
    if (capacity > maximumCount) capacity = maximumCount;
    uint8_t *bytes = realloc(output->bytes, capacity);
    if (!bytes) return CodecStatusOutOfMemory;
    output->bytes = bytes;
    output->capacity = capacity;
    if (JxlDecoderSetBoxBuffer(reader->decoder, bytes + output->count, capacity - output->count)
        != JXL_DEC_SUCCESS) {
      return CodecStatusCorrupt;
    }
  }
}

CodecStatus codec_jxl_read_box(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, size_t maximumCount,
  uint8_t **output, size_t *outputCount) {
  CodecJXLReader *reader = create(bytes, count, options, JXL_DEC_BOX);
  if (!reader) return CodecStatusOutOfMemory;
  Output content = {0};
  CodecStatus status = JxlDecoderSetDecompressBoxes(reader->decoder, JXL_TRUE) == JXL_DEC_SUCCESS
    ? read_box(reader, &content, maximumCount)
    : CodecStatusUnsupported;
  if (status == CodecStatusDone) {
    *output = content.bytes;
    *outputCount = content.count;
  } else {
    free(content.bytes);
  }
  codec_jxl_reader_destroy(reader);
  return status;
}

#endif

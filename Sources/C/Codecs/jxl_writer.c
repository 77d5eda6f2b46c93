#ifdef CODECS_JPEGXL

#include "CodecJXL.h"
#include "CodecQuiet.h"
#include "jxl_version.h"

#include <jxl/encode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CodecStatus fail(JxlEncoder *encoder, char *message) {
  JxlEncoderError error = JxlEncoderGetError(encoder);
  snprintf(message, CodecMessageCapacity, "libjxl: error %d", (int)error);
  return error == JXL_ENC_ERR_OOM ? CodecStatusOutOfMemory : CodecStatusUnsupported;
}

// All that the encoder has to say.
static CodecStatus collect(JxlEncoder *encoder, uint8_t **output, size_t *count, char *message) {
  size_t capacity = 64 << 10, used = 0;
  uint8_t *bytes = malloc(capacity);
  while (bytes) {
    uint8_t *next = bytes + used;
    size_t left = capacity - used;
    JxlEncoderStatus status = JxlEncoderProcessOutput(encoder, &next, &left);
    used = (size_t)(next - bytes);
    if (status == JXL_ENC_SUCCESS) {
      *output = bytes;
      *count = used;
      return CodecStatusDone;
    }
    if (status != JXL_ENC_NEED_MORE_OUTPUT) {
      CodecStatus failure = fail(encoder, message);
      free(bytes);
      return failure;
    }
    capacity *= 2;
    uint8_t *larger = realloc(bytes, capacity);
    if (!larger) free(bytes);
    bytes = larger;
  }
  return CodecStatusOutOfMemory;
}

static bool set_colors(JxlEncoder *encoder, const CodecJXLEncoding *encoding) {
  if (encoding->metadata.profileCount > 0) {
    return JxlEncoderSetICCProfile(encoder, encoding->metadata.profile, encoding->metadata.profileCount) == JXL_ENC_SUCCESS;
  }
  JxlColorEncoding colors;
  JxlColorEncodingSetToSRGB(&colors, encoding->channels == 1);
  return JxlEncoderSetColorEncoding(encoder, &colors) == JXL_ENC_SUCCESS;
}

static bool set_header(JxlEncoder *encoder, const CodecJXLEncoding *encoding) {
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = encoding->width;
  info.ysize = encoding->height;
  info.bits_per_sample = encoding->isWide ? 16 : 8;
  info.num_color_channels = encoding->channels == 1 ? 1 : 3;
  info.num_extra_channels = encoding->channels == 4 ? 1 : 0;
  info.alpha_bits = encoding->channels == 4 ? info.bits_per_sample : 0;
  // Lossy data is of no color space of a display: the library converts from it.
  info.uses_original_profile = encoding->distance == 0;
  if (JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS) return false;
  // More than 12 bits without loss are not in the level of most files.
  return JxlEncoderGetRequiredCodestreamLevel(encoder) != 10
    || JxlEncoderSetCodestreamLevel(encoder, 10) == JXL_ENC_SUCCESS;
}

static CodecStatus add_boxes(JxlEncoder *encoder, const CodecJXLEncoding *encoding) {
  if (encoding->metadata.exifCount == 0 && encoding->metadata.xmpCount == 0) return CodecStatusDone;
  if (JxlEncoderUseBoxes(encoder) != JXL_ENC_SUCCESS) return CodecStatusUnsupported;
  if (encoding->metadata.exifCount > 0) {
    // The place of the data behind the first four bytes.
    uint8_t *box = calloc(1, encoding->metadata.exifCount + 4);
    if (!box) return CodecStatusOutOfMemory;
    memcpy(box + 4, encoding->metadata.exif, encoding->metadata.exifCount);
    JxlEncoderStatus status = JxlEncoderAddBox(encoder, "Exif", box, encoding->metadata.exifCount + 4, JXL_FALSE);
    free(box);
    if (status != JXL_ENC_SUCCESS) return CodecStatusUnsupported;
  }
  bool isDone = encoding->metadata.xmpCount == 0
    || JxlEncoderAddBox(encoder, "xml ", encoding->metadata.xmp, encoding->metadata.xmpCount, JXL_FALSE) == JXL_ENC_SUCCESS;
  return isDone ? CodecStatusDone : CodecStatusUnsupported;
}

static bool add_frame(
  JxlEncoder *encoder, const CodecJXLEncoding *encoding, const uint8_t *pixels, size_t byteCount) {
  JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
  if (!settings) return false;
  bool isSet = JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, encoding->effort)
    == JXL_ENC_SUCCESS;
  isSet = isSet
    && (encoding->distance == 0 ? JxlEncoderSetFrameLossless(settings, JXL_TRUE)
                                : JxlEncoderSetFrameDistance(settings, encoding->distance))
      == JXL_ENC_SUCCESS;
  JxlPixelFormat format = {
    encoding->channels, encoding->isWide ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  return isSet && JxlEncoderAddImageFrame(settings, &format, pixels, byteCount) == JXL_ENC_SUCCESS;
}

CodecStatus codec_jxl_write(
  const CodecJXLEncoding *encoding, const uint8_t *pixels, size_t byteCount, uint8_t **output, size_t *count,
  char *message) {
  JxlEncoder *encoder = JxlEncoderCreate(NULL);
  if (!encoder) return CodecStatusOutOfMemory;
  CodecStatus status = set_header(encoder, encoding) ? CodecStatusDone : fail(encoder, message);
  if (status == CodecStatusDone && !set_colors(encoder, encoding)) {
    status = fail(encoder, message);
    if (status == CodecStatusUnsupported) {
      snprintf(message, CodecMessageCapacity, "libjxl does not accept the color profile");
    }
  }
  if (status == CodecStatusDone) {
    status = add_boxes(encoder, encoding);
    if (status == CodecStatusUnsupported) status = fail(encoder, message);
  }
  if (status == CodecStatusDone && !add_frame(encoder, encoding, pixels, byteCount)) {
    status = fail(encoder, message);
  }
  if (status == CodecStatusDone) {
    JxlEncoderCloseInput(encoder);
    status = collect(encoder, output, count, message);
  }
  JxlEncoderDestroy(encoder);
  return status;
}

typedef struct Transcoding {
  const uint8_t *jpeg;
  size_t jpegCount;
  int32_t effort;
  uint8_t **output;
  size_t *count;
  char *message;
} Transcoding;

// Some builds of libjxl print what they refuse of a JPEG.
static CodecStatus transcode(void *context) {
  Transcoding *job = context;
  JxlEncoder *encoder = JxlEncoderCreate(NULL);
  if (!encoder) return CodecStatusOutOfMemory;
  JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
  bool isAdded = settings && JxlEncoderStoreJPEGMetadata(encoder, JXL_TRUE) == JXL_ENC_SUCCESS
    && JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, job->effort) == JXL_ENC_SUCCESS
    && JxlEncoderAddJPEGFrame(settings, job->jpeg, job->jpegCount) == JXL_ENC_SUCCESS;
  CodecStatus status = CodecStatusUnsupported;
  if (isAdded) {
    JxlEncoderCloseInput(encoder);
    status = collect(encoder, job->output, job->count, job->message);
  } else {
    status = fail(encoder, job->message);
  }
  JxlEncoderDestroy(encoder);
  return status;
}

CodecStatus codec_jxl_write_jpeg(
  const uint8_t *jpeg, size_t jpegCount, int32_t effort, uint8_t **output, size_t *count, char *message) {
  return codec_run_quietly(transcode, &(Transcoding){jpeg, jpegCount, effort, output, count, message});
}

#endif

#include "CodecWebP.h"
#include "CodecPixels.h"

#include <stdlib.h>

#if !__has_include(<webp/decode.h>)
#error "libwebp is missing: run Scripts/setup of Streams, or install libwebp-dev on Debian."
#endif
#include <webp/decode.h>
#include <webp/encode.h>

static CodecStatus status_of(VP8StatusCode code) {
  switch (code) {
  case VP8_STATUS_OK: return CodecStatusDone;
  case VP8_STATUS_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
  case VP8_STATUS_UNSUPPORTED_FEATURE: return CodecStatusUnsupported;
  case VP8_STATUS_SUSPENDED:
  case VP8_STATUS_NOT_ENOUGH_DATA: return CodecStatusTruncated;
  default: return CodecStatusCorrupt;
  }
}

CodecStatus codec_webp_read_header(const uint8_t *bytes, size_t count, CodecWebPHeader *header) {
  WebPBitstreamFeatures features;
  VP8StatusCode code = WebPGetFeatures(bytes, count, &features);
  if (code != VP8_STATUS_OK) return status_of(code);
  header->width = (uint32_t)features.width;
  header->height = (uint32_t)features.height;
  header->hasAlpha = features.has_alpha != 0;
  return CodecStatusDone;
}

// Fed in steps although all of it is there, because libwebp can only be interrupted between two steps.
//
// libwebp reports damaged transparency as an abort by the user, too: only a refusal of ours is one.
static CodecStatus feed(
  WebPIDecoder *decoder, const uint8_t *bytes, size_t count, const CodecReadOptions *options) {
  size_t step = count / 64 > 4096 ? count / 64 : 4096;
  size_t fed = 0;
  VP8StatusCode code = VP8_STATUS_SUSPENDED;
  while (code == VP8_STATUS_SUSPENDED && fed < count) {
    if (!options->shouldContinue(options->context)) return CodecStatusStopped;
    fed = count - fed > step ? fed + step : count;
    code = WebPIUpdate(decoder, bytes, fed);
  }
  return status_of(code);
}

CodecStatus codec_webp_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecWebPFrame *frame) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return CodecStatusUnsupported;
  VP8StatusCode code = WebPGetFeatures(bytes, count, &config.input);
  if (code != VP8_STATUS_OK) return status_of(code);
  if ((uint32_t)config.input.width != frame->width || (uint32_t)config.input.height != frame->height) {
    config.options.use_scaling = 1;
    config.options.scaled_width = (int)frame->width;
    config.options.scaled_height = (int)frame->height;
  }
  config.output.colorspace = frame->channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = frame->pixels;
  config.output.u.RGBA.stride = (int)frame->bytesPerRow;
  config.output.u.RGBA.size = frame->byteCount;

  WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
  if (!decoder) return CodecStatusOutOfMemory;
  CodecStatus status = feed(decoder, bytes, count, options);
  WebPIDelete(decoder);
  WebPFreeDecBuffer(&config.output);
  return status;
}

static bool import_pixels(
  WebPPicture *picture, const CodecWebPEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow) {
  if (encoding->channels == 4) return WebPPictureImportRGBA(picture, pixels, (int)bytesPerRow);
  if (encoding->channels == 3) return WebPPictureImportRGB(picture, pixels, (int)bytesPerRow);

  uint8_t *rgb = codec_gray_rows_to_rgb(pixels, bytesPerRow, encoding->width, encoding->height);
  if (!rgb) return false;
  bool isImported = WebPPictureImportRGB(picture, rgb, (int)encoding->width * 3);
  free(rgb);
  return isImported;
}

CodecStatus codec_webp_write(
  const CodecWebPEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow, uint8_t **output,
  size_t *count) {
  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return CodecStatusUnsupported;
  config.quality = encoding->quality;
  config.method = (int)encoding->effort;
  if (encoding->isLossless) {
    if (!WebPConfigLosslessPreset(&config, 6)) return CodecStatusUnsupported;
    // Without it the colors under transparent pixels would be changed.
    config.exact = 1;
    picture.use_argb = 1;
  }
  picture.width = (int)encoding->width;
  picture.height = (int)encoding->height;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;

  bool isWritten = import_pixels(&picture, encoding, pixels, bytesPerRow)
    && WebPEncode(&config, &picture);
  bool lacksMemory = picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY;
  WebPPictureFree(&picture);
  if (!isWritten) {
    WebPMemoryWriterClear(&writer);
    return lacksMemory ? CodecStatusOutOfMemory : CodecStatusCorrupt;
  }
  *output = writer.mem;
  *count = writer.size;
  return CodecStatusDone;
}

void codec_webp_free(uint8_t *output) { WebPFree(output); }

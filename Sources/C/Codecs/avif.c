#ifdef CODECS_AVIF

#include "CodecBoxes.h"
#include "CodecPixels.h"
#include "CodecQuiet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<avif/avif.h>)
#error "libavif is missing: run Scripts/setup of Streams, or install libavif-dev on Debian."
#endif
#include <avif/avif.h>

static CodecStatus missing(const char *library, char *message) {
  snprintf(message, CodecMessageCapacity, "%s", library);
  return CodecStatusMissingLibrary;
}

// libavif is built with codecs of others: one that only reads is no rarity.
static bool has_codec(avifCodecFlags use) { return avifCodecName(AVIF_CODEC_CHOICE_AUTO, use) != NULL; }

static CodecStatus status_of(avifResult result, char *message) {
  snprintf(message, CodecMessageCapacity, "%s", avifResultToString(result));
  switch (result) {
  case AVIF_RESULT_OK: return CodecStatusDone;
  case AVIF_RESULT_TRUNCATED_DATA:
  case AVIF_RESULT_IO_ERROR:
  case AVIF_RESULT_WAITING_ON_IO: return CodecStatusTruncated;
  case AVIF_RESULT_UNSUPPORTED_DEPTH:
  case AVIF_RESULT_NO_CODEC_AVAILABLE:
  // What the stream says of its colors, the library does not know.
  case AVIF_RESULT_REFORMAT_FAILED:
  case AVIF_RESULT_NOT_IMPLEMENTED: return CodecStatusUnsupported;
  case AVIF_RESULT_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
  default: return CodecStatusCorrupt;
  }
}

typedef struct Decoding {
  avifDecoder *decoder;
  char *message;
} Decoding;

static CodecStatus decode_quietly(void *context) {
  Decoding *decoding = context;
  return status_of(avifDecoderNextImage(decoding->decoder), decoding->message);
}

static bool has_size(const avifImage *image, const CodecBoxesFrame *frame) {
  return image->width == frame->width && image->height == frame->height;
}

static CodecStatus wrong_size(char *message) {
  snprintf(message, CodecMessageCapacity, "two sizes");
  return CodecStatusCorrupt;
}

static CodecStatus read_pixels(avifDecoder *decoder, const CodecBoxesFrame *frame, char *message) {
  CodecStatus status = codec_run_quietly(decode_quietly, &(Decoding){decoder, message});
  if (status != CodecStatusDone) return status;
  // A grid has the size that it states itself, which is known only now and may have more rows than there is memory for.
  if (!has_size(decoder->image, frame)) return wrong_size(message);
  // IPT-C2 of H.273, which newer versions of libavif take for another matrix.
  if (decoder->image->matrixCoefficients == 15) return status_of(AVIF_RESULT_NOT_IMPLEMENTED, message);
  avifRGBImage pixels;
  avifRGBImageSetDefaults(&pixels, decoder->image);
  pixels.depth = frame->isWide ? 16 : 8;
  pixels.format = frame->channels == 4 ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
  pixels.pixels = frame->pixels;
  pixels.rowBytes = (uint32_t)frame->bytesPerRow;
  return status_of(avifImageYUVToRGB(decoder->image, &pixels), message);
}

const char *codec_avif_version(void) { return avifVersion(); }

static avifDecoder *new_decoder(const CodecBoxesFrame *frame) {
  avifDecoder *decoder = avifDecoderCreate();
  if (!decoder) return NULL;
  uint64_t pixels = (uint64_t)frame->width * frame->height;
  if (pixels < decoder->imageSizeLimit) decoder->imageSizeLimit = (uint32_t)pixels;
  decoder->imageDimensionLimit = frame->width > frame->height ? frame->width : frame->height;
  decoder->imageCountLimit = 100000;
  decoder->ignoreExif = AVIF_TRUE;
  decoder->ignoreXMP = AVIF_TRUE;
  // Files without pixi are plenty, and harmless. The clean aperture is not applied here.
  decoder->strictFlags =
    AVIF_STRICT_ENABLED & ~(avifStrictFlags)(AVIF_STRICT_PIXI_REQUIRED | AVIF_STRICT_CLAP_VALID);
  return decoder;
}

CodecStatus codec_avif_read(
  const uint8_t *bytes, size_t count, const CodecReadOptions *options, const CodecBoxesFrame *frame,
  char *message) {
  if (!has_codec(AVIF_CODEC_FLAG_CAN_DECODE)) return missing("dav1d, for libavif", message);
  avifDecoder *decoder = new_decoder(frame);
  if (!decoder) return CodecStatusOutOfMemory;
  avifResult result = avifDecoderSetIOMemory(decoder, bytes, count);
  if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
  CodecStatus status = status_of(result, message);
  if (status == CodecStatusDone && !options->shouldContinue(options->context)) status = CodecStatusStopped;
  if (status == CodecStatusDone && !has_size(decoder->image, frame)) status = wrong_size(message);
  if (status == CodecStatusDone) status = read_pixels(decoder, frame, message);
  avifDecoderDestroy(decoder);
  return status;
}

// MARK: Sequences

CodecStatus codec_avif_frames_open(
  const uint8_t *bytes, size_t count, const CodecBoxesFrame *frame, void **frames, char *message) {
  if (!has_codec(AVIF_CODEC_FLAG_CAN_DECODE)) return missing("dav1d, for libavif", message);
  avifDecoder *decoder = new_decoder(frame);
  if (!decoder) return CodecStatusOutOfMemory;
  decoder->requestedSource = AVIF_DECODER_SOURCE_TRACKS;
  avifResult result = avifDecoderSetIOMemory(decoder, bytes, count);
  if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
  CodecStatus status = status_of(result, message);
  if (status == CodecStatusDone && !has_size(decoder->image, frame)) status = wrong_size(message);
  if (status == CodecStatusDone) {
    *frames = decoder;
  } else {
    avifDecoderDestroy(decoder);
  }
  return status;
}

CodecStatus codec_avif_frames_next(
  void *frames, const CodecBoxesFrame *frame, bool *exists, double *seconds, char *message) {
  avifDecoder *decoder = frames;
  *exists = decoder->imageIndex + 1 < decoder->imageCount;
  if (!*exists) return CodecStatusDone;
  CodecStatus status = read_pixels(decoder, frame, message);
  *seconds = decoder->imageTiming.duration;
  return status;
}

void codec_avif_frames_close(void *frames) { avifDecoderDestroy(frames); }

// MARK: Writing

// Before 1.0, these functions had no result.
#if AVIF_VERSION >= 1000000
#define RESULT_OF(call) (call)
#else
#define RESULT_OF(call) ((call), AVIF_RESULT_OK)
#endif

static avifResult fill(
  avifImage *image, const CodecBoxesEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow) {
  image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
  image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
  image->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
  const CodecMetadata *blocks = &encoding->metadata;
  avifResult result = AVIF_RESULT_OK;
  if (blocks->profileCount > 0) {
    result = RESULT_OF(avifImageSetProfileICC(image, blocks->profile, blocks->profileCount));
    image->colorPrimaries = AVIF_COLOR_PRIMARIES_UNSPECIFIED;
    image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED;
  }
  if (result == AVIF_RESULT_OK && blocks->exifCount > 0) {
    result = RESULT_OF(avifImageSetMetadataExif(image, blocks->exif, blocks->exifCount));
  }
  if (result == AVIF_RESULT_OK && blocks->xmpCount > 0) {
    result = RESULT_OF(avifImageSetMetadataXMP(image, blocks->xmp, blocks->xmpCount));
  }
  if (result != AVIF_RESULT_OK) return result;
  avifRGBImage source;
  avifRGBImageSetDefaults(&source, image);
  source.depth = 8;
  source.format = encoding->channels == 4 ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
  source.pixels = (uint8_t *)pixels;
  source.rowBytes = (uint32_t)bytesPerRow;
  return avifImageRGBToYUV(image, &source);
}

static CodecStatus write_image(
  avifEncoder *encoder, avifImage *image, const CodecBoxesEncoding *encoding, uint8_t **output,
  size_t *count, char *message) {
  int quantizer = (int)((100 - encoding->quality) * AVIF_QUANTIZER_WORST_QUALITY / 100 + 0.5f);
  encoder->minQuantizer = encoder->maxQuantizer = quantizer;
  encoder->minQuantizerAlpha = encoder->maxQuantizerAlpha = quantizer;
  encoder->speed = 6;
  avifRWData data = AVIF_DATA_EMPTY;
  CodecStatus status = status_of(avifEncoderWrite(encoder, image, &data), message);
  if (status == CodecStatusDone) {
    *output = malloc(data.size);
    *count = data.size;
    if (*output) {
      memcpy(*output, data.data, data.size);
    } else {
      status = CodecStatusOutOfMemory;
    }
  }
  avifRWDataFree(&data);
  return status;
}

CodecStatus codec_avif_write(
  const CodecBoxesEncoding *encoding, const uint8_t *pixels, size_t bytesPerRow, uint8_t **output,
  size_t *count, char *message) {
  if (!has_codec(AVIF_CODEC_FLAG_CAN_ENCODE)) return missing("libaom, for libavif", message);
  uint8_t *colored = NULL;
  if (encoding->channels == 1) {
    colored = codec_gray_rows_to_rgb(pixels, bytesPerRow, encoding->width, encoding->height);
    if (!colored) return CodecStatusOutOfMemory;
    pixels = colored;
    bytesPerRow = (size_t)encoding->width * 3;
  }
  avifPixelFormat format = encoding->channels == 1 ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV420;
  avifImage *image = avifImageCreate((int)encoding->width, (int)encoding->height, 8, format);
  avifEncoder *encoder = avifEncoderCreate();
  CodecStatus status = CodecStatusOutOfMemory;
  if (image && encoder) {
    status = status_of(fill(image, encoding, pixels, bytesPerRow), message);
    if (status == CodecStatusDone) status = write_image(encoder, image, encoding, output, count, message);
  }
  if (encoder) avifEncoderDestroy(encoder);
  if (image) avifImageDestroy(image);
  free(colored);
  return status;
}

#endif

#include "CodecWebP.h"

#include <stdlib.h>
#include <string.h>

#include <webp/demux.h>

struct CodecWebPAnimation {
  WebPAnimDecoder *decoder;
  WebPAnimInfo info;
  int previous;
};

CodecWebPAnimation *codec_webp_animation_create(
  const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
  CodecWebPAnimation *animation = calloc(1, sizeof *animation);
  if (!animation) return NULL;
  WebPData data = {bytes, count};
  // Without options, it makes RGBA on this thread.
  animation->decoder = WebPAnimDecoderNew(&data, NULL);
  // False without a decoder, too.
  if (!WebPAnimDecoderGetInfo(animation->decoder, &animation->info)) {
    codec_webp_animation_destroy(animation);
    return NULL;
  }
  *width = animation->info.canvas_width;
  *height = animation->info.canvas_height;
  return animation;
}

CodecStatus codec_webp_animation_next(CodecWebPAnimation *animation, uint8_t *canvas, CodecWebPStep *step) {
  step->exists = WebPAnimDecoderHasMoreFrames(animation->decoder) != 0;
  if (!step->exists) return CodecStatusDone;
  uint8_t *pixels = NULL;
  int timestamp = 0;
  if (!WebPAnimDecoderGetNext(animation->decoder, &pixels, &timestamp)) return CodecStatusCorrupt;
  memcpy(canvas, pixels, (size_t)animation->info.canvas_width * animation->info.canvas_height * 4);
  step->milliseconds = timestamp > animation->previous ? (uint32_t)(timestamp - animation->previous) : 0;
  animation->previous = timestamp;
  return CodecStatusDone;
}

void codec_webp_animation_destroy(CodecWebPAnimation *animation) {
  if (!animation) return;
  WebPAnimDecoderDelete(animation->decoder);
  free(animation);
}

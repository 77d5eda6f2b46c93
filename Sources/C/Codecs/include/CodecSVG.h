#ifndef CCODECS_SVG_H
#define CCODECS_SVG_H

#include "CodecStatus.h"

/// SVG through librsvg and Cairo, which are opened while the program runs: who never asks for SVG needs neither.

/// Opens the libraries. False if one is not there, or is too old; `missing` then names it, or the function that it lacks, in
/// `CodecMessageCapacity` bytes.
bool codec_svg_load(const char *rsvg, const char *cairo, const char *gobject, char *missing);

typedef struct CodecSVG CodecSVG;

/// Reads a document. Nothing that it points to is read. Only after `codec_svg_load`; `message` is as above.
CodecStatus codec_svg_open(const uint8_t *bytes, size_t count, CodecSVG **svg, char *message);

/// The size that the document asks for, in pixels of which 96 are an inch; a side is 0 if nothing is said of it.
void codec_svg_size(const CodecSVG *svg, double *width, double *height);

/// Draws the document onto transparent pixels (RGBA, straight alpha). `width` and `height` are the size that it is laid out
/// for; that is moved and then stretched.
typedef struct CodecSVGFrame {
  double width;
  double height;
  double left;
  double top;
  double stretchAcross;
  double stretchDown;
  uint32_t pixelsAcross;
  uint32_t pixelsDown;
  uint8_t *pixels;
} CodecSVGFrame;

CodecStatus codec_svg_draw(CodecSVG *svg, const CodecSVGFrame *frame, char *message);
void codec_svg_close(CodecSVG *svg);

#endif

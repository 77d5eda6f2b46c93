#ifndef CCODECS_JPEG_SCANS_H
#define CCODECS_JPEG_SCANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if !__has_include(<jpeglib.h>)
#error "libjpeg-turbo is missing: run Scripts/setup of Streams, or install libjpeg62-turbo-dev on Debian."
#endif
#include <jpeglib.h>

#if JPEG_LIB_VERSION >= 70
#define SCALED_SIZE(component) ((component)->DCT_h_scaled_size)
#else
#define SCALED_SIZE(component) ((component)->DCT_scaled_size)
#endif

/// A part of the file that is not read.
typedef struct JPEGGap {
  size_t start;
  size_t end;
} JPEGGap;

/// Which scans of a progressive file a small picture needs.
typedef struct JPEGPlan {
  /// Scans that hold nothing but detail too fine to be seen, in the order of the file.
  JPEGGap *gaps;
  size_t count;
  /// How many of the other scans are enough.
  int scans;
  /// Components of which a few coefficients a block are needed, and no more to understand the scans.
  bool isCompact[MAX_COMPONENTS];
} JPEGPlan;

/// Where segments and scans of a file begin and end. No scan is decoded.
typedef struct JPEGWalk {
  const uint8_t *bytes;
  size_t count;
  /// Where the marker stands that was found last, and what follows on its segment.
  size_t start;
  size_t end;
  uint8_t marker;
} JPEGWalk;

/// Goes on to the next marker that is neither data nor a restart; false when there is none, or no room for its segment.
bool jpeg_walk_next(JPEGWalk *walk);

/// Makes a plan for the size that is set in `info`, of which the header up to the first scan has been read; that scan's
/// data begin at `start`. Without a plan, which a file gives no reason for or contradicts, all scans are read. False when
/// there is no memory. `gaps` is to be freed.
bool jpeg_plan_scans(
  j_decompress_ptr info, const uint8_t *bytes, size_t count, size_t start, int maximumScans, JPEGPlan *plan);

#endif

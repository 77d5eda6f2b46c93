#ifndef CCODECS_JPEG_READER_H
#define CCODECS_JPEG_READER_H

#include "CodecJPEG.h"
#include "CodecProfile.h"
#include "jpeg_scans.h"

#include <setjmp.h>

typedef struct JPEGArray JPEGArray;

/// libjpeg's memory manager, where it has been replaced.
typedef struct JPEGMemory {
  jvirt_barray_ptr (*request)(j_common_ptr, int, boolean, JDIMENSION, JDIMENSION, JDIMENSION);
  JBLOCKARRAY (*access)(j_common_ptr, jvirt_barray_ptr, JDIMENSION, JDIMENSION, boolean);
  JPEGArray *arrays[MAX_COMPONENTS];
  int requests;
} JPEGMemory;

// Everything that must survive a longjmp lives here, none of it in locals.
struct CodecJPEGReader {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  CodecReadOptions options;
  CodecStatus status;
  char message[CodecMessageCapacity];
  uint8_t *inks;
  CodecProfileTransform *inkTransform;
  /// Whether all pixels are those of the file.
  bool isComplete;
  /// Whether the file has ended before its end mark.
  bool lacksEnd;
  const uint8_t *bytes;
  size_t byteCount;
  JPEGPlan plan;
  /// The part of the plan's gaps that is behind.
  size_t gapsPassed;
  JPEGMemory memory;
};

/// From now on libjpeg keeps of components what the plan says is needed. To be called before decompression starts.
void jpeg_compact_memory(CodecJPEGReader *reader);

/// What the coefficients of a file of several scans take.
uint64_t jpeg_coefficient_bytes(const CodecJPEGReader *reader);

#endif

#ifndef CCODECS_STATUS_H
#define CCODECS_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a call ended. Closed, so that Swift switches over it without a default.
typedef enum __attribute__((enum_extensibility(closed))) CodecStatus : int32_t {
  CodecStatusDone = 0,
  CodecStatusTruncated,
  CodecStatusCorrupt,
  CodecStatusUnsupported,
  CodecStatusStopped,
  CodecStatusTooManyScans,
  CodecStatusTooManyWarnings,
  CodecStatusTooMuchMemory,
  CodecStatusOutOfMemory,
  /// The message is the name of what is missing.
  CodecStatusMissingLibrary,
} CodecStatus;

enum { CodecMessageCapacity = 200 };

/// Asked between rows, or where else a library can be interrupted; false stops the decoder.
typedef bool (*CodecContinue)(void *context);

typedef struct CodecReadOptions {
  bool isStrict;
  int32_t maximumScans;
  int64_t maximumWarnings;
  int64_t maximumWorkingBytes;
  int64_t maximumProfileBytes;
  CodecContinue shouldContinue;
  void *context;
} CodecReadOptions;

#endif

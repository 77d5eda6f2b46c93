#ifndef CCODECS_JXL_VERSION_H
#define CCODECS_JXL_VERSION_H

#if !__has_include(<jxl/decode.h>)
#error "libjxl is missing: run Scripts/setup of Streams, or install libjxl-dev on Debian."
#endif
#include <jxl/version.h>

#endif

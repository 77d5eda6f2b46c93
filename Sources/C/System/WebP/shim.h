#if !__has_include(<webp/demux.h>)
#error "libwebp is missing: run Scripts/setup of Streams, or install libwebp-dev on Debian."
#endif
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/demux.h>

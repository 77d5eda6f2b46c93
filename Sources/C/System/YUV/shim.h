#if !__has_include(<libyuv.h>)
#error "libyuv is missing: run Scripts/setup of Streams, or install libyuv-dev on Debian."
#endif
#include <libyuv.h>

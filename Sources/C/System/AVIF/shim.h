#if !__has_include(<avif/avif.h>)
#error "libavif is missing: run Scripts/setup of Streams, or install libavif-dev on Debian."
#endif
#include <avif/avif.h>

#if !__has_include(<gif_lib.h>)
#error "giflib is missing: run Scripts/setup of Streams, or install libgif-dev on Debian."
#endif
#include <stddef.h>
#include <gif_lib.h>

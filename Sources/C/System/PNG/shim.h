#if !__has_include(<png.h>)
#error "libpng is missing: run Scripts/setup of Streams, or install libpng-dev on Debian."
#endif
#include <png.h>

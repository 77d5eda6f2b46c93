#if !__has_include(<tiffio.h>)
#error "libtiff is missing: run Scripts/setup of Streams, or install libtiff-dev on Debian."
#endif
#include <tiffio.h>

#if !__has_include(<libheif/heif.h>)
#error "libheif is missing: run Scripts/setup of Streams, or install libheif-dev on Debian."
#endif
#include <libheif/heif.h>

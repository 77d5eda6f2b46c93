#if !__has_include(<lcms2.h>)
#error "Little CMS is missing: run Scripts/setup of Streams, or install liblcms2-dev on Debian."
#endif
#include <lcms2.h>

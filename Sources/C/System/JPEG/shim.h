#if !__has_include(<jpeglib.h>)
#error "libjpeg-turbo is missing: run Scripts/setup of Streams, or install libjpeg62-turbo-dev on Debian."
#endif
#include <stdio.h>
#include <jpeglib.h>

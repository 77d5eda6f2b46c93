#if !__has_include(<curl/curl.h>)
#error "libcurl is missing: run Scripts/setup of Streams, or install libcurl4-openssl-dev on Debian."
#endif
#include <curl/curl.h>

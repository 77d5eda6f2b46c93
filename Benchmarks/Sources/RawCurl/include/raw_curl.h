#ifndef RAW_CURL_H
#define RAW_CURL_H

#include <stdint.h>

// Loads `url` `count` times over at most `connections` at once, with libcurl and nothing else, dropping what comes.
// Returns the seconds it took; negative if anything failed. `received` is the number of bytes.
double raw_curl_load(const char *url, const char *authorities, long connections, long count, int64_t *received);

#endif

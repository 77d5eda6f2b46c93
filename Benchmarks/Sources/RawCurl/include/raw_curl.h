#ifndef RAW_CURL_H
#define RAW_CURL_H

#include <stdbool.h>
#include <stdint.h>

// Loads `url` `count` times over at most `connections` at once, with libcurl and nothing else. Each body is put into
// memory of its own, which lives until it is whole, if it `keeps` them; else it is dropped as it comes.
// `authorities` is a file of those to trust, or NULL. Returns the seconds it took; negative if anything failed.
// `received` is the number of bytes.
double raw_curl_load(
    const char *url, const char *authorities, bool keeps, long connections, long count, int64_t *received);

#endif

#include "raw_curl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <time.h>

static size_t drop(char *bytes, size_t size, size_t count, void *received) {
  (void)bytes;
  *(int64_t *)received += (int64_t)(size * count);
  return size * count;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double raw_curl_load(const char *url, const char *authorities, long connections, long count, int64_t *received) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  CURL **easy = calloc((size_t)connections, sizeof *easy);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
  *received = 0;
  long started = 0, ended = 0, failed = 0;
  double start = now();
  for (long index = 0; index < connections; index++) {
    easy[index] = curl_easy_init();
    curl_easy_setopt(easy[index], CURLOPT_URL, url);
    curl_easy_setopt(easy[index], CURLOPT_PROXY, "");
    if (authorities) curl_easy_setopt(easy[index], CURLOPT_CAINFO, authorities);
    curl_easy_setopt(easy[index], CURLOPT_BUFFERSIZE, 64L * 1024);
    curl_easy_setopt(easy[index], CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy[index], CURLOPT_WRITEDATA, received);
    if (started < count) curl_multi_add_handle(multi, easy[index]), started++;
  }
  while (ended < count && failed == 0) {
    int running = 0, left = 0;
    if (curl_multi_perform(multi, &running) != CURLM_OK) failed++;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      if (message->msg != CURLMSG_DONE) continue;
      if (message->data.result != CURLE_OK) failed++;
      CURL *handle = message->easy_handle;
      curl_multi_remove_handle(multi, handle);
      ended++;
      if (started < count) curl_multi_add_handle(multi, handle), started++;
    }
    if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  double took = now() - start;
  for (long index = 0; index < connections; index++) {
    curl_multi_remove_handle(multi, easy[index]);
    curl_easy_cleanup(easy[index]);
  }
  curl_multi_cleanup(multi);
  free(easy);
  return failed ? -1 : took;
}

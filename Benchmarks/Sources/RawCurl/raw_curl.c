#include "raw_curl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct load {
  CURL *easy;
  char *bytes;
  size_t count, room;
} load;

// In memory of its own, as much as is announced, as whoever loads pictures wants it.
static size_t keep(char *bytes, size_t size, size_t count, void *owner) {
  load *load = owner;
  size_t length = size * count;
  if (load->count + length > load->room) {
    curl_off_t announced = 0;
    curl_easy_getinfo(load->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    size_t room = load->room == 0 && announced > 0 ? (size_t)announced : 2 * (load->count + length);
    char *moved = realloc(load->bytes, room);
    if (moved == NULL) return 0;
    load->bytes = moved, load->room = room;
  }
  memcpy(load->bytes + load->count, bytes, length);
  load->count += length;
  return length;
}

static size_t drop(char *bytes, size_t size, size_t count, void *owner) {
  (void)bytes;
  ((load *)owner)->count += size * count;
  return size * count;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double raw_curl_load(
    const char *url, const char *authorities, bool keeps, long connections, long count, int64_t *received) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  load *loads = calloc((size_t)connections, sizeof *loads);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
  *received = 0;
  long started = 0, ended = 0, failed = 0;
  double start = now();
  for (long index = 0; index < connections; index++) {
    CURL *easy = loads[index].easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    // As ours does, so that both requests have the same headers.
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "StreamImages");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
    if (authorities != NULL) curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L * 1024);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keeps ? keep : drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &loads[index]);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &loads[index]);
    if (started < count) curl_multi_add_handle(multi, easy), started++;
  }
  while (ended < count && failed == 0) {
    int running = 0, left = 0;
    if (curl_multi_perform(multi, &running) != CURLM_OK) failed++;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      if (message->msg != CURLMSG_DONE) continue;
      if (message->data.result != CURLE_OK) failed++;
      CURL *easy = message->easy_handle;
      load *load = NULL;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&load);
      *received += (int64_t)load->count;
      free(load->bytes);
      load->bytes = NULL, load->count = load->room = 0;
      curl_multi_remove_handle(multi, easy);
      ended++;
      if (started < count) curl_multi_add_handle(multi, easy), started++;
    }
    if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  double took = now() - start;
  for (long index = 0; index < connections; index++) {
    curl_multi_remove_handle(multi, loads[index].easy);
    curl_easy_cleanup(loads[index].easy);
    free(loads[index].bytes);
  }
  curl_multi_cleanup(multi);
  free(loads);
  return failed ? -1 : took;
}

#ifndef TRANSPORT_SHARED_H
#define TRANSPORT_SHARED_H

#include <curl/curl.h>

#include "transport.h"

struct transport_session {
  CURLM *multi;
};

struct transport_transfer {
  CURL *easy;
  CURLM *multi; // while it runs
  struct curl_slist *headers;
  transport_callbacks callbacks;
  char message[CURL_ERROR_SIZE];
};

transport_outcome transport_outcome_of(CURLcode code);

#endif

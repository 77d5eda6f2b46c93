#ifndef TRANSPORT_SHARED_H
#define TRANSPORT_SHARED_H

#include <curl/curl.h>

#include "transport.h"

enum { transport_spare_count = 16, transport_usual_weight = 16 };

struct transport_session {
  CURLM *multi;
  // TLS sessions of its transfers: a connection to where there was one before saves a way there and back, or a signature.
  CURLSH *share;
  struct curl_slist *headers;
  // What was given back: setting up a transfer from nothing takes longer than a small answer does.
  transport_transfer *spares[transport_spare_count];
  int spares_in_stock;
};

struct transport_transfer {
  CURL *easy;
  transport_session *session;
  bool runs;
  bool ended_well;
  bool is_set_up; // as all transfers of the session are
  bool is_special; // in what only a full reset undoes
  bool uses_http2;
  bool waits_for_connection;
  int weight;
  struct curl_slist *headers;
  transport_callbacks callbacks;
  char message[CURL_ERROR_SIZE];
};

// `message` is what libcurl says of it.
transport_outcome transport_outcome_of(CURLcode code, const char *message);
void transport_transfer_destroy(transport_transfer *transfer);

#endif

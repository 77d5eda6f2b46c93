#ifndef TRANSPORT_SHARED_H
#define TRANSPORT_SHARED_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

#include "transport.h"

enum { transport_spare_count = 16, transport_flood_count = 16 };

// A socket that libcurl has open, from its creation until it is closed.
typedef struct transport_connection {
  int64_t identity;
  curl_socket_t descriptor;
  // Unknown until the first request.
  int local_port;
  int remote_port;
  char remote[INET6_ADDRSTRLEN];
  unsigned silence;
  bool was_used;
  // What libcurl had read of it when it was looked at last.
  uint64_t consumed;
} transport_connection;

struct transport_session {
  CURLM *multi;
  // TLS sessions of its transfers: a connection to where there was one before saves a way there and back, or a signature.
  CURLSH *share;
  struct curl_slist *settings[transport_setting_authorities + 1];
  // What was given back: setting up a transfer from nothing takes longer than a small answer does.
  transport_transfer *spares[transport_spare_count];
  int spares_in_stock;
  // Guards the connections: another thread may end one that floods, and must not meet a descriptor that was given to a file.
  pthread_mutex_t lock;
  transport_connection *connections;
  int connection_count, connection_room;
  // The last connections that were ended because of a flood. They are closed before their transfers report it.
  int64_t flooded[transport_flood_count];
  int flood_count;
  // Bytes that callbacks have received.
  _Atomic uint64_t delivered;
  uint64_t delivered_before;
};

struct transport_transfer {
  CURL *easy;
  transport_session *session;
  bool runs;
  bool ended_well;
  bool is_set_up; // as all transfers of the session are
  bool is_special; // in what only a full reset undoes
  transport_options options;
  int64_t connection;
  bool was_flooded;
  int socket_error;
  struct curl_slist *headers;
  transport_callbacks callbacks;
  char message[CURL_ERROR_SIZE];
};

// `message` is what libcurl says of it.
transport_outcome transport_outcome_of(CURLcode code, const char *message);
// -1 with `errno` set. Connections that are opened so are closed by `transport_connection_close`.
curl_socket_t transport_connection_open(
    transport_session *session, const struct curl_sockaddr *address, const void *bytes, uint16_t port);
int transport_connection_close(void *session, curl_socket_t descriptor);
// Also tells the system how long it may be silent. NULL if it is not known.
transport_connection *transport_connection_find(
    transport_session *session, const char *remote, int remote_port, int local_port, unsigned silence);
// Once, after libcurl is set up.
void transport_connection_prepare(void);
bool transport_connection_has_unread(const transport_connection *connection, CURL *easy);
bool transport_connection_is_flooded(transport_session *session, int64_t identity);
void transport_transfer_destroy(transport_transfer *transfer);
// False when memory is short; the list remains then.
bool transport_append(struct curl_slist **list, const char *text);

#endif

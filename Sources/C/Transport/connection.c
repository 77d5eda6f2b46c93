#define _GNU_SOURCE
#include "shared.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/tcp.h>
#else
#include <netinet/tcp.h>
#endif

// A turn is a flood if libcurl reads this much of a connection between two looks, and callbacks get a small part of it.
static const uint64_t flood_size = 256 * 1024;

// Of all sessions, so that none that replaces another one gives out its numbers again.
static _Atomic int64_t last_identity;

static curl_socket_t open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  curl_socket_t opened = socket(address->family, address->socktype, address->protocol);
  if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
  return opened;
#endif
}

static void set(curl_socket_t descriptor, int level, int option, int value) {
  setsockopt(descriptor, level, option, &value, sizeof value);
}

// Finds out that the other end is gone while nothing is sent: after about 25 seconds.
static void keep_alive(curl_socket_t descriptor) {
  set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
#ifdef TCP_KEEPIDLE
  set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 3);
#endif
}

static bool make_room(transport_session *session) {
  if (session->connection_count < session->connection_room) return true;
  int room = session->connection_room * 2 + 8;
  transport_connection *moved = realloc(session->connections, (size_t)room * sizeof *moved);
  if (moved == NULL) return false;
  session->connections = moved, session->connection_room = room;
  return true;
}

curl_socket_t transport_connection_open(
    transport_session *session, const struct curl_sockaddr *address, const void *bytes, uint16_t port) {
  curl_socket_t opened = open_socket(address);
  if (opened < 0) return CURL_SOCKET_BAD;
  keep_alive(opened);
  transport_connection connection = {
      .identity = atomic_fetch_add(&last_identity, 1) + 1, .descriptor = opened, .remote_port = port};
  inet_ntop(address->family, bytes, connection.remote, sizeof connection.remote);
  pthread_mutex_lock(&session->lock);
  bool has_room = make_room(session);
  if (has_room) session->connections[session->connection_count++] = connection;
  pthread_mutex_unlock(&session->lock);
  if (has_room) return opened;
  close(opened);
  errno = ENOMEM;
  return CURL_SOCKET_BAD;
}

int transport_connection_close(void *owner, curl_socket_t descriptor) {
  transport_session *session = owner;
  pthread_mutex_lock(&session->lock);
  for (int index = session->connection_count - 1; index >= 0; index--) {
    if (session->connections[index].descriptor != descriptor) continue;
    session->connections[index] = session->connections[--session->connection_count];
  }
  int result = close(descriptor);
  pthread_mutex_unlock(&session->lock);
  return result;
}

static int local_port(curl_socket_t descriptor) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
  return ntohs(
      address.ss_family == AF_INET ? ((struct sockaddr_in *)&address)->sin_port
                                   : ((struct sockaddr_in6 *)&address)->sin6_port);
}

// Of a request without an answer of the other system, libcurl notices nothing for a quarter of an hour.
static void limit_silence(transport_connection *connection, unsigned silence) {
#ifdef TCP_USER_TIMEOUT
  if (connection->silence == silence) return;
  connection->silence = silence;
  set(connection->descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)silence);
#else
  (void)connection, (void)silence;
#endif
}

// Called on the session's thread, which alone changes the list, so without the lock.
transport_connection *transport_connection_find(
    transport_session *session, const char *remote, int remote_port, int port, unsigned silence) {
  for (int index = 0; index < session->connection_count; index++) {
    transport_connection *connection = &session->connections[index];
    if (connection->remote_port != remote_port || strcmp(connection->remote, remote) != 0) continue;
    if (connection->local_port == 0) connection->local_port = local_port(connection->descriptor);
    if (connection->local_port != port) continue;
    limit_silence(connection, silence);
    return connection;
  }
  return NULL;
}

// libcurl links the TLS library, and does not say how to ask it.
static int (*openssl_has_pending)(const void *);
static size_t (*gnutls_pending)(void *);

void transport_connection_prepare(void) {
  *(void **)&openssl_has_pending = dlsym(RTLD_DEFAULT, "SSL_has_pending");
  *(void **)&gnutls_pending = dlsym(RTLD_DEFAULT, "gnutls_record_check_pending");
}

// The rest of a record that libcurl has read a part of is in the TLS library, and the socket does not show it. Where that cannot be
// asked, there may be something.
static bool has_decrypted(CURL *easy) {
  struct curl_tlssessioninfo *tls = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK || tls == NULL) return true;
  if (tls->internals == NULL) return false;
  switch (tls->backend) {
  case CURLSSLBACKEND_OPENSSL: return openssl_has_pending == NULL || openssl_has_pending(tls->internals) != 0;
  case CURLSSLBACKEND_GNUTLS: return gnutls_pending == NULL || gnutls_pending(tls->internals) != 0;
  default: return true;
  }
}

bool transport_connection_has_unread(const transport_connection *connection, CURL *easy) {
  struct pollfd socket = {.fd = connection->descriptor, .events = POLLIN};
  return poll(&socket, 1, 0) != 0 || has_decrypted(easy);
}

bool transport_connection_is_flooded(transport_session *session, int64_t identity) {
  bool is_flooded = false;
  pthread_mutex_lock(&session->lock);
  for (int index = 0; identity != 0 && index < transport_flood_count; index++) {
    is_flooded = is_flooded || session->flooded[index] == identity;
  }
  pthread_mutex_unlock(&session->lock);
  return is_flooded;
}

static curl_socket_t descriptor_of(const transport_session *session, int64_t identity) {
  for (int index = 0; index < session->connection_count; index++) {
    if (session->connections[index].identity == identity) return session->connections[index].descriptor;
  }
  return CURL_SOCKET_BAD;
}

void transport_session_break(transport_session *session, int64_t identity) {
  shutdown(descriptor_of(session, identity), SHUT_RDWR);
}

#ifdef __linux__
static bool look(curl_socket_t descriptor, struct tcp_info *info) {
  socklen_t size = sizeof *info;
  return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &size) == 0;
}

int64_t transport_session_silence(transport_session *session, int64_t identity) {
  struct tcp_info info = {0};
  return look(descriptor_of(session, identity), &info) ? (int64_t)info.tcpi_last_data_recv : -1;
}

// What was received, without what still waits to be read.
static uint64_t consumed(curl_socket_t descriptor) {
  struct tcp_info info = {0};
  int unread = 0;
  if (!look(descriptor, &info) || ioctl(descriptor, FIONREAD, &unread) != 0) return 0;
  uint64_t received = info.tcpi_bytes_received;
  return received > (uint64_t)unread ? received - (uint64_t)unread : 0;
}
#else
int64_t transport_session_silence(transport_session *session, int64_t identity) { return -1; }
static uint64_t consumed(curl_socket_t descriptor) { return 0; }
#endif

int transport_session_end_floods(transport_session *session, bool is_first) {
  int count = 0;
  uint64_t delivered = atomic_load_explicit(&session->delivered, memory_order_relaxed);
  uint64_t useful = delivered - session->delivered_before;
  session->delivered_before = delivered;
  pthread_mutex_lock(&session->lock);
  for (int index = 0; index < session->connection_count; index++) {
    transport_connection *connection = &session->connections[index];
    uint64_t now = consumed(connection->descriptor), read = now - connection->consumed;
    connection->consumed = now;
    if (is_first || now < read || read < flood_size || useful > read / 8) continue;
    session->flooded[session->flood_count++ % transport_flood_count] = connection->identity;
    shutdown(connection->descriptor, SHUT_RDWR);
    count++;
  }
  pthread_mutex_unlock(&session->lock);
  return count;
}

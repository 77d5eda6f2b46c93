#include "shared.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const long a_day = 24L * 60 * 60 * 1000;

static void count_delivered(transport_session *session, size_t length) {
  // Only this thread writes, so no other write can come between.
  uint64_t before = atomic_load_explicit(&session->delivered, memory_order_relaxed);
  atomic_store_explicit(&session->delivered, before + length, memory_order_relaxed);
}

static size_t on_head_line(char *bytes, size_t size, size_t count, void *owner) {
  transport_transfer *transfer = owner;
  size_t length = size * count;
  count_delivered(transfer->session, length);
  return transfer->callbacks.head_line(transfer->callbacks.context, bytes, length) ? length : length + 1;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *owner) {
  transport_transfer *transfer = owner;
  size_t length = size * count;
  const uint8_t *body = (const uint8_t *)bytes;
  count_delivered(transfer->session, length);
  return transfer->callbacks.body(transfer->callbacks.context, body, length) ? length : length + 1;
}

static int on_will_send(void *owner, char *remote, char *local, int remote_port, int local_port) {
  (void)local;
  transport_transfer *transfer = owner;
  // libcurl 7 counts what has passed until now if it has to connect again to repeat the request.
  curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, a_day);
  transport_connection *connection =
      transport_connection_find(transfer->session, remote, remote_port, local_port, transfer->options.silence_milliseconds);
  transfer->connection = connection == NULL ? 0 : connection->identity;
  bool has_unread = connection != NULL && connection->was_used && transport_connection_has_unread(connection, transfer->easy);
  if (connection != NULL) connection->was_used = true;
  transport_sending sending = transfer->callbacks.will_send(transfer->callbacks.context, transfer->connection, has_unread);
  // libcurl would keep one of HTTP/2.
  if (sending == transport_sending_close) transport_session_break(transfer->session, transfer->connection);
  return sending == transport_sending_go ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

// Here, and not when the name is resolved, so that an answer cannot change between the check and the use.
static curl_socket_t on_open_socket(void *owner, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  transport_transfer *transfer = owner;
  const uint8_t *bytes = NULL;
  size_t count = 0;
  uint16_t port = 0;
  if (address->family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->addr;
    bytes = (const uint8_t *)&v4->sin_addr, count = 4, port = ntohs(v4->sin_port);
  } else if (address->family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address->addr;
    bytes = (const uint8_t *)&v6->sin6_addr, count = 16, port = ntohs(v6->sin6_port);
  } else {
    return CURL_SOCKET_BAD;
  }
  const transport_callbacks *callbacks = &transfer->callbacks;
  if (!callbacks->may_connect(callbacks->context, bytes, count, port)) return CURL_SOCKET_BAD;
  curl_socket_t opened = transport_connection_open(transfer->session, address, bytes, port);
  transfer->socket_error = opened < 0 ? errno : 0;
  return opened;
}

#define SET(option, value) \
  if (curl_easy_setopt(easy, option, value) != CURLE_OK) return false

static bool configure(transport_transfer *transfer) {
  CURL *easy = transfer->easy;
  SET(CURLOPT_ERRORBUFFER, transfer->message);
  SET(CURLOPT_PRIVATE, transfer);
  SET(CURLOPT_SHARE, transfer->session->share);
#if LIBCURL_VERSION_NUM >= 0x075500
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
  SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  struct curl_slist *const *settings = transfer->session->settings;
  const struct curl_slist *authorities = settings[transport_setting_authorities];
  if (authorities != NULL) {
    // Some systems build libcurl with a folder of authorities as well. It would be trusted beside the file.
    SET(CURLOPT_CAINFO, authorities->data);
    SET(CURLOPT_CAPATH, NULL);
  }
#if LIBCURL_VERSION_NUM >= 0x075700
  // libcurl reads the system's file of authorities once for a session, and not for each connection, unless it also knows a folder
  // of them. Both have the same, so the folder is left out where there is the file: it would cost ten times the handshake.
  char *file = NULL;
  curl_easy_getinfo(easy, CURLINFO_CAINFO, &file);
  if (authorities == NULL && file != NULL && access(file, R_OK) == 0) SET(CURLOPT_CAPATH, NULL);
#endif
  const struct curl_slist *proxy = settings[transport_setting_proxy];
  if (proxy != NULL) {
    SET(CURLOPT_PROXY, proxy->data);
    // Otherwise the environment could still name hosts that need no proxy.
    SET(CURLOPT_NOPROXY, "");
  }
  SET(CURLOPT_SSL_VERIFYPEER, 1L);
  SET(CURLOPT_SSL_VERIFYHOST, 2L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // What is coded without having been asked for is handed out as it comes.
  SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  SET(CURLOPT_RESOLVE, settings[transport_setting_addresses]);
#if LIBCURL_VERSION_NUM >= 0x075700
  // Otherwise removing a transfer waits for its name to be resolved, and every other transfer with it.
  SET(CURLOPT_QUICK_EXIT, 1L);
#endif
  // Larger ones are faster by nothing, but as they come and go the heap gives its end back, and gets it again.
  SET(CURLOPT_BUFFERSIZE, 32L * 1024);
  SET(CURLOPT_HEADERFUNCTION, on_head_line);
  SET(CURLOPT_HEADERDATA, transfer);
  SET(CURLOPT_WRITEFUNCTION, on_body);
  SET(CURLOPT_WRITEDATA, transfer);
  SET(CURLOPT_PREREQFUNCTION, on_will_send);
  SET(CURLOPT_PREREQDATA, transfer);
  SET(CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  SET(CURLOPT_OPENSOCKETDATA, transfer);
  SET(CURLOPT_CLOSESOCKETFUNCTION, transport_connection_close);
  SET(CURLOPT_CLOSESOCKETDATA, transfer->session);
  return true;
}

static transport_transfer *fresh(void) {
  transport_transfer *transfer = calloc(1, sizeof *transfer);
  if (transfer == NULL) return NULL;
  transfer->easy = curl_easy_init();
  if (transfer->easy != NULL) return transfer;
  free(transfer);
  return NULL;
}

transport_transfer *transport_transfer_make(
    transport_session *session, const char *url, transport_callbacks callbacks) {
  transport_transfer *transfer =
      session->spares_in_stock > 0 ? session->spares[--session->spares_in_stock] : fresh();
  if (transfer == NULL) return NULL;
  transfer->session = session;
  transfer->callbacks = callbacks;
  bool is_ready = (transfer->is_set_up || configure(transfer))
      && curl_easy_setopt(transfer->easy, CURLOPT_URL, url) == CURLE_OK;
  if (is_ready) return transfer;
  transport_transfer_destroy(transfer);
  return NULL;
}

bool transport_transfer_is_set_up(const transport_transfer *transfer) { return transfer->is_set_up; }

bool transport_transfer_send(transport_transfer *transfer, const char *method, const void *body, int64_t count) {
  CURL *easy = transfer->easy;
  transfer->is_special = true;
  SET(CURLOPT_CUSTOMREQUEST, method);
  if (count < 0) return true;
  SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  SET(CURLOPT_COPYPOSTFIELDS, count > 0 ? body : "");
  return true;
}

bool transport_append(struct curl_slist **list, const char *text) {
  struct curl_slist *longer = curl_slist_append(*list, text);
  if (longer != NULL) *list = longer;
  return longer != NULL;
}

bool transport_transfer_add_header(transport_transfer *transfer, const char *line) {
  return transport_append(&transfer->headers, line);
}

bool transport_transfer_start(transport_transfer *transfer, transport_options options) {
  CURL *easy = transfer->easy;
  transfer->is_special = transfer->is_special || options.is_head_only || options.accepts_coding;
  if (options.is_head_only) SET(CURLOPT_NOBODY, 1L);
  if (options.accepts_coding) {
    // Decoding multiplies what one read delivers; the small buffer keeps that within the ratio that is checked.
    SET(CURLOPT_BUFFERSIZE, 16L * 1024);
    SET(CURLOPT_HTTP_CONTENT_DECODING, 1L);
    SET(CURLOPT_ACCEPT_ENCODING, "");
  }
  if (transfer->options.uses_http2 != options.uses_http2) {
    SET(CURLOPT_HTTP_VERSION, (long)(options.uses_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  }
  if (transfer->options.waits_for_connection != options.waits_for_connection) {
    SET(CURLOPT_PIPEWAIT, (long)options.waits_for_connection);
  }
  transfer->options = options;
  SET(CURLOPT_CONNECTTIMEOUT_MS, options.connecting_milliseconds);
  // Without HTTP/2 in libcurl, nothing is shared out.
  CURLcode code = curl_easy_setopt(easy, CURLOPT_STREAM_WEIGHT, (long)options.weight);
  if (code != CURLE_OK && code != CURLE_NOT_BUILT_IN && code != CURLE_UNKNOWN_OPTION) return false;
  SET(CURLOPT_HTTPHEADER,
      options.has_own_headers ? transfer->headers : transfer->session->settings[transport_setting_header]);
  transfer->is_set_up = true;
  transfer->runs = curl_multi_add_handle(transfer->session->multi, easy) == CURLM_OK;
  return transfer->runs;
}

void transport_transfer_destroy(transport_transfer *transfer) {
  curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  free(transfer);
}

void transport_transfer_free(transport_transfer *transfer) {
  if (transfer == NULL) return;
  transport_session *session = transfer->session;
  if (transfer->runs) curl_multi_remove_handle(session->multi, transfer->easy);
  transfer->runs = false;
  // One that was stopped half-way may have something left of it inside. And libcurl 7.88 refuses to set up anew what may
  // have shared a connection.
  bool is_lost = transfer->is_special && transfer->options.waits_for_connection;
  if (!transfer->ended_well || is_lost || session->spares_in_stock == transport_spare_count) {
    transport_transfer_destroy(transfer);
    return;
  }
  // Nothing of one request may get into another.
  if (transfer->is_special) {
    curl_easy_reset(transfer->easy);
    transfer->is_special = transfer->is_set_up = transfer->options.uses_http2 = false;
  } else if (transfer->headers != NULL) {
    curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, NULL);
  }
  curl_slist_free_all(transfer->headers);
  transfer->headers = NULL;
  transfer->message[0] = 0;
  transfer->ended_well = transfer->was_flooded = false;
  transfer->connection = transfer->socket_error = 0;
  session->spares[session->spares_in_stock++] = transfer;
}

void transport_transfer_pause(transport_transfer *transfer, bool paused) {
  curl_easy_pause(transfer->easy, paused ? CURLPAUSE_RECV : CURLPAUSE_CONT);
}

int64_t transport_transfer_wire_bytes(const transport_transfer *transfer) {
  curl_off_t count = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_SIZE_DOWNLOAD_T, &count);
  return count;
}

transport_failure transport_transfer_failure(const transport_transfer *transfer) {
  return (transport_failure){transfer->message, transfer->socket_error, transfer->was_flooded};
}

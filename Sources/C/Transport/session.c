#include "shared.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode initialised = CURLE_FAILED_INIT;

// glibc gives the end of a heap back whenever 128 KB are free there, and gets it again page by page: with bodies and
// buffers that come and go, twice for each load. Of a program that has let go of a larger block it supposes that others
// will follow, and keeps up to twice that much; see mallopt(3), M_MMAP_THRESHOLD. Whoever decodes pictures has.
static void keep_heap(void) {
  void *volatile block = malloc(1 << 19);
  free(block);
}

static void initialise(void) {
  keep_heap();
  initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  transport_connection_prepare();
}

transport_session *transport_session_make(
    long idle_connections, bool multiplexes, long host_connections, long streams) {
  pthread_once(&once, initialise);
  if (initialised != CURLE_OK) return NULL;
  transport_session *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  session->multi = curl_multi_init();
  // Without a descriptor for it, libcurl makes a handle that nothing can wake.
  if (session->multi == NULL || curl_multi_wakeup(session->multi) != CURLM_OK) {
    if (session->multi != NULL) curl_multi_cleanup(session->multi);
    free(session);
    return NULL;
  }
  pthread_mutex_init(&session->lock, NULL);
  // All on one thread, so without locks; and without it if memory is short.
  session->share = curl_share_init();
  curl_share_setopt(session->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  curl_multi_setopt(session->multi, CURLMOPT_MAXCONNECTS, idle_connections);
  curl_multi_setopt(session->multi, CURLMOPT_PIPELINING, (long)(multiplexes ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING));
  if (multiplexes) {
    curl_multi_setopt(session->multi, CURLMOPT_MAX_HOST_CONNECTIONS, host_connections);
    curl_multi_setopt(session->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, streams);
  }
  return session;
}

void transport_session_free(transport_session *session) {
  if (session == NULL) return;
  while (session->spares_in_stock > 0) transport_transfer_destroy(session->spares[--session->spares_in_stock]);
  curl_multi_cleanup(session->multi);
  curl_share_cleanup(session->share);
  for (int setting = 0; setting <= transport_setting_authorities; setting++) {
    curl_slist_free_all(session->settings[setting]);
  }
  pthread_mutex_destroy(&session->lock);
  free(session->connections);
  free(session);
}

bool transport_session_add(transport_session *session, transport_setting setting, const char *text) {
  return transport_append(&session->settings[setting], text);
}

void transport_session_wake(transport_session *session) { curl_multi_wakeup(session->multi); }

bool transport_session_perform(transport_session *session) {
  int running = 0;
  return curl_multi_perform(session->multi, &running) == CURLM_OK;
}

int transport_session_wait(transport_session *session, int milliseconds) {
  int ready = 0;
  return curl_multi_poll(session->multi, NULL, 0, milliseconds, &ready) == CURLM_OK ? ready : -1;
}

void *transport_session_next_ended(transport_session *session, transport_outcome *outcome) {
  int remaining = 0;
  const CURLMsg *message = curl_multi_info_read(session->multi, &remaining);
  while (message != NULL && message->msg != CURLMSG_DONE) {
    message = curl_multi_info_read(session->multi, &remaining);
  }
  if (message == NULL) return NULL;
  char *owner = NULL;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
  transport_transfer *transfer = (transport_transfer *)owner;
  transfer->ended_well = message->data.result == CURLE_OK;
  transfer->was_flooded = transport_connection_is_flooded(session, transfer->connection);
  *outcome = transport_outcome_of(message->data.result, transfer->message);
  // Over HTTP/2, libcurl would send further requests on it, and never read their responses.
  if (*outcome == transport_outcome_head_too_large) transport_session_break(session, transfer->connection);
  return transfer->callbacks.context;
}

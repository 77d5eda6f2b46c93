#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

// libcurl says which sockets it waits for, and is told which of them are ready: so a turn costs what happens in it, and
// not what there is. poll, since there are few: its list changes without a call of the system.

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode initialised = CURLE_FAILED_INIT;

static void initialise(void) { initialised = curl_global_init(CURL_GLOBAL_DEFAULT); }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// What is waited for

static struct pollfd *watch_of(transport_session *session, curl_socket_t socket) {
  for (int index = 1; index < session->watch_count; index++) {
    if (session->watches[index].fd == socket) return &session->watches[index];
  }
  return NULL;
}

static bool grow(transport_session *session) {
  int room = session->watch_room == 0 ? 16 : 2 * session->watch_room;
  struct pollfd *watches = realloc(session->watches, (size_t)room * sizeof *watches);
  if (watches == NULL) return false;
  session->watches = watches;
  struct pollfd *ready = realloc(session->ready, (size_t)room * sizeof *ready);
  if (ready == NULL) return false;
  session->ready = ready;
  session->watch_room = room;
  return true;
}

static int on_watch(CURL *easy, curl_socket_t socket, int what, void *owner, void *unused) {
  (void)easy, (void)unused;
  transport_session *session = owner;
  struct pollfd *watch = watch_of(session, socket);
  if (what == CURL_POLL_REMOVE) {
    if (watch != NULL) *watch = session->watches[--session->watch_count];
    return 0;
  }
  if (watch == NULL) {
    if (session->watch_count == session->watch_room && !grow(session)) return -1;
    watch = &session->watches[session->watch_count++];
  }
  short events = what == CURL_POLL_IN ? POLLIN : what == CURL_POLL_OUT ? POLLOUT : POLLIN | POLLOUT;
  *watch = (struct pollfd){.fd = socket, .events = events};
  return 0;
}

static int on_timer(CURLM *multi, long milliseconds, void *owner) {
  (void)multi;
  transport_session *session = owner;
  session->has_timer = milliseconds >= 0;
  if (milliseconds >= 0) session->timer = milliseconds == 0 ? 0 : now() + milliseconds;
  return 0;
}

static bool open_wake(transport_session *session) {
#ifdef __linux__
  session->wake_out = session->wake_in = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return session->wake_in >= 0;
#else
  int ends[2];
  if (pipe(ends) != 0) return false;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
  session->wake_out = ends[0], session->wake_in = ends[1];
  return true;
#endif
}

// Made and freed

transport_session *transport_session_make(long idle_connections, bool multiplexes) {
  pthread_once(&once, initialise);
  if (initialised != CURLE_OK) return NULL;
  transport_session *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  session->wake_in = session->wake_out = -1;
  session->multi = curl_multi_init();
  if (session->multi == NULL || !grow(session) || !open_wake(session)) {
    transport_session_free(session);
    return NULL;
  }
  session->watches[session->watch_count++] = (struct pollfd){.fd = session->wake_out, .events = POLLIN};
  CURLM *multi = session->multi;
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, idle_connections);
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)(multiplexes ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING));
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_watch);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, session);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, session);
  return session;
}

void transport_session_free(transport_session *session) {
  if (session == NULL) return;
  while (session->spares_in_stock > 0) transport_transfer_destroy(session->spares[--session->spares_in_stock]);
  if (session->multi != NULL) curl_multi_cleanup(session->multi);
  if (session->wake_in >= 0) close(session->wake_in);
  if (session->wake_out >= 0 && session->wake_out != session->wake_in) close(session->wake_out);
  free(session->watches);
  free(session->ready);
  free(session);
}

// Used

void transport_session_wake(transport_session *session) {
  // Eight bytes, which an event descriptor wants. If there is no room, it has been woken already.
  uint64_t one = 1;
  ssize_t written = write(session->wake_in, &one, sizeof one);
  (void)written;
}

bool transport_session_wait(transport_session *session, int milliseconds) {
  if (session->has_timer) {
    int64_t left = session->timer == 0 ? 0 : session->timer - now();
    if (left < milliseconds) milliseconds = left < 0 ? 0 : (int)left;
  }
  session->ready_count = 0;
  int found = poll(session->watches, (nfds_t)session->watch_count, milliseconds);
  if (found < 0) return errno == EINTR || errno == EAGAIN;
  for (int index = 0; index < session->watch_count && found > 0; index++) {
    struct pollfd watch = session->watches[index];
    if (watch.revents == 0) continue;
    found--;
    // Copied out, since libcurl changes the list while it is told.
    if (index > 0) {
      session->ready[session->ready_count++] = watch;
      continue;
    }
    char scrap[64];
    while (read(session->wake_out, scrap, sizeof scrap) == sizeof scrap) {}
  }
  return true;
}

// An end or an error is found by reading or writing, after what came before it.
static int readiness(struct pollfd watch) {
  if (watch.revents & POLLNVAL) return CURL_CSELECT_ERR;
  int mask = 0;
  short broken = watch.revents & (POLLERR | POLLHUP);
  if ((watch.revents & POLLIN) || (broken && (watch.events & POLLIN))) mask |= CURL_CSELECT_IN;
  if ((watch.revents & POLLOUT) || (broken && (watch.events & POLLOUT))) mask |= CURL_CSELECT_OUT;
  return mask;
}

static bool is_due(const transport_session *session) {
  return session->has_timer && (session->timer == 0 || session->timer <= now());
}

bool transport_session_has_work(const transport_session *session) {
  return session->ready_count > 0 || is_due(session);
}

bool transport_session_perform(transport_session *session) {
  int running = 0;
  bool is_sound = true;
  for (int index = 0; index < session->ready_count && is_sound; index++) {
    struct pollfd watch = session->ready[index];
    is_sound = curl_multi_socket_action(session->multi, watch.fd, readiness(watch), &running) == CURLM_OK;
  }
  session->ready_count = 0;
  if (is_sound && is_due(session)) {
    session->has_timer = false;
    is_sound = curl_multi_socket_action(session->multi, CURL_SOCKET_TIMEOUT, 0, &running) == CURLM_OK;
  }
  return is_sound;
}

void *transport_session_next_ended(transport_session *session, transport_outcome *outcome) {
  int remaining = 0;
  const CURLMsg *message = curl_multi_info_read(session->multi, &remaining);
  while (message != NULL && message->msg != CURLMSG_DONE) {
    message = curl_multi_info_read(session->multi, &remaining);
  }
  if (message == NULL) return NULL;
  *outcome = transport_outcome_of(message->data.result);
  char *owner = NULL;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
  transport_transfer *transfer = (transport_transfer *)owner;
  transfer->ended_well = message->data.result == CURLE_OK;
  return transfer->callbacks.context;
}

#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What Swift sees of libcurl: its multi interface without its variadic functions, and without its header.
// A session and its transfers belong to one thread; only `transport_session_wake` and `transport_session_end_floods` may be
// called from others.

typedef struct transport_session transport_session;
typedef struct transport_transfer transport_transfer;
typedef struct transport_thread transport_thread;

typedef enum __attribute__((enum_extensibility(closed))) transport_outcome {
  transport_outcome_done,
  transport_outcome_stopped,          // a callback asked for it
  transport_outcome_bad_url,
  transport_outcome_cannot_resolve,
  transport_outcome_cannot_connect,
  transport_outcome_tls,
  transport_outcome_no_authorities,   // their file cannot be read
  transport_outcome_partial,          // the body ended before its announced end
  transport_outcome_lost,             // the connection broke
  transport_outcome_violation,        // not HTTP as agreed
  transport_outcome_bad_location,     // a redirect with two addresses
  transport_outcome_head_too_large,   // above a limit of libcurl's own
  transport_outcome_bad_coding,
  transport_outcome_timed_out,
  transport_outcome_no_memory,
  transport_outcome_other
} transport_outcome;

typedef enum __attribute__((enum_extensibility(closed))) transport_sending {
  transport_sending_go,
  transport_sending_stop,     // the transfer ends
  transport_sending_close     // the same, and its connection ends
} transport_sending;

typedef struct transport_callbacks {
  void *context;
  // One line of a head or a trailer, its end included. False stops the transfer.
  bool (*head_line)(void *context, const char *bytes, size_t count);
  // Bytes of the body, decoded if decoding was asked for. False stops the transfer.
  bool (*body)(void *context, const uint8_t *bytes, size_t count);
  // An address is about to be connected to: 4 or 16 bytes. False refuses it.
  bool (*may_connect)(void *context, const uint8_t *address, size_t count, uint16_t port);
  // The connection stands, the request is about to be sent. The number is never given to another connection;
  // 0 if it is not known. `has_unread`: whether something has arrived since its last request that was not read. Called again
  // before libcurl repeats a request, because a connection that has served before broke without a response.
  transport_sending (*will_send)(void *context, int64_t connection, bool has_unread);
} transport_callbacks;

// NULL when libcurl, memory or a descriptor is not to be had. `multiplexes`: whether HTTP/2 streams may share a connection, so many
// at most; then there are so many connections to a host at most, and who would need one more waits inside libcurl.
transport_session *transport_session_make(
    long idle_connections, bool multiplexes, long host_connections, long streams);
void transport_session_free(transport_session *session);
// One that goes out with each request that has no others, as below.
bool transport_session_add_header(transport_session *session, const char *line);
// Addresses of a name in place of those that the system knows, for tests: "name:port:address,address".
bool transport_session_add_addresses(transport_session *session, const char *line);
void transport_session_wake(transport_session *session);
// Runs whatever can run without waiting; callbacks happen here. False: the session is broken.
bool transport_session_perform(transport_session *session);
// Waits for sockets, timers of libcurl, a wake, or `milliseconds`. False: the session is broken.
bool transport_session_wait(transport_session *session, int milliseconds);
// Whether sockets have something to be read or written at once.
bool transport_session_has_more(transport_session *session);
// Ends a connection: it serves nobody any more, and libcurl finds it closed when it looks at it next.
void transport_session_break(transport_session *session, int64_t connection);
// How many milliseconds ago something arrived on a connection, whatever it was; -1 if the system does not say.
int64_t transport_session_silence(transport_session *session, int64_t connection);
// For a turn that does not end: ends the connections from which libcurl has read much since the last call, unless the
// callbacks have received much of it. `is_first`: only remembers what was read until now. Returns how many it has ended.
int transport_session_end_floods(transport_session *session, bool is_first);
// The context of a transfer that has ended since the last call, or NULL.
void *transport_session_next_ended(transport_session *session, transport_outcome *outcome);

// Settings come between `make` and `start`; each is false when memory or libcurl refuses.
transport_transfer *transport_transfer_make(
    transport_session *session, const char *url, transport_callbacks callbacks);
// Whether it has served before, and has what is set for all: the proxy and the authorities.
bool transport_transfer_is_set_up(const transport_transfer *transfer);
bool transport_transfer_ask_for_head_only(transport_transfer *transfer);
// Another method than GET and HEAD, with a body, which is copied; -1 for none at all.
bool transport_transfer_send(transport_transfer *transfer, const char *method, const void *body, int64_t count);
bool transport_transfer_accept_coding(transport_transfer *transfer);
// Whether HTTP/2 is asked for over TLS, and whether a connection to the same server that is being made is waited for, to be
// shared. Neither unless said so. For each transfer anew.
bool transport_transfer_set_http(transport_transfer *transfer, bool uses_http2, bool waits_for_connection);
// The time to connect: a day unless said so. An address that does not respond gets half of it if there are others. Time
// inside libcurl before the connection is begun counts as well, and none after it stands. For each transfer anew.
bool transport_transfer_set_connecting(transport_transfer *transfer, long milliseconds);
// How long bytes that were sent may stay without an acknowledgement by the system at the other end, where the system can tell.
// Counted once the connection stands. For each transfer anew.
void transport_transfer_set_silence(transport_transfer *transfer, unsigned milliseconds);
// 1 to 256, for servers that share out a connection as RFC 7540 says; 16 unless said so.
// For each transfer anew.
bool transport_transfer_set_weight(transport_transfer *transfer, int weight);
// Without it, the environment decides. "" means none. It is for all hosts, whatever the environment says.
bool transport_transfer_set_proxy(transport_transfer *transfer, const char *url);
// A PEM file in place of the system's authorities. Sessions keep what they have read, where libcurl can.
bool transport_transfer_set_authorities(transport_transfer *transfer, const char *path);
// "Name: value", or "Name;" for an empty value.
bool transport_transfer_add_header(transport_transfer *transfer, const char *line);
// With the headers that were added to it, or with those of the session.
bool transport_transfer_start(transport_transfer *transfer, bool has_own_headers);
// Also stops it when it runs: its connection is closed unless the answer was complete, or other streams can share it.
void transport_transfer_free(transport_transfer *transfer);
// From inside a callback too. Resuming may call `body` before it returns.
void transport_transfer_pause(transport_transfer *transfer, bool paused);
// Bytes of the body as they came over the wire, before decoding.
int64_t transport_transfer_wire_bytes(const transport_transfer *transfer);
// What libcurl said about a failure; empty if nothing. Lives as long as the transfer.
const char *transport_transfer_message(const transport_transfer *transfer);

// Why there was no socket, as an `errno`; 0 if there was one.
int transport_transfer_socket_error(const transport_transfer *transfer);
// Whether its connection was ended by `transport_session_end_floods`.
bool transport_transfer_was_flooded(const transport_transfer *transfer);

// A thread that takes no signals. NULL if it cannot be made.
transport_thread *transport_thread_start(void (*body)(void *context), void *context);
// Waits for its end and forgets it. On that very thread: only forgets it.
void transport_thread_join(transport_thread *thread);

#endif

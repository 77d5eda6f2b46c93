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
  transport_outcome_bad_url, transport_outcome_cannot_resolve, transport_outcome_cannot_connect, transport_outcome_tls,
  transport_outcome_no_authorities,   // their file cannot be read
  transport_outcome_partial,          // the body ended before its announced end
  transport_outcome_lost,             // the connection broke
  transport_outcome_violation,        // not HTTP as agreed
  transport_outcome_bad_location,     // a redirect with two addresses
  transport_outcome_head_too_large,   // above a limit of libcurl's own
  transport_outcome_bad_coding, transport_outcome_timed_out, transport_outcome_no_memory, transport_outcome_other
} transport_outcome;

typedef enum __attribute__((enum_extensibility(closed))) transport_sending {
  transport_sending_go,
  transport_sending_stop,     // the transfer ends
  transport_sending_close     // the same, and its connection ends
} transport_sending;

// What applies to all transfers of a session.
typedef enum __attribute__((enum_extensibility(closed))) transport_setting {
  transport_setting_header,       // goes out with each request that has no own headers: "Name: value", or "Name;" for an empty value
  transport_setting_addresses,    // in place of those that the system knows, for tests: "name:port:address,address"
  transport_setting_proxy,        // for all hosts. "" means none; without it, the environment decides
  transport_setting_authorities   // a PEM file in place of the system's. Sessions keep what they have read, where libcurl can
} transport_setting;

// What applies to one transfer.
typedef struct transport_options {
  bool uses_http2;                // over TLS
  bool waits_for_connection;      // that is being made to the same server, to share it
  bool has_own_headers;           // those that were added to it, in place of the session's
  bool accepts_coding;
  bool is_head_only;
  int weight;                     // 1 to 256, for servers that share out a connection as RFC 7540 says
  // The time to connect. An address that does not respond gets half of it if there are others. Time inside libcurl before the
  // connection is begun counts as well, and none after it stands.
  long connecting_milliseconds;
  // How long bytes that were sent may stay without an acknowledgement by the system at the other end, where the system can tell.
  unsigned silence_milliseconds;
} transport_options;

typedef struct transport_failure {
  const char *message;            // what libcurl said; empty if nothing. Lives as long as the transfer
  int socket_error;               // why there was no socket, as an `errno`; 0 if there was one
  bool was_flooded;               // whether the connection was ended by `transport_session_end_floods`
} transport_failure;

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
// Before the first transfer. False when memory is short.
bool transport_session_add(transport_session *session, transport_setting setting, const char *text);
void transport_session_wake(transport_session *session);
// Runs whatever can run without waiting; callbacks happen here. False: the session is broken.
bool transport_session_perform(transport_session *session);
// Waits for sockets, timers of libcurl, a wake, or `milliseconds`. Returns how many sockets have something to be read or written;
// -1: the session is broken.
int transport_session_wait(transport_session *session, int milliseconds);
// Ends a connection: it serves nobody any more, and libcurl finds it closed when it looks at it next.
void transport_session_break(transport_session *session, int64_t connection);
// How many milliseconds ago something arrived on a connection, whatever it was; -1 if the system does not say.
int64_t transport_session_silence(transport_session *session, int64_t connection);
// For a turn that does not end: ends the connections from which libcurl has read much since the last call, unless the
// callbacks have received much of it. `is_first`: only remembers what was read until now. Returns how many it has ended.
int transport_session_end_floods(transport_session *session, bool is_first);
// The context of a transfer that has ended since the last call, or NULL.
void *transport_session_next_ended(transport_session *session, transport_outcome *outcome);

transport_transfer *transport_transfer_make(
    transport_session *session, const char *url, transport_callbacks callbacks);
// Whether it has served before.
bool transport_transfer_is_set_up(const transport_transfer *transfer);
// Before it starts, as the next; false when memory or libcurl refuses.
// Another method than GET and HEAD, with a body, which is copied; -1 for none at all.
bool transport_transfer_send(transport_transfer *transfer, const char *method, const void *body, int64_t count);
// "Name: value", or "Name;" for an empty value.
bool transport_transfer_add_header(transport_transfer *transfer, const char *line);
bool transport_transfer_start(transport_transfer *transfer, transport_options options);
// Also stops it when it runs: its connection is closed unless the answer was complete, or other streams can share it.
void transport_transfer_free(transport_transfer *transfer);
// From inside a callback too. Resuming may call `body` before it returns.
void transport_transfer_pause(transport_transfer *transfer, bool paused);
// Bytes of the body as they came over the wire, before decoding.
int64_t transport_transfer_wire_bytes(const transport_transfer *transfer);
transport_failure transport_transfer_failure(const transport_transfer *transfer);

// A thread that takes no signals. NULL if it cannot be made.
transport_thread *transport_thread_start(void (*body)(void *context), void *context);
// Waits for its end and forgets it. On that very thread: only forgets it.
void transport_thread_join(transport_thread *thread);

#endif

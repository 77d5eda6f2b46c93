#include "shared.h"

#include <string.h>

// libcurl has one code for a broken connection, for broken chunks, and for limits of its own. Only the message tells them
// apart. "Out of memory" is a line of a trailer above 4 KB.
static transport_outcome received_badly(const char *message) {
  if (strstr(message, "hunk") != NULL) {
    return strstr(message, "Out of memory") != NULL ? transport_outcome_head_too_large : transport_outcome_violation;
  }
  // Over HTTP/2, a head above 128 KB. All that share the connection may see it.
  if (strstr(message, "callback function failed") != NULL) return transport_outcome_head_too_large;
  return strstr(message, "response headers") != NULL ? transport_outcome_head_too_large : transport_outcome_lost;
}

// libcurl has one code for a handshake that was refused and for one that broke off. Only the message tells them apart.
static bool has_broken(const char *message) {
  static const char *const reasons[] = {"reset", "SSL_ERROR_SYSCALL", "eof", "EOF", "roken pipe", "timed out"};
  for (size_t index = 0; index < sizeof reasons / sizeof *reasons; index++) {
    if (strstr(message, reasons[index]) != NULL) return true;
  }
  return false;
}

transport_outcome transport_outcome_of(CURLcode code, const char *message) {
  switch (code) {
  case CURLE_OK: return transport_outcome_done;
  case CURLE_WRITE_ERROR: case CURLE_ABORTED_BY_CALLBACK: return transport_outcome_stopped;
  case CURLE_URL_MALFORMAT: return transport_outcome_bad_url;
  case CURLE_COULDNT_RESOLVE_HOST: case CURLE_COULDNT_RESOLVE_PROXY: return transport_outcome_cannot_resolve;
  case CURLE_COULDNT_CONNECT: case CURLE_PROXY: case CURLE_INTERFACE_FAILED:
  case CURLE_NO_CONNECTION_AVAILABLE: return transport_outcome_cannot_connect;
  case CURLE_SSL_CONNECT_ERROR: return has_broken(message) ? transport_outcome_lost : transport_outcome_tls;
  case CURLE_SSL_ENGINE_NOTFOUND: case CURLE_SSL_ENGINE_SETFAILED: case CURLE_SSL_ENGINE_INITFAILED:
  case CURLE_SSL_CERTPROBLEM: case CURLE_SSL_CIPHER: case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CRL_BADFILE: case CURLE_SSL_ISSUER_ERROR: case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
  case CURLE_SSL_INVALIDCERTSTATUS: case CURLE_SSL_CLIENTCERT: case CURLE_USE_SSL_FAILED: return transport_outcome_tls;
  case CURLE_SSL_CACERT_BADFILE: return transport_outcome_no_authorities;
  case CURLE_PARTIAL_FILE: return transport_outcome_partial;
  case CURLE_GOT_NOTHING: case CURLE_SEND_ERROR: case CURLE_SSL_SHUTDOWN_FAILED:
  case CURLE_HTTP2: case CURLE_HTTP2_STREAM: return transport_outcome_lost;
  case CURLE_RECV_ERROR: return received_badly(message);
#if LIBCURL_VERSION_NUM >= 0x080600
  case CURLE_TOO_LARGE: return transport_outcome_head_too_large;
#endif
  case CURLE_WEIRD_SERVER_REPLY:
    // Of libcurl 8.23 and later, which refuses a second address itself.
    if (strstr(message, "Multiple Location headers") != NULL) return transport_outcome_bad_location;
    return transport_outcome_violation;
  // HTTP/0.9 is reported as an unsupported protocol; ours are checked before libcurl sees the URL.
  case CURLE_UNSUPPORTED_PROTOCOL: case CURLE_CHUNK_FAILED: case CURLE_RANGE_ERROR: return transport_outcome_violation;
  case CURLE_BAD_CONTENT_ENCODING: return transport_outcome_bad_coding;
  case CURLE_OPERATION_TIMEDOUT: return transport_outcome_timed_out;
  case CURLE_OUT_OF_MEMORY: return transport_outcome_no_memory;
  default: return transport_outcome_other;
  }
}

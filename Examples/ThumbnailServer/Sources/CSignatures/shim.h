#if !__has_include(<openssl/hmac.h>)
#error "OpenSSL is missing: run Scripts/setup of Streams, or install libssl-dev on Debian."
#endif
#include <openssl/crypto.h>
#include <openssl/hmac.h>

#if !__has_include(<openssl/sha.h>)
#error "OpenSSL is missing: run Scripts/setup of Streams, or install libssl-dev on Debian."
#endif
#include <openssl/sha.h>

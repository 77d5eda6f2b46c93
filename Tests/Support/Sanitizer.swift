#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether a sanitizer is part of this program.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

exit(serve(limits, Array(CommandLine.arguments.dropFirst())))

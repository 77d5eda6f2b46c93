import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

exit(serve(asyncRows, Array(CommandLine.arguments.dropFirst())))

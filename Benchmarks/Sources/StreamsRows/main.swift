import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

exit(serve((sharedRows + mergingRows).sorted { $0.name < $1.name }, Array(CommandLine.arguments.dropFirst())))

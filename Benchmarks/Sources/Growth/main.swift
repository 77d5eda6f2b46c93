#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let growing = rows(of: [
  statelessDepth, statefulDepth, erasedDepth, subscribers, cancellations, children, latest, zipped, buffered,
  clockTimers, queueTimers, loopTimers,
])

exit(serve(growing, Array(CommandLine.arguments.dropFirst())))

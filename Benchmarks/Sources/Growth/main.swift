#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let series = [
  statelessDepth, statefulDepth, erasedDepth, subscribers, cancellations, children, latest, zipped, buffered,
  clockTimers, queueTimers, loopTimers,
]
let growing = rows(of: series + joining)

exit(serve(growing, Array(CommandLine.arguments.dropFirst())))

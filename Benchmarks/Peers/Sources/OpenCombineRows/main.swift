import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let arguments = Array(CommandLine.arguments.dropFirst())
exit(serveFootprints(arguments) ?? serve(sharedRows.sorted { $0.name < $1.name }, arguments))

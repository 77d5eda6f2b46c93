#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let all = [[reference], floors, beyondFloors, beyondLastingFloors, beyondShapingFloors].flatMap { $0 }

exit(serve(all.map(\.row), Array(CommandLine.arguments.dropFirst())))

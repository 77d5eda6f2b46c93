#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let all = [reference] + floors + beyondFloors + beyondLastingFloors + beyondShapingFloors

exit(serve(all.map(\.row), Array(CommandLine.arguments.dropFirst())))

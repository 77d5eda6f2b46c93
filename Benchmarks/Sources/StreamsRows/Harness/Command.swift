import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What every program of the benchmark understands:
///
///     --list                    the names of the rows, and what they are
///     --parts LOW HIGH ROW...   runs each row three times, with LOW, LOW and HIGH values; see ``endPart()``
///     --time COUNT ROW...       the nanoseconds a value of each
///     --locked                  the nanoseconds of a locked instruction
///     ROW COUNT TIMES           runs a row, for counting its allocations
func serve(_ rows: [Row], _ arguments: [String]) -> Int32 {
  let numbers = arguments.compactMap { Int($0) }
  let named = arguments.compactMap { name in rows.first { $0.name == name } }
  switch (arguments.first, numbers.count) {
  case ("--list", 0):
    for row in rows { print("\(row.name)\t\(row.title)") }
  case ("--parts", 2):
    for row in named {
      // What is paid once, the metadata of types for instance, is paid in the first.
      for count in [numbers[0], numbers[0], numbers[1]] {
        keep(row.run(count))
        endPart()
      }
    }
  case ("--time", 1):
    for row in named { print(row.name, row.time(numbers[0]), separator: "\t") }
  case ("--locked", 0):
    print(lockedInstruction())
  case (.some, 2) where named.count == 1:
    for _ in 0..<numbers[1] { keep(named[0].run(numbers[0])) }
  default:
    print("usage: --list | --locked | --parts LOW HIGH ROW... | --time COUNT ROW... | ROW COUNT TIMES")
    return 2
  }
  return 0
}

extension Row {
  /// Nanoseconds a value: the best of three, since noise only ever adds.
  func time(_ count: Int) -> Double {
    var best = Double.infinity
    keep(run(count / 10))
    for _ in 0..<3 {
      let start = DispatchTime.now().uptimeNanoseconds
      keep(run(count))
      best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count))
    }
    return best
  }
}

/// Nanoseconds of an atomic read-modify-write, the best of five: processors differ in that more than in others.
private func lockedInstruction() -> Double {
  let word = Atomic(0), count = 1_000_000
  var best = Double.infinity
  for _ in 0..<5 {
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<count { word.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count))
  }
  return best
}

/// Where callgrind, or a library that counts bytes, writes down what it has counted: at every call of `getppid`, which nothing else
/// here calls.
func endPart() { _ = getppid() }

@inline(never)
private func keep(_ value: Int) {
  if value == .min { print() }
}

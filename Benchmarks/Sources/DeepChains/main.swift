import Foundation

// Each chain runs on a thread with a small stack: a frame for each of a million links would not fit.
let links = 1_000_000
let stackSize = 256 << 10

var failures = 0
for chain in chains {
  let (seconds, isRight) = onSmallStack { chain.run(links) == chain.expected(links) }
  if !isRight { failures += 1 }
  print("\(isRight ? "   ok" : "WRONG") \(String(format: "%5.1f s", seconds))  \(chain.name)")
}
print(
  "deep chains: \(chains.count - failures) of \(chains.count) right, \(links) links each, "
    + "stack of \(stackSize >> 10) KiB")

let expected = [
  "First", "FlatMap", "RemoveDuplicates", "Scan", "Filter", "Map", "PassthroughSubject", "Just",
]
let seen = joints()
print(
  "onlookers: \(seen == expected ? "see all \(seen.count) publishers of a chain" : "WRONG, they see \(seen)")"
)
if seen != expected { failures += 1 }
if failures > 0 { exit(1) }

/// Runs `body` on a thread of its own. If the stack does not suffice, the process dies.
func onSmallStack(_ body: @escaping @Sendable () -> Bool) -> (seconds: Double, isRight: Bool) {
  let start = DispatchTime.now().uptimeNanoseconds
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var isRight = false  // written before the signal, read after the wait
  let thread = Thread {
    isRight = body()
    done.signal()
  }
  thread.stackSize = stackSize
  thread.start()
  done.wait()
  return (Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, isRight)
}

import AsyncAlgorithms
import Dispatch

/// What `work` answers, done in a task away from the main actor.
func total(_ work: @escaping @Sendable () async -> Int) -> Int {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var total = 0  // read after the task has signalled
  Task.detached {
    total = await work()
    done.signal()
  }
  done.wait()
  return total
}

/// A channel, what AsyncAlgorithms has for a subject, and a task that sends `values` into it.
func channel(_ values: Range<Int>) -> AsyncChannel<Int> {
  let channel = AsyncChannel<Int>()
  Task.detached {
    for value in values { await channel.send(value) }
    channel.finish()
  }
  return channel
}

func added<Values: AsyncSequence>(_ values: Values) async -> Int
where Values.Element == Int, Values.Failure == Never {
  var sum = 0
  for await value in values { sum &+= value }
  return sum
}

#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

import Dispatch

let schedulingRows: [Row] = [
  Row("e1", "receive(on: serial DispatchQueue)") { count in
    let done = DispatchSemaphore(value: 0)
    var subscription: AnyCancellable?
    let total = sum { total in
      subscription = range(count).receive(on: serialQueue).sink(
        receiveCompletion: { _ in done.signal() }, receiveValue: { total.add($0) })
      done.wait()
    }
    subscription?.cancel()
    return total
  },
  Row("e4", "receive(on: ImmediateScheduler)") { count in
    sum { total in
      range(count).receive(on: ImmediateScheduler.shared).sink { total.add($0) }.cancel()
    }
  },
  Row("f2", "two threads that send to one subject") { count in
    sum { total in
      let subject = Shared(PassthroughSubject<Int, Never>())
      let subscription = subject.value.sink { total.add($0) }
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        for value in 0..<count / 2 { subject.value.send(value) }
      }
      subscription.cancel()
    }
  },
  Row("g1", ".values in for await") { count in
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var total = 0  // read after the task has signalled
    Task.detached {
      var sum = 0
      for await value in range(count).values { sum &+= value }
      total = sum
      done.signal()
    }
    done.wait()
    return total
  },
]

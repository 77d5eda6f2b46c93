import Interleavings
import Synchronization
import Testing

/// Without a lock of its own.
final class Unprotected: @unchecked Sendable {
  var count = 0
  func increment() { count += 1 }
  func read() -> Int { count }
}

/// Each bug is found, at the right line; each correction is explored to the end.
@Suite struct BugTests {
  @Test(arguments: [true, false]) func `A spin lock needs an acquisition and a release`(isWrong: Bool) throws
  {
    try expectBug(isWrong, "Data race", line: "count += 1") {
      try explore(.patient) {
        (SpinLock(isWrong: isWrong), Unprotected())
      } run: {
        for _ in 0..<2 { $0.thread { lock, value in lock.withLock { value.increment() } } }
      } after: {
        #expect($0.1.count == 2)
      }
    }
  }

  @Test(arguments: [true, false]) func `A ticket is taken in one step`(isWrong: Bool) throws {
    try expectBug(isWrong, "Deadlock", line: "while serving.load(ordering: .acquiring) != ticket {}") {
      try explore(.patient) {
        (TicketLock(isWrong: isWrong), Unprotected())
      } run: {
        for _ in 0..<2 { $0.thread { lock, value in lock.withLock { value.increment() } } }
      } after: {
        #expect($0.1.count == 2)
      }
    }
  }

  @Test(arguments: [true, false]) func `A lock that forgets that others sleep wakes nobody`(isWrong: Bool)
    throws
  {
    try expectBug(isWrong, "Deadlock", line: "futex_wait($0, 2)") {
      try explore(.patient) {
        (SleepingLock(isWrong: isWrong), Unprotected())
      } run: {
        for _ in 0..<3 { $0.thread { lock, value in lock.withLock { value.increment() } } }
      } after: {
        #expect($0.1.count == 3)
      }
    }
  }

  @Test(arguments: [true, false]) func `Peterson's lock needs sequential consistency`(isWrong: Bool) throws {
    try expectBug(isWrong, "Data race", line: "count += 1") {
      try explore(.patient) {
        (PetersonLock(isWrong: isWrong), Unprotected())
      } run: {
        $0.thread { lock, value in lock.withLock(of: 0) { value.increment() } }
        $0.thread { lock, value in lock.withLock(of: 1) { value.increment() } }
      } after: {
        #expect($0.1.count == 2)
      }
    }
  }

  @Test(arguments: [true, false]) func `Dekker's gate needs sequential consistency`(isWrong: Bool) throws {
    try expectBug(isWrong, "Data race", line: "count += 1") {
      try explore(.patient) {
        (DekkerGate(isWrong: isWrong), Unprotected())
      } run: {
        $0.thread { gate, value in gate.enter(0) { value.increment() } }
        $0.thread { gate, value in gate.enter(1) { value.increment() } }
      }
    }
  }

  @Test(arguments: [true, false]) func `A reader says that it reads before it looks for a writer`(
    isWrong: Bool
  ) throws {
    try expectBug(isWrong, "Data race", line: "func read() -> Int { count }") {
      try explore(.patient) {
        (ReaderLock(isWrong: isWrong), Unprotected(), Log())
      } run: {
        $0.thread { lock, value, log in lock.read { if value.read() > 1 { log.add(1) } } }
        $0.thread { lock, value, _ in lock.write { value.increment() } }
      }
    }
  }

  @Test(arguments: [true, false]) func `A lazy value is published with an acquisition`(isWrong: Bool) throws {
    try expectBug(isWrong, "Data race", line: "return value[1]") {
      try explore(.patient) {
        LazyValue(isWrong: isWrong)
      } run: {
        for _ in 0..<2 { $0.thread { #expect($0.get() == 2) } }
      }
    }
  }

  @Test(arguments: [true, false]) func `A node that is used again is not taken for the one it was`(
    isWrong: Bool
  ) throws {
    try expectBug(isWrong, "After all have ended", line: "let result = top.compareExchange(") {
      try explore(Bounds(staleValues: 0, time: .seconds(300))) {
        (TreiberStack(isWrong: isWrong, 1, 2), Log())
      } run: {
        $0.thread { stack, log in
          let node = stack.pop()
          if node > 0 { log.add(node) }
        }
        $0.thread { stack, log in
          let first = stack.pop(), second = stack.pop()
          if second > 0 { log.add(second) }
          if first > 0 { stack.push(first) }
        }
      } after: { stack, log in
        var nodes = log.all
        while nodes.count < 6, case let node = stack.pop(), node > 0 { nodes.append(node) }
        #expect(nodes.sorted() == [1, 2])
      }
    }
  }

  @Test(arguments: [true, false]) func `A queue looks at its tail again before it appends`(isWrong: Bool)
    throws
  {
    try expectBug(isWrong, "After all have ended", line: "} else if nodes[index(end)].next.compareExchange(")
    {
      try explore(Bounds(staleValues: 0, both: 2, time: .seconds(300))) {
        (LinkedQueue(isWrong: isWrong), Log())
      } run: {
        $0.thread { queue, log in
          queue.append(3, in: 3)
          log.add(queue.removeFirst()?.value ?? 0)
        }
        $0.thread { queue, log in
          queue.append(2, in: 2)
          if let removed = queue.removeFirst() { queue.append(4, in: removed.node) }
        }
      } after: { _, log in
        #expect(!log.all.contains(0), "What was appended was not there.")
      }
    }
  }

  @Test(arguments: [true, false]) func `A reader of a sequence lock needs a fence`(isWrong: Bool) throws {
    try expectBug(isWrong, "After all have ended", line: "sequence.load(ordering: .relaxed) == before") {
      try explore(.patient) {
        (SequenceLock(isWrong: isWrong), Log())
      } run: {
        $0.thread { lock, _ in lock.write(1) }
        $0.thread { lock, log in
          if let (a, b) = lock.read(), a != b { log.add(1) }
        }
      } after: { _, log in
        #expect(log.all.isEmpty, "A reader saw half of a value.")
      }
    }
  }

  @Test(arguments: [true, false]) func `A ring publishes its index with a release`(isWrong: Bool) throws {
    try expectBug(isWrong, "Data race", line: "let value = slots[position % 2]") {
      try explore(.patient) {
        Ring(isWrong: isWrong)
      } run: {
        $0.thread {
          _ = $0.write(1)
          _ = $0.write(2)
        }
        $0.thread {
          _ = $0.take()
          _ = $0.take()
        }
      }
    }
  }

  @Test(arguments: [true, false]) func `The last item of a deque is taken once`(isWrong: Bool) throws {
    try expectBug(isWrong, "After all have ended", line: "let first = top.load(ordering: .relaxed)") {
      try explore(.patient) {
        (WorkDeque(isWrong: isWrong, count: 2), Log())
      } run: {
        $0.thread { deque, log in
          if let item = deque.pop() { log.add(item) }
          if let item = deque.pop() { log.add(item) }
        }
        $0.thread { deque, log in
          if let item = deque.steal() { log.add(item) }
          if let item = deque.steal() { log.add(item) }
        }
      } after: { _, log in
        #expect(log.all.sorted() == [1, 2])
      }
    }
  }

  @Test(arguments: [true, false]) func `The last user of memory knows what the others did`(isWrong: Bool)
    throws
  {
    try expectBug(isWrong, "Data race", line: "block.deinitialize(count: 1)", "block.deallocate()") {
      try explore(.patient) {
        CountedMemory(isWrong: isWrong)
      } run: {
        for _ in 0..<2 {
          $0.thread {
            $0.use()
            $0.leave()
          }
        }
      }
    }
  }

  @Test(arguments: [true, false]) func `An update is one critical section`(isWrong: Bool) throws {
    try expectBug(isWrong, "After all have ended", line: "count.withLock { $0 = old + 1 }") {
      try explore(.patient) {
        LockedCounter(isWrong: isWrong)
      } run: {
        for _ in 0..<2 { $0.thread { $0.increment() } }
      } after: {
        #expect($0.value == 2)
      }
    }
  }

  @Test(arguments: [true, false]) func `An actor checks after it has awaited`(isWrong: Bool) throws {
    try expectBug(isWrong, "After all have ended", line: "") {
      try explore(.patient) {
        (Account(isWrong: isWrong), Log())
      } run: {
        for _ in 0..<2 { $0.task { account, log in if await account.withdraw(80) { log.add(80) } } }
      } after: { _, log in
        #expect(log.all.count <= 1)
      }
    }
  }

  @Test(arguments: [true, false]) func `A semaphore registers who waits in the step in which it looks`(
    isWrong: Bool
  ) throws {
    try expectBug(isWrong, "never ends", line: "state.withLock { $0.waiters.append(waiter) }") {
      try explore(.patient) {
        AsyncSemaphore(isWrong: isWrong, 1)
      } run: {
        for _ in 0..<2 {
          $0.task {
            await $0.wait()
            $0.signal()
          }
        }
      }
    }
  }

  @Test(arguments: [true, false]) func `A task that is cancelled before it waits does not wait`(isWrong: Bool)
    throws
  {
    try expectBug(
      isWrong, "never ends", line: "state = .waiting(waiter)", "let isLate = state.withLock { state in"
    ) {
      try explore(.patient) {
        CancellationWaiter(isWrong: isWrong)
      } run: {
        let task = $0.task { await $0.wait() }
        $0.cancels(task)
      }
    }
  }

  @Test(arguments: [true, false]) func `A continuation is not resumed under a lock that a cancellation takes`(
    isWrong: Bool
  ) throws {
    try expectBug(isWrong, "Deadlock", line: "waiter.withLock { waiter in", "waiter?.resume()") {
      try explore(.patient) {
        Handover(isWrong: isWrong)
      } run: {
        let task = $0.task { await $0.next() }
        $0.cancels(task)
        $0.thread { $0.send() }
      }
    }
  }

  @Test(arguments: [true, false]) func `A last value is told and an observer registered in one step`(
    isWrong: Bool
  ) throws {
    try expectBug(isWrong, "After all have ended", line: "state.withLock { $0.observers.append(observer) }") {
      try explore(.patient) {
        (ReplayedValue(isWrong: isWrong), Log())
      } run: {
        $0.thread { value, _ in value.send(1) }
        $0.thread { value, log in value.observe(log) }
      } after: { _, log in
        #expect(log.all == [1])
      }
    }
  }
}

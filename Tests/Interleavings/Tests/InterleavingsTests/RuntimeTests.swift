import Dispatch
import Foundation
import Interleavings
import Synchronization
import Testing

/// State of the main actor.
@MainActor private final class MainCounter {
  var count = 0
  nonisolated init() {}
  func increment() { count += 1 }
}

/// A variable that a task hands to another.
private final class Handed: @unchecked Sendable {
  var number = 0
  let isWritten = Atomic(false)
}

/// What a thread that is not explored looks at.
private final class Flag: Sendable {
  let isSet = Atomic(false)
}

/// Made when it is first used.
private let lazily = [1, 2].map { $0 + 1 }

/// What Swift's runtime does is part of a schedule.
@Suite struct RuntimeTests {
  @Test func `A task that yields goes on in the schedule`() throws {
    let exploration = try explore(.patient) {
      Log()
    } run: {
      for number in 1...2 {
        $0.task { log in
          await Task.yield()
          log.add(number)
        }
      }
    } after: {
      #expect($0.all.sorted() == [1, 2])
    }
    #expect(exploration.isExhausted)
    #expect(exploration.schedules > 2)
  }

  @Test func `A task that sleeps wakes up in the schedule`() throws {
    let exploration = try explore(.patient) {
      Log()
    } run: {
      $0.task { log in
        try? await Task.sleep(for: .seconds(3600))
        log.add(1)
      }
    } after: {
      #expect($0.all == [1])
    }
    #expect(exploration.isExhausted)
  }

  @Test func `What a task did is seen by who awaits its value`() throws {
    let exploration = try explore(.patient) {
      Handed()
    } run: {
      $0.task { handed in
        handed.number = 1
        await Task { handed.number += 1 }.value
        handed.number += 1
      }
    } after: {
      #expect($0.number == 3)
    }
    #expect(exploration.isExhausted)
  }

  @Test func `Threads that use the same lazy global are in no order because of that`() throws {
    let found = counterexample {
      try explore(.patient) {
        Handed()
      } run: {
        for _ in 1...2 {
          $0.thread { handed in
            let before = lazily.count
            handed.number += before
            handed.number -= lazily.count
          }
        }
      }
    }
    #expect(found?.summary.contains("Data race") == true, "\(found.map { "\($0)" } ?? "none")")
  }

  @Test func `What is written before a lazy global is used is not ordered before its next use`() throws {
    let found = counterexample {
      try explore(.patient) {
        Handed()
      } run: {
        $0.thread { handed in
          handed.number = lazily.count
          _ = lazily.count
          handed.isWritten.store(true, ordering: .relaxed)
        }
        $0.thread { handed in
          if handed.isWritten.load(ordering: .relaxed) { handed.number += lazily.count }
        }
      }
    }
    #expect(found?.summary.contains("Data race") == true, "\(found.map { "\($0)" } ?? "none")")
  }

  @Test func `What a task does while nobody awaits it is a race`() throws {
    let found = counterexample {
      try explore(.patient) {
        Handed()
      } run: {
        $0.task { handed in
          let other = Task { handed.number += 1 }
          handed.number += 1
          await other.value
        }
      }
    }
    #expect(found?.summary.contains("Data race") == true)
  }

  @Test func `A task may go on between a step and its cancellation`() throws {
    var found: Set<[Int]> = []
    try explore(.patient) {
      (Log(), Log())
    } run: {
      $0.task { steps, log in
        let other = Task {
          if steps.all == [1], !Task.isCancelled { log.add(1) }
        }
        steps.add(1)
        other.cancel()
        await other.value
      }
    } after: {
      found.insert($1.all)
    }
    #expect(found == [[], [1]])
  }

  @Test func `Children of a group are part of the schedule`() throws {
    let exploration = try explore(Bounds(preemptions: 1, staleValues: 1, both: 1, time: .seconds(300))) {
      Log()
    } run: {
      $0.task { log in
        let sum = await withTaskGroup(of: Int.self) { group in
          for number in 1...2 { group.addTask { number } }
          return await group.reduce(0, +)
        }
        async let more = sum + 1
        log.add(await more)
      }
    } after: {
      #expect($0.all == [4])
    }
    #expect(exploration.isExhausted)
  }

  @Test func `Jobs of the main actor run one after another`() throws {
    let exploration = try explore(.patient) {
      (MainCounter(), Log())
    } run: {
      for _ in 0..<2 {
        $0.task { counter, log in
          await counter.increment()
          log.add(await counter.count)
        }
      }
    } after: { _, log in
      #expect(log.all.max() == 2)
    }
    #expect(exploration.isExhausted)
  }

  @Test func `Elements of a stream reach the task that iterates it`() throws {
    let exploration = try explore(Bounds(preemptions: 1, staleValues: 1, both: 1, time: .seconds(300))) {
      (AsyncStream.makeStream(of: Int.self), Log())
    } run: {
      $0.task { stream, log in for await number in stream.stream { log.add(number) } }
      $0.task { stream, _ in
        stream.continuation.yield(1)
        stream.continuation.finish()
      }
    } after: {
      #expect($0.1.all == [1])
    }
    #expect(exploration.isExhausted)
  }

  // In release builds, this is reported as a race: Docs/interleavings.md says so.
  #if DEBUG
    @Test func `What is done before a value is yielded is seen by who receives it`() throws {
      let exploration = try explore(.patient) {
        (AsyncStream.makeStream(of: Int.self), Handed())
      } run: {
        $0.thread { stream, handed in
          handed.number = 5
          stream.continuation.yield(1)
          stream.continuation.finish()
        }
        $0.task { stream, handed in
          for await _ in stream.stream where handed.number != 5 { fatalError("It was not seen.") }
        }
      }
      #expect(exploration.isExhausted)
    }
  #endif

  @Test func `A continuation that is resumed twice is a trap that is told`() throws {
    let found = counterexample {
      try explore(.patient) {
        Log()
      } run: {
        $0.task { _ in
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            continuation.resume()
            continuation.resume()
          }
        }
      }
    }
    #expect(found?.summary.contains("Trap") == true)
    #expect(found?.summary.contains("RuntimeTests.swift") == true, "\(String(describing: found))")
  }

  @Test func `An index out of range is a trap that is told`() throws {
    let found = counterexample {
      try explore(.patient) {
        [1, 2, 3]
      } run: {
        $0.thread { numbers in if numbers[numbers.count] == 0 { fatalError("There is none.") } }
      }
    }
    #expect(found?.summary.contains("Trap") == true)
  }

  @Test func `Memory that is used after it was given back is told`() throws {
    let found = counterexample {
      try explore(.patient) {
        let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        pointer.initialize(to: 1)
        return pointer
      } run: {
        $0.thread {
          $0.deallocate()
          $0.pointee = 2
        }
      }
    }
    #expect(found?.summary.contains("Use after free") == true)
  }

  @Test func `A thread that is started is an error, not a pass`() throws {
    let found = counterexample {
      try explore(.patient) {
        Log()
      } run: {
        $0.thread { log in Thread { log.add(1) }.start() }
      }
    }
    #expect(found?.summary.contains("cannot be explored") == true)
  }

  @Test func `Work that is given to a queue is an error, not a pass`() throws {
    let found = counterexample {
      try explore(.patient) {
        Log()
      } run: {
        $0.thread { log in DispatchQueue.global().async { log.add(1) } }
      }
    }
    #expect(found?.summary.contains("cannot be explored") == true)
  }

  @Test func `An update that is two sections of a lock of Foundation is lost`() {
    let found = counterexample {
      try explore(.patient) {
        (NSLock(), Handed())
      } run: {
        for _ in 0..<2 {
          $0.thread { lock, handed in
            let old = lock.withLock { handed.number }
            lock.withLock { handed.number = old + 1 }
          }
        }
      } after: {
        #expect($0.1.number == 2)
      }
    }
    #expect(found?.summary.contains("After all have ended") == true)
  }

  @Test func `Other threads of the process may make objects while schedules run`() throws {
    let (isOver, ended) = (Flag(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      while !isOver.isSet.load(ordering: .relaxed) { _ = Handed() }
      ended.signal()
    }
    defer {
      isOver.isSet.store(true, ordering: .relaxed)
      ended.wait()
    }

    for _ in 0..<300 {
      try explore(.patient) {
        Log()
      } run: {
        for _ in 0..<2 { $0.thread { _ in for _ in 0..<2_000 { _ = Handed() } } }
      }
    }
  }

  @Test func `A lock of Foundation is a point`() throws {
    let exploration = try explore(.patient) {
      (NSLock(), Handed())
    } run: {
      for _ in 0..<2 { $0.thread { lock, handed in lock.withLock { handed.number += 1 } } }
    } after: {
      #expect($0.1.number == 2)
    }
    #expect(exploration.isExhausted)
    #expect(exploration.schedules > 1)
  }
}

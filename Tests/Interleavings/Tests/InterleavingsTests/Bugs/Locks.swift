import CFutex
import Synchronization

/// A spin lock.
final class SpinLock: Sendable {
  private let word = Atomic<Bool>(false)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func withLock(_ body: () -> Void) {
    if isWrong {
      while word.exchange(true, ordering: .relaxed) {}
      body()
      word.store(false, ordering: .relaxed)
    } else {
      while word.exchange(true, ordering: .acquiring) {}
      body()
      word.store(false, ordering: .releasing)
    }
  }
}

/// A lock that is served in order.
final class TicketLock: Sendable {
  private let next = Atomic<Int>(0)
  private let serving = Atomic<Int>(0)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func withLock(_ body: () -> Void) {
    let ticket: Int
    if isWrong {
      ticket = next.load(ordering: .relaxed)
      next.store(ticket + 1, ordering: .relaxed)
    } else {
      ticket = next.add(1, ordering: .relaxed).oldValue
    }
    while serving.load(ordering: .acquiring) != ticket {}
    body()
    serving.store(ticket + 1, ordering: .releasing)
  }
}

/// A lock whose waiters sleep in the system: 0 free, 1 held, 2 held and somebody sleeps.
final class SleepingLock: Sendable {
  private let word = Atomic<UInt32>(0)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func withLock(_ body: () -> Void) {
    if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
      if isWrong {
        // Takes the lock as if nobody else slept.
        while !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
          _ = word.compareExchange(expected: 1, desired: 2, ordering: .relaxed)
          withUnsafePointer(to: word) { futex_wait($0, 2) }
        }
      } else {
        while word.exchange(2, ordering: .acquiring) != 0 {
          withUnsafePointer(to: word) { futex_wait($0, 2) }
        }
      }
    }
    body()
    if word.exchange(0, ordering: .releasing) == 2 { withUnsafePointer(to: word) { futex_wake($0, 1) } }
  }
}

/// Two threads exclude each other by flags and a turn.
final class PetersonLock: Sendable {
  private let first = Atomic<Bool>(false)
  private let second = Atomic<Bool>(false)
  private let turn = Atomic<Int>(0)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func withLock(of thread: Int, _ body: () -> Void) {
    if thread == 0 {
      enter(0, mine: first, other: second)
      body()
      first.store(false, ordering: .releasing)
    } else {
      enter(1, mine: second, other: first)
      body()
      second.store(false, ordering: .releasing)
    }
  }

  private func enter(_ thread: Int, mine: borrowing Atomic<Bool>, other: borrowing Atomic<Bool>) {
    if isWrong {
      mine.store(true, ordering: .releasing)
      turn.store(1 - thread, ordering: .releasing)
      while other.load(ordering: .acquiring), turn.load(ordering: .acquiring) == 1 - thread {}
    } else {
      mine.store(true, ordering: .sequentiallyConsistent)
      turn.store(1 - thread, ordering: .sequentiallyConsistent)
      while other.load(ordering: .sequentiallyConsistent),
        turn.load(ordering: .sequentiallyConsistent) == 1 - thread
      {}
    }
  }
}

/// Dekker's: each of two threads says that it wants to enter, and enters if the other does not.
final class DekkerGate: Sendable {
  private let first = Atomic<Bool>(false)
  private let second = Atomic<Bool>(false)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func enter(_ thread: Int, _ body: () -> Void) {
    let mayEnter = thread == 0 ? ask(mine: first, other: second) : ask(mine: second, other: first)
    if mayEnter { body() }
  }

  private func ask(mine: borrowing Atomic<Bool>, other: borrowing Atomic<Bool>) -> Bool {
    if isWrong {
      mine.store(true, ordering: .releasing)
      return !other.load(ordering: .acquiring)
    }
    mine.store(true, ordering: .sequentiallyConsistent)
    return !other.load(ordering: .sequentiallyConsistent)
  }
}

/// One writer, or several readers.
final class ReaderLock: Sendable {
  private let readers = Atomic<Int>(0)
  private let isWriting = Atomic<Bool>(false)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func read(_ body: () -> Void) {
    if isWrong {
      if isWriting.load(ordering: .sequentiallyConsistent) { return }
      readers.add(1, ordering: .sequentiallyConsistent)
    } else {
      readers.add(1, ordering: .sequentiallyConsistent)
      if isWriting.load(ordering: .sequentiallyConsistent) {
        readers.subtract(1, ordering: .sequentiallyConsistent)
        return
      }
    }
    body()
    readers.subtract(1, ordering: .sequentiallyConsistent)
  }

  func write(_ body: () -> Void) {
    isWriting.store(true, ordering: .sequentiallyConsistent)
    if readers.load(ordering: .sequentiallyConsistent) == 0 { body() }
    isWriting.store(false, ordering: .sequentiallyConsistent)
  }
}

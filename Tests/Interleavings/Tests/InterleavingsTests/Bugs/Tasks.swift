import Synchronization

/// A counter under a lock.
final class LockedCounter: Sendable {
  private let count = Mutex(0)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func increment() {
    if isWrong {
      let old = count.withLock { $0 }
      count.withLock { $0 = old + 1 }
    } else {
      count.withLock { $0 += 1 }
    }
  }

  var value: Int { count.withLock { $0 } }
}

/// What happened, in order.
final class Log: Sendable {
  private let entries = Mutex<[Int]>([])

  func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
  var all: [Int] { entries.withLock { $0 } }
}

/// An account whose books another actor keeps.
actor Account {
  private var balance = 100
  private let books = Books()
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func withdraw(_ amount: Int) async -> Bool {
    if isWrong {
      guard balance >= amount else { return false }
      await books.note(amount)
      balance -= amount
    } else {
      await books.note(amount)
      guard balance >= amount else { return false }
      balance -= amount
    }
    return true
  }
}

actor Books {
  private var entries: [Int] = []
  func note(_ amount: Int) { entries.append(amount) }
}

/// A semaphore for tasks.
final class AsyncSemaphore: Sendable {
  private struct State {
    var count: Int
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func take() -> Bool {
      if count > 0 { count -= 1; return true }
      return false
    }
  }

  private let state: Mutex<State>
  private let isWrong: Bool

  init(isWrong: Bool, _ count: Int) {
    self.isWrong = isWrong
    state = Mutex(State(count: count))
  }

  func wait() async {
    if isWrong {
      if state.withLock({ $0.take() }) { return }
      await withCheckedContinuation { waiter in state.withLock { $0.waiters.append(waiter) } }
    } else {
      await withCheckedContinuation { waiter in
        let isFree = state.withLock { state in
          if state.take() { return true }
          state.waiters.append(waiter)
          return false
        }
        if isFree { waiter.resume() }
      }
    }
  }

  func signal() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiters.isEmpty {
        state.count += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}

/// Waits until it is cancelled.
final class CancellationWaiter: Sendable {
  private enum State { case idle, waiting(CheckedContinuation<Void, Never>), cancelled }

  private let state = Mutex(State.idle)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func wait() async {
    await withTaskCancellationHandler {
      if isWrong, Task.isCancelled { return }
      await withCheckedContinuation { waiter in
        let isLate = state.withLock { state in
          if !isWrong, case .cancelled = state { return true }
          state = .waiting(waiter)
          return false
        }
        if isLate { waiter.resume() }
      }
    } onCancel: {
      let old = state.withLock { state in
        let old = state
        state = .cancelled
        return old
      }
      if case .waiting(let waiter) = old { waiter.resume() }
    }
  }
}

/// Hands a value to a task that waits for it.
final class Handover: Sendable {
  private let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let isDone = Mutex(false)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func next() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = waiter.withLock { waiter in
          if isDone.withLock({ $0 }) { return true }
          waiter = continuation
          return false
        }
        if isLate { continuation.resume() }
      }
    } onCancel: {
      finish()
    }
  }

  func send() { finish() }

  private func finish() {
    if isWrong {
      waiter.withLock { waiter in
        isDone.withLock { $0 = true }
        waiter?.resume()
        waiter = nil
      }
    } else {
      let old = waiter.withLock { waiter in
        isDone.withLock { $0 = true }
        let old = waiter
        waiter = nil
        return old
      }
      old?.resume()
    }
  }
}

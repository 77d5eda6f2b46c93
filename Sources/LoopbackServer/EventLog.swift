internal import Streams
import Synchronization

/// All events, and the tasks that wait for one.
final class EventLog: Sendable, Reflected {
  private struct Waiter: Sendable {
    let number: Int
    let isWanted: @Sendable (Event) -> Bool
    let continuation: CheckedContinuation<Event?, Never>
  }

  private struct State: Sendable {
    var events: [Event] = []
    var waiters: [Waiter] = []
    var lastNumber = 0
    var given: Set<Int> = []
    var isEnded = false
  }

  private let state = Guarded(State())
  private let requestCount = Atomic(0)

  func nextRequestNumber() -> Int { requestCount.wrappingAdd(1, ordering: .relaxed).newValue }

  var all: [Event] { state.withLock { $0.events } }

  func append(_ event: Event) {
    let waiters = state.withLock { state in
      state.events.append(event)
      return state.waiters
    }
    // Predicates belong to the test, so they are called without the lock.
    for waiter in waiters where waiter.isWanted(event) { give(event, to: waiter.number) }
  }

  func first(where isWanted: @escaping @Sendable (Event) -> Bool) async -> Event? {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(number: number, isWanted: isWanted, continuation: continuation)
        let (events, isEnded) = state.withLock { state in
          let isEnded = state.isEnded || state.given.contains(number)
          state.waiters.append(waiter)
          return (state.events, isEnded)
        }
        if let event = events.first(where: isWanted) {
          give(event, to: number)
        } else if isEnded {
          give(nil, to: number)
        }
      }
    } onCancel: {
      give(nil, to: number)
    }
  }

  /// Ends the log: no more events follow.
  func end() {
    let waiters = state.withLock { state in
      state.isEnded = true
      return state.waiters
    }
    for waiter in waiters { give(nil, to: waiter.number) }
  }

  private func give(_ event: Event?, to number: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
        // Cancelled before it waits.
        state.given.insert(number)
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: event)
  }
}

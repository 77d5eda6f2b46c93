import Synchronization

/// A range that calls back, behind an erasure, and can be stopped between any two values.
final class WrittenRange: Sendable {
  private let isStopped = Atomic(false)
  private let count: Int

  init(_ count: Int) { self.count = count }

  @inline(never)
  func run(_ receive: (Int) -> Void) {
    for value in 0..<count {
      if isStopped.load(ordering: .relaxed) { return }
      receive(value)
    }
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }
}

/// What a subject must do at least: a list of callbacks under a lock, called without it.
final class WrittenSubject: Sendable {
  struct State {
    var callbacks: [Int: @Sendable (Int) -> Void] = [:]
    var order: [@Sendable (Int) -> Void] = []
    var next = 0
    var current = 0
  }
  private let state = Mutex(State())

  @inline(never)
  func send(_ value: Int) {
    let callbacks = state.withLock { state in
      state.current = value
      return state.order
    }
    for callback in callbacks { callback(value) }
  }

  /// Adds a callback that is there to stay, in the order of arrival.
  @inline(never)
  func add(_ callback: @escaping @Sendable (Int) -> Void) { state.withLock { $0.order.append(callback) } }

  /// Adds a callback that goes with its token.
  @inline(never)
  func subscribe(_ callback: @escaping @Sendable (Int) -> Void) -> Token {
    let key = state.withLock { state in
      state.next += 1
      state.callbacks[state.next] = callback
      return state.next
    }
    return Token { [state = self] in state.remove(key) }
  }

  private func remove(_ key: Int) {
    let callback = state.withLock { $0.callbacks.removeValue(forKey: key) }
    withExtendedLifetime(callback) {}
  }
}

/// What takes a callback out again when it is dropped.
final class Token: Hashable, Sendable {
  private let remove: @Sendable () -> Void

  init(_ remove: @escaping @Sendable () -> Void) { self.remove = remove }
  deinit { remove() }

  static func == (left: Token, right: Token) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// `map` and `filter` as nested callbacks.
@inline(never)
func mapped(_ transform: @escaping @Sendable (Int) -> Int, _ next: @escaping @Sendable (Int) -> Void)
  -> @Sendable (Int) -> Void
{ { next(transform($0)) } }

@inline(never)
func filtered(_ isIncluded: @escaping @Sendable (Int) -> Bool, _ next: @escaping @Sendable (Int) -> Void)
  -> @Sendable (Int) -> Void
{ { if isIncluded($0) { next($0) } } }

/// What `run` adds up.
func written(_ run: (@escaping @Sendable (Int) -> Void) -> Void) -> Int {
  let total = Total()
  run(opaque { total.add($0) })
  return total.value
}

/// Holds cancellables, from any thread, and cancels them when it goes.
///
/// Unlike a set of ``AnyCancellable`` it may be used from several threads, and cancels what is put in too late.
///
/// ```swift
/// let bag = CancelBag()
/// numbers.sink { print($0) }.store(in: bag)
/// bag.cancelAll()
/// ```
public final class CancelBag: Cancellable, Sendable {
  private struct State {
    var content: [ObjectIdentifier: AnyCancellable] = [:]
    var isClosed = false
  }

  private let state = Guarded(State())

  /// An empty bag.
  public init() {}

  deinit { cancelAll() }

  /// How many are held.
  public var count: Int { state.withLock { $0.content.count } }

  /// Holds `cancellable`; cancels it if the bag was cancelled.
  public func insert(_ cancellable: AnyCancellable) {
    let isHeld = state.withLock { state in
      if !state.isClosed { state.content[ObjectIdentifier(cancellable)] = cancellable }
      return !state.isClosed
    }
    if !isHeld { cancellable.cancel() }
  }

  /// Lets go of `cancellable` without cancelling it.
  ///
  /// - Returns: What was held; `nil` if it was not here.
  @discardableResult
  public func remove(_ cancellable: AnyCancellable) -> AnyCancellable? {
    state.withLock { $0.content.removeValue(forKey: ObjectIdentifier(cancellable)) }
  }

  /// Cancels everything that is held now. The bag can be used again.
  public func cancelAll() { for one in takeAll(closing: false) { one.cancel() } }

  /// Cancels everything that is held, and all that is put in later.
  public func cancel() { for one in takeAll(closing: true) { one.cancel() } }

  private func takeAll(closing: Bool) -> [AnyCancellable] {
    state.withLock { state in
      state.isClosed = state.isClosed || closing
      defer { state.content = [:] }
      return Array(state.content.values)
    }
  }
}

/// Holds one cancellable, and cancels it when another takes its place, or when it goes itself.
public final class SerialCancellable: Cancellable, Sendable {
  private struct State {
    var content: AnyCancellable?
    var isClosed = false
  }

  private let state = Guarded(State())

  /// Holds nothing yet.
  public init() {}

  deinit { cancel() }

  /// Holds `cancellable` in place of what was held, which is cancelled. After ``cancel()`` it is cancelled at once.
  public func replace(with cancellable: AnyCancellable?) {
    let gone = state.withLock { state -> AnyCancellable? in
      if state.isClosed { return cancellable }
      defer { state.content = cancellable }
      return state.content
    }
    gone?.cancel()
  }

  /// Cancels what is held, and all that comes later.
  public func cancel() {
    state.withLock { state -> AnyCancellable? in
      state.isClosed = true
      return state.content.take()
    }?.cancel()
  }
}

extension AnyCancellable {
  /// Keeps this in `bag`.
  @_disfavoredOverload
  public func store(in bag: CancelBag) { bag.insert(self) }

  /// Keeps this in `holder`, in place of what was there.
  @_disfavoredOverload
  public func store(in holder: SerialCancellable) { holder.replace(with: self) }
}

/// A thread-safe set of cancellables, which are cancelled when the bag is released.
///
/// Unlike a set of `AnyCancellable`, a bag can be used from several threads, and cancels what is inserted after ``cancel()``.
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

  /// Creates an empty bag.
  public init() {}

  deinit { cancelAll() }

  /// The number of stored cancellables.
  public var count: Int { state.withLock { $0.content.count } }

  /// Stores `cancellable`, or cancels it after ``cancel()``.
  public func insert(_ cancellable: AnyCancellable) {
    let isHeld = state.withLock { state in
      if !state.isClosed { state.content[ObjectIdentifier(cancellable)] = cancellable }
      return !state.isClosed
    }
    if !isHeld { cancellable.cancel() }
  }

  /// Removes `cancellable` without cancelling it.
  ///
  /// - Returns: The removed cancellable, or `nil` if it was not stored here.
  @discardableResult
  public func remove(_ cancellable: AnyCancellable) -> AnyCancellable? {
    state.withLock { $0.content.removeValue(forKey: ObjectIdentifier(cancellable)) }
  }

  /// Cancels all stored cancellables. Unlike ``cancel()``, it does not close the bag.
  public func cancelAll() { for one in takeAll(closing: false) { one.cancel() } }

  /// Cancels all stored cancellables, and those that are inserted later.
  public func cancel() { for one in takeAll(closing: true) { one.cancel() } }

  private func takeAll(closing: Bool) -> [AnyCancellable] {
    state.withLock { state in
      state.isClosed = state.isClosed || closing
      defer { state.content = [:] }
      return Array(state.content.values)
    }
  }
}

/// Stores one cancellable, and cancels it when it is replaced, or when this is released.
public final class SerialCancellable: Cancellable, Sendable {
  private struct State {
    var content: AnyCancellable?
    var isClosed = false
  }

  private let state = Guarded(State())

  /// Creates an empty holder.
  public init() {}

  deinit { cancel() }

  /// Stores `cancellable` and cancels the previous one. After ``cancel()``, `cancellable` is cancelled immediately.
  public func replace(with cancellable: AnyCancellable?) {
    let gone = state.withLock { state -> AnyCancellable? in
      if state.isClosed { return cancellable }
      defer { state.content = cancellable }
      return state.content
    }
    gone?.cancel()
  }

  /// Cancels the stored cancellable, and those that are stored later.
  public func cancel() {
    state.withLock { state -> AnyCancellable? in
      state.isClosed = true
      return state.content.take()
    }?.cancel()
  }
}

extension AnyCancellable {
  /// Stores this cancellable in `bag`.
  @_disfavoredOverload
  public func store(in bag: CancelBag) { bag.insert(self) }

  /// Stores this cancellable in `holder`, and cancels the previous one.
  @_disfavoredOverload
  public func store(in holder: SerialCancellable) { holder.replace(with: self) }
}

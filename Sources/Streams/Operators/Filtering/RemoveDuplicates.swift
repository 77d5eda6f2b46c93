extension Publisher where Output: Equatable {
  /// Drops values that equal the previous value.
  ///
  /// ```swift
  /// let cancellable = [1, 1, 2, 2, 1].publisher
  ///   .removeDuplicates()
  ///   .sink { print($0) }
  /// // Prints 1, 2, 1
  /// ```
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}

extension Publisher {
  /// Drops values that a closure considers equal to the previous value, whether or not that was sent.
  ///
  /// - Parameter predicate: Receives the previous value and the new one.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Drops values that a throwing closure considers equal to the previous value. The stream fails if it throws.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/removeDuplicates(by:)``.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose repeated values are dropped.
    public let upstream: Upstream
    /// Whether the previous value, passed first, and the new one are equal.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.removeDuplicates(by: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: RemoveDuplicatesStage(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryRemoveDuplicates(by:)`.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose repeated values are dropped.
    public let upstream: Upstream
    /// Whether the previous value, passed first, and the new one are equal. An error fails the stream.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryRemoveDuplicates(by: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryRemoveDuplicatesStage(predicate), to: subscriber)
    }
  }
}

/// Does not share a type with its throwing twin: a closure of either kind would be called through a thunk, each time.
@frozen @usableFromInline
struct RemoveDuplicatesStage<Value>: Stage {
  @inlinable static var name: String { "RemoveDuplicates" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let isSame: (Value, Value) -> Bool

  @inlinable
  init(_ isSame: @escaping (Value, Value) -> Bool) { self.isSame = isSame }

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ last: inout Value?) -> Step<Value> {
    guard let before = last else {
      last = value
      return .emit(value)
    }
    last = value
    return isSame(before, value) ? .skip : .emit(value)
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [("downstream", parts.downstream), ("last", (parts.memory ?? nil) as Any)]
  }
}

@frozen @usableFromInline
struct TryRemoveDuplicatesStage<Value>: Stage {
  @inlinable static var name: String { "TryRemoveDuplicates" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let isSame: (Value, Value) throws -> Bool

  @inlinable
  init(_ isSame: @escaping (Value, Value) throws -> Bool) { self.isSame = isSame }

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ last: inout Value?) throws -> Step<Value> {
    guard let before = last else {
      last = value
      return .emit(value)
    }
    last = value
    return try isSame(before, value) ? .skip : .emit(value)
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [("downstream", parts.downstream), ("last", (parts.memory ?? nil) as Any)]
  }
}

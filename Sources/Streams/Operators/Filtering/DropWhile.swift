extension Publisher {
  /// Drops values until one does not satisfy `predicate`. Sends that value and all later ones.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 9, 1].publisher
  ///   .drop { $0 < 5 }
  ///   .sink { print($0) }
  /// // Prints 9, 1
  /// ```
  ///
  /// - Parameter predicate: Not called again after it has returned false.
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Drops values until one does not satisfy a throwing predicate. The stream fails if it throws.
  @inlinable
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/drop(while:)``.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are dropped.
    public let upstream: Upstream
    /// Whether a value is dropped.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.drop(while: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: DropWhileStage(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryDrop(while:)`.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose first values are dropped.
    public let upstream: Upstream
    /// Whether a value is dropped. An error that it throws is the failure of the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryDrop(while: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryDropWhileStage(predicate), to: subscriber)
    }
  }
}

/// Does not share a type with its throwing twin: a closure of either kind would be called through a thunk, each time.
@frozen @usableFromInline
struct DropWhileStage<Value>: Stage {
  @inlinable static var name: String { "DropWhile" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let predicate: (Value) -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) -> Bool) { self.predicate = predicate }

  @inlinable var initial: Bool { true }

  @inlinable
  func receive(_ value: Value, _ isDropping: inout Bool) -> Step<Value> {
    if isDropping, predicate(value) { return .skip }
    isDropping = false
    return .emit(value)
  }
}

@frozen @usableFromInline
struct TryDropWhileStage<Value>: Stage {
  @inlinable static var name: String { "TryDropWhile" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let predicate: (Value) throws -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) throws -> Bool) { self.predicate = predicate }

  @inlinable var initial: Bool { true }

  @inlinable
  func receive(_ value: Value, _ isDropping: inout Bool) throws -> Step<Value> {
    if isDropping, try predicate(value) { return .skip }
    isDropping = false
    return .emit(value)
  }
}

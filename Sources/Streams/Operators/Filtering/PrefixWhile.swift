extension Publisher {
  /// Sends values until one does not satisfy `predicate`, then cancels the upstream and finishes.
  ///
  /// ```swift
  /// let cancellable = (1...).publisher
  ///   .prefix { $0 * $0 < 20 }
  ///   .sink { print($0) }
  /// // Prints 1, 2, 3, 4
  /// ```
  ///
  /// The value that does not satisfy the predicate is not sent.
  ///
  /// - Parameter predicate: Called once for each value, in order, until it returns false.
  @inlinable
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Sends values until one does not satisfy a throwing predicate, then finishes. The stream fails if it throws.
  @inlinable
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self>
  {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/prefix(while:)``.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are sent.
    public let upstream: Upstream
    /// Whether a value is sent. The first false finishes the stream.
    public let predicate: (Output) -> Bool

    /// Creates the publisher that `upstream.prefix(while: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: PrefixWhileStage(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryPrefix(while:)`.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose first values are sent.
    public let upstream: Upstream
    /// Whether a value is sent. The first false finishes the stream, and an error fails it.
    public let predicate: (Output) throws -> Bool

    /// Creates the publisher that `upstream.tryPrefix(while: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryPrefixWhileStage(predicate), to: subscriber)
    }
  }
}

/// Does not share a type with its throwing twin: a closure of either kind would be called through a thunk, each time.
@frozen @usableFromInline
struct PrefixWhileStage<Value>: Stage {
  @inlinable static var name: String { "PrefixWhile" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let predicate: (Value) -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) -> Bool) { self.predicate = predicate }

  @inlinable
  func receive(_ value: Value, _: inout Void) -> Step<Value> {
    predicate(value) ? .emit(value) : .finish
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] { [("downstream", parts.downstream)] }
}

@frozen @usableFromInline
struct TryPrefixWhileStage<Value>: Stage {
  @inlinable static var name: String { "TryPrefixWhile" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let predicate: (Value) throws -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) throws -> Bool) { self.predicate = predicate }

  @inlinable
  func receive(_ value: Value, _: inout Void) throws -> Step<Value> {
    try predicate(value) ? .emit(value) : .finish
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] { [("downstream", parts.downstream)] }
}

extension Publisher {
  /// Passes values on until one fails `predicate`, then finishes.
  ///
  /// The value that fails is not delivered, and upstream is cancelled at once.
  ///
  /// ```swift
  /// (1...).publisher.prefix { $0 * $0 < 20 }.sink { print($0) }  // 1 2 3 4
  /// ```
  ///
  /// - Parameter predicate: Called once for each value, in order.
  @inlinable
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Passes values on until one fails `predicate`, then finishes; fails if `predicate` throws.
  @inlinable
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self>
  {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/prefix(while:)``.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values pass.
    public let upstream: Upstream
    /// Whether a value passes; the first that does not finishes the stream.
    public let predicate: (Output) -> Bool

    /// The same as `upstream.prefix(while: predicate)`.
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

  /// The publisher of ``Publisher/tryPrefix(while:)``.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose first values pass.
    public let upstream: Upstream
    /// Whether a value passes; the first that does not finishes the stream, throwing fails it.
    public let predicate: (Output) throws -> Bool

    /// The same as `upstream.tryPrefix(while: predicate)`.
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

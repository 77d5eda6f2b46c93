extension Publisher {
  /// Leaves values out until one fails `predicate`; passes that one and all that follow.
  ///
  /// ```swift
  /// [1, 2, 9, 1].publisher.drop { $0 < 5 }.sink { print($0) }  // 9 1
  /// ```
  ///
  /// - Parameter predicate: Not called again once it has answered false.
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Leaves values out until one fails `predicate`; fails if it throws.
  @inlinable
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/drop(while:)``.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are left out.
    public let upstream: Upstream
    /// Whether a value is left out; the first that is not ends it.
    public let predicate: (Upstream.Output) -> Bool

    /// The same as `upstream.drop(while: predicate)`.
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

  /// The publisher of ``Publisher/tryDrop(while:)``.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose first values are left out.
    public let upstream: Upstream
    /// Whether a value is left out; the first that is not ends it. Throwing fails the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The same as `upstream.tryDrop(while: predicate)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: DropWhileStage(predicate), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct DropWhileStage<Value, Thrown: Error>: Stage {
  @inlinable static var name: String { Thrown.self == Never.self ? "DropWhile" : "TryDropWhile" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let predicate: (Value) throws(Thrown) -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) throws(Thrown) -> Bool) { self.predicate = predicate }

  @inlinable var initial: Bool { true }

  @inlinable
  func receive(_ value: Value, _ isDropping: inout Bool) throws(Thrown) -> Step<Value> {
    if isDropping, try predicate(value) { return .skip }
    isDropping = false
    return .emit(value)
  }
}

extension Publisher {
  /// Sends the last value when this publisher finishes. An empty stream finishes without a value.
  @inlinable
  public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }

  /// Sends the last value that satisfies `predicate`, when this publisher finishes.
  @inlinable
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Sends the last value that satisfies a throwing predicate. The stream fails if it throws.
  @inlinable
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/last()``.
  public struct Last<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose last value is sent.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.last()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: LastFolding(), to: subscriber)
    }
  }

  /// The publisher returned by ``Publisher/last(where:)``.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is a match.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.last(where: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: LastMatch(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryLast(where:)`.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is a match. An error that it throws is the failure of the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryLast(where: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: LastMatch(predicate), to: subscriber)
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}
extension Publishers.Last: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct LastFolding<Value>: Folding {
  @inlinable static var name: String { "Last" }

  @inlinable init() {}

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ memory: inout Value?) -> FoldEffect {
    memory = value
    return .changed
  }

  @inlinable
  func result(_ memory: Value?) -> Value? { memory }
}

@frozen @usableFromInline
struct LastMatch<Value, Thrown: Error>: Folding {
  @inlinable static var name: String { Thrown.self == Never.self ? "LastWhere" : "TryLastWhere" }

  @usableFromInline let predicate: (Value) throws(Thrown) -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) throws(Thrown) -> Bool) {
    self.predicate = predicate
  }

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ memory: inout Value?) throws(Thrown) -> FoldEffect {
    guard try predicate(value) else { return .unchanged }
    memory = value
    return .changed
  }

  @inlinable
  func result(_ memory: Value?) -> Value? { memory }
}

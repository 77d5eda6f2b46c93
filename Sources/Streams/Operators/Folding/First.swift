extension Publisher {
  /// Sends the first value and finishes. An empty stream finishes without a value.
  ///
  /// ```swift
  /// let cancellable = ["a", "b"].publisher
  ///   .first()
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints a, finished
  /// ```
  ///
  /// Everything is requested from this publisher, unlike with `prefix(1)`. The first value cancels it.
  @inlinable
  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

  /// Sends the first value that satisfies `predicate`, and finishes. That value cancels the upstream.
  @inlinable
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Sends the first value that satisfies a throwing predicate. The stream fails if it throws.
  @inlinable
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/first()``.
  public struct First<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first value is sent.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.first()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: FirstFolding(), to: subscriber)
    }
  }

  /// The publisher returned by ``Publisher/first(where:)``.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is a match.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.first(where: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: FirstMatch(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryFirst(where:)`.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is a match. An error that it throws is the failure of the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryFirst(where: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: FirstMatch(predicate), to: subscriber)
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.First: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct FirstFolding<Value>: Folding {
  @inlinable static var name: String { "First" }

  @inlinable init() {}

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ memory: inout Value?) -> FoldEffect {
    memory = value
    return .known
  }

  @inlinable
  func result(_ memory: Value?) -> Value? { memory }
}

@frozen @usableFromInline
struct FirstMatch<Value, Thrown: Error>: Folding {
  /// `first(where:)` is called so in Combine, too.
  @inlinable static var name: String { Thrown.self == Never.self ? "TryFirst" : "TryFirstWhere" }

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
    return .known
  }

  @inlinable
  func result(_ memory: Value?) -> Value? { memory }
}

extension Publisher where Output: Equatable {
  /// Sends whether a value equals `output`. Sends true and finishes with the first one that does.
  @inlinable
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publisher {
  /// Sends whether a value satisfies `predicate`. Sends true and finishes with the first one that does.
  @inlinable
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Sends whether a value satisfies a throwing predicate. The stream fails if it throws.
  @inlinable
  public func tryContains(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryContainsWhere<Self>
  {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/contains(_:)``.
  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// The value to find.
    public let output: Upstream.Output

    /// Creates the publisher that `upstream.contains(output)` returns.
    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: ContainsFolding(output), to: subscriber)
    }
  }

  /// The publisher returned by ``Publisher/contains(where:)``.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is a match.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.contains(where: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: AnyMatch(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryContains(where:)`.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is a match. An error that it throws is the failure of the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryContains(where: predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: AnyMatch(predicate), to: subscriber)
    }
  }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}
extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

@frozen @usableFromInline
struct ContainsFolding<Input: Equatable>: Folding {
  @inlinable static var name: String { "Contains" }

  @usableFromInline let output: Input

  @inlinable
  init(_ output: Input) {
    self.output = output
  }

  @inlinable var initial: Bool { false }

  @inlinable
  func receive(_ value: Input, _ memory: inout Bool) -> FoldEffect {
    guard value == output else { return .unchanged }
    memory = true
    return .known
  }

  @inlinable
  func result(_ memory: Bool) -> Bool? { memory }
}

@frozen @usableFromInline
struct AnyMatch<Input, Thrown: Error>: Folding {
  @inlinable static var name: String { Thrown.self == Never.self ? "ContainsWhere" : "TryContainsWhere" }

  @usableFromInline let predicate: (Input) throws(Thrown) -> Bool

  @inlinable
  init(_ predicate: @escaping (Input) throws(Thrown) -> Bool) {
    self.predicate = predicate
  }

  @inlinable var initial: Bool { false }

  @inlinable
  func receive(_ value: Input, _ memory: inout Bool) throws(Thrown) -> FoldEffect {
    guard try predicate(value) else { return .unchanged }
    memory = true
    return .known
  }

  @inlinable
  func result(_ memory: Bool) -> Bool? { memory }
}

extension Publisher where Output: Equatable {
  /// Sends true and finishes as soon as `output` comes; sends false at the end if it never does.
  @inlinable
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publisher {
  /// Sends true and finishes as soon as a value satisfies `predicate`; sends false at the end if none does.
  @inlinable
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// The same with a predicate that may throw; fails if it does.
  @inlinable
  public func tryContains(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryContainsWhere<Self>
  {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/contains(_:)``.
  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// What is looked for.
    public let output: Upstream.Output

    /// The same as `upstream.contains(output)`.
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

  /// The publisher of ``Publisher/contains(where:)``.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is what is looked for.
    public let predicate: (Upstream.Output) -> Bool

    /// The same as `upstream.contains(where: predicate)`.
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

  /// The publisher of ``Publisher/tryContains(where:)``.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error

    /// The publisher whose values are searched.
    public let upstream: Upstream
    /// Whether a value is what is looked for; throwing fails the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The same as `upstream.tryContains(where: predicate)`.
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
  func receive(_ value: Input, _ memory: inout Bool) -> Bool {
    memory = value == output
    return memory
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
  func receive(_ value: Input, _ memory: inout Bool) throws(Thrown) -> Bool {
    memory = try predicate(value)
    return memory
  }

  @inlinable
  func result(_ memory: Bool) -> Bool? { memory }
}

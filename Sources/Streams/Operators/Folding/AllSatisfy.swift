extension Publisher {
  /// Sends whether all values satisfy `predicate`. Sends false and finishes with the first one that does not.
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Sends whether all values satisfy a throwing predicate. The stream fails if it throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self>
  {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/allSatisfy(_:)``.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are tested.
    public let upstream: Upstream
    /// Whether a value satisfies the condition. The first false ends the stream.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.allSatisfy(predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: AllMatch(predicate), to: subscriber)
    }
  }

  /// The publisher returned by `tryAllSatisfy(_:)`.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error

    /// The publisher whose values are tested.
    public let upstream: Upstream
    /// Whether a value satisfies the condition. The first false ends the stream, and an error fails it.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryAllSatisfy(predicate)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: AllMatch(predicate), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct AllMatch<Input, Thrown: Error>: Folding {
  @inlinable static var name: String { Thrown.self == Never.self ? "AllSatisfy" : "TryAllSatisfy" }

  @usableFromInline let predicate: (Input) throws(Thrown) -> Bool

  @inlinable
  init(_ predicate: @escaping (Input) throws(Thrown) -> Bool) {
    self.predicate = predicate
  }

  @inlinable var initial: Bool { true }

  @inlinable
  func receive(_ value: Input, _ memory: inout Bool) throws(Thrown) -> FoldEffect {
    if try predicate(value) { return .unchanged }
    memory = false
    return .known
  }

  @inlinable
  func result(_ memory: Bool) -> Bool? { memory }
}

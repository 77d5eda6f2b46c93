extension Publisher {
  /// Sends false and finishes as soon as a value fails `predicate`; sends true at the end if none does.
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// The same with a predicate that may throw; fails if it does.
  @inlinable
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self>
  {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/allSatisfy(_:)``.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are tested.
    public let upstream: Upstream
    /// The test; the first value that fails it ends the stream.
    public let predicate: (Upstream.Output) -> Bool

    /// The same as `upstream.allSatisfy(predicate)`.
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

  /// The publisher of ``Publisher/tryAllSatisfy(_:)``.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error

    /// The publisher whose values are tested.
    public let upstream: Upstream
    /// The test; the first value that fails it ends the stream. Throwing fails the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The same as `upstream.tryAllSatisfy(predicate)`.
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
  func receive(_ value: Input, _ memory: inout Bool) throws(Thrown) -> Bool {
    memory = try predicate(value)
    return !memory
  }

  @inlinable
  func result(_ memory: Bool) -> Bool? { memory }
}

extension Publisher {
  /// Passes on the values that satisfy `isIncluded`.
  ///
  /// ```swift
  /// (1...6).publisher.filter { $0.isMultiple(of: 2) }.sink { print($0) }  // 2 4 6
  /// ```
  ///
  /// Has no state: demand, cancellation and completion pass straight through, and another value is asked for in
  /// place of one that is left out.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/filter(_:)``.
  public struct Filter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let isIncluded: (Output) -> Bool

    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(FilterPass(isIncluded, subscriber))
    }
  }
}

extension Publishers.Filter {
  /// One stage instead of two.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }
}

@frozen @usableFromInline
struct FilterPass<Downstream: Subscriber>: Pass {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let isIncluded: (Input) -> Bool
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ isIncluded: @escaping (Input) -> Bool, _ downstream: Downstream) {
    self.isIncluded = isIncluded
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    isIncluded(input) ? downstream.receive(input) : .max(1)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
  /// Sends the values that satisfy `isIncluded`.
  ///
  /// ```swift
  /// let cancellable = (1...6).publisher
  ///   .filter { $0.isMultiple(of: 2) }
  ///   .sink { print($0) }
  /// // Prints 2, 4, 6
  /// ```
  ///
  /// Stateless: demand, cancellation and completion pass unchanged. One more value is requested for each value that is
  /// dropped.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  /// Sends the values that satisfy a throwing predicate. The stream fails if it throws.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/filter(_:)``.
  public struct Filter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are filtered.
    public let upstream: Upstream
    /// Whether a value is sent.
    public let isIncluded: (Output) -> Bool

    /// Creates the publisher that `upstream.filter(isIncluded)` returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(FilterSubscriber(isIncluded, subscriber))
    }
  }

  /// The publisher returned by `tryFilter(_:)`.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are filtered.
    public let upstream: Upstream
    /// Whether a value is sent. An error that it throws is the failure of the stream.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryFilter(isIncluded)` returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryFilterStage(isIncluded), to: subscriber)
    }
  }
}

extension Publishers.Filter {
  /// Filters once more, in the same stage.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }

  /// Filters once more with a throwing predicate, in the same stage.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension Publishers.TryFilter {
  /// Filters once more, in the same stage.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }

  /// Filters once more with a throwing predicate, in the same stage.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

@frozen @usableFromInline
struct FilterSubscriber<Downstream: Subscriber>: StatelessSubscriber {
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
}

@frozen @usableFromInline
struct TryFilterStage<Value>: Stage {
  @inlinable static var name: String { "TryFilter" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let isIncluded: (Value) throws -> Bool

  @inlinable
  init(_ isIncluded: @escaping (Value) throws -> Bool) { self.isIncluded = isIncluded }

  @inlinable
  func receive(_ value: Value, _: inout Void) throws -> Step<Value> {
    try isIncluded(value) ? .emit(value) : .skip
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] { [("downstream", parts.downstream)] }
}

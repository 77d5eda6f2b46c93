extension Publisher {
  /// Sends each value as a tuple with its number.
  ///
  /// ```
  /// self    -a-----b-----|
  /// result  -(0,a)-(1,b)-|
  /// ```
  ///
  /// - Parameter initial: The number of the first value.
  @_disfavoredOverload
  @inlinable
  public func enumerated(initial: Int = 0) -> MorePublishers.Enumerated<Self> {
    MorePublishers.Enumerated(upstream: self, initial: initial)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/enumerated(initial:)``.
  public struct Enumerated<Upstream: Publisher>: Publisher {
    public typealias Output = (index: Int, element: Upstream.Output)
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are numbered.
    public let upstream: Upstream
    /// The number of the first value.
    public let initial: Int

    /// Creates the publisher that `upstream.enumerated(initial: initial)` returns.
    @inlinable
    public init(upstream: Upstream, initial: Int) {
      self.upstream = upstream
      self.initial = initial
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: EnumeratedStage(initial), to: subscriber)
    }
  }
}

extension MorePublishers.Enumerated: Equatable where Upstream: Equatable {}
extension MorePublishers.Enumerated: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct EnumeratedStage<Value>: Stage {
  @inlinable static var name: String { "Enumerated" }

  @usableFromInline let initial: Int

  @inlinable
  init(_ initial: Int) { self.initial = initial }

  @inlinable
  func receive(_ value: Value, _ number: inout Int) -> Step<(index: Int, element: Value)> {
    defer { number &+= 1 }
    return .emit((number, value))
  }
}

extension YieldingNames {
  /// The publisher returned by ``Streams/Publisher/enumerated(initial:)``.
  public typealias Enumerated<Upstream: Publisher> = MorePublishers.Enumerated<Upstream>
}

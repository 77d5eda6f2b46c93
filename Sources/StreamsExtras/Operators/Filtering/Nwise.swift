extension Publisher {
  /// Sends the last `size` values as an array with each value, once there are enough.
  ///
  /// ```
  /// self    -1---2------3------|
  /// result  -----[1,2]--[2,3]--|    nwise(2)
  /// ```
  ///
  /// Traps if `size` is less than two.
  ///
  /// - Complexity: O(`size`) for each value.
  @_disfavoredOverload
  @inlinable
  public func nwise(_ size: Int) -> AnyPublisher<[Output], Failure> {
    MorePublishers.Nwise(upstream: self, size: size).eraseToAnyPublisher()
  }

  /// Sends each value as a tuple with the previous one. The first value alone sends nothing.
  ///
  /// ```
  /// self    -1---2-----3-----|
  /// result  -----(1,2)-(2,3)-|
  /// ```
  @_disfavoredOverload
  @inlinable
  public func pairwise() -> AnyPublisher<(Output, Output), Failure> {
    MorePublishers.Pairwise(upstream: self).eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/nwise(_:)``.
  public struct Nwise<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are grouped.
    public let upstream: Upstream
    /// The number of values in an array.
    public let size: Int

    /// Creates the publisher that `upstream.nwise(size)` returns. Traps if `size` is less than two.
    @inlinable
    public init(upstream: Upstream, size: Int) {
      if size < 2 { Violation.smallWindow(size) }
      self.upstream = upstream
      self.size = size
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: NwiseStage(size), to: subscriber)
    }
  }

  /// The publisher returned by ``Streams/Publisher/pairwise()``.
  public struct Pairwise<Upstream: Publisher>: Publisher {
    public typealias Output = (Upstream.Output, Upstream.Output)
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are paired.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.pairwise()` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: PairwiseStage(), to: subscriber)
    }
  }
}

extension MorePublishers.Nwise: Equatable where Upstream: Equatable {}
extension MorePublishers.Nwise: Sendable where Upstream: Sendable {}
extension MorePublishers.Pairwise: Equatable where Upstream: Equatable {}
extension MorePublishers.Pairwise: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct NwiseStage<Value>: Stage {
  @inlinable static var name: String { "Nwise" }

  @usableFromInline let size: Int

  @inlinable
  init(_ size: Int) { self.size = size }

  @inlinable var initial: [Value] { [] }

  @inlinable
  func receive(_ value: Value, _ window: inout [Value]) -> Step<[Value]> {
    if window.count == size { window.removeFirst() }
    window.append(value)
    return window.count == size ? .emit(window) : .skip
  }
}

@frozen @usableFromInline
struct PairwiseStage<Value>: Stage {
  @inlinable static var name: String { "Pairwise" }

  @inlinable
  init() {}

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ previous: inout Value?) -> Step<(Value, Value)> {
    defer { previous = value }
    guard let previous else { return .skip }
    return .emit((previous, value))
  }
}

extension Publisher {
  /// Sends the first `maxLength` values and finishes.
  ///
  /// ```swift
  /// let cancellable = (1...).publisher
  ///   .prefix(3)
  ///   .sink { print($0) }
  /// // Prints 1, 2, 3
  /// ```
  ///
  /// The upstream is cancelled after the last value is sent, and the completion follows that directly. `prefix(0)` finishes
  /// at once. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    guard maxLength >= 0 else { Violation.negativeCount("the length of a prefix", maxLength) }
    return Publishers.Output(upstream: self, range: 0..<maxLength)
  }

  /// Sends the value at a position, counted from zero, then finishes. Traps if `index` is negative or `Int.max`.
  @inlinable
  public func output(at index: Int) -> Publishers.Output<Self> {
    guard index >= 0 else { Violation.negativeCount("the index of output", index) }
    return output(in: index...index)
  }

  /// Sends the values whose positions, counted from zero, are in `range`, then finishes.
  ///
  /// Traps if a bound is negative, or if the range ends with `Int.max`.
  @inlinable
  public func output<Bounds: RangeExpression>(in range: Bounds) -> Publishers.Output<Self>
  where Bounds.Bound == Int {
    Publishers.Output(upstream: self, range: range.places)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/prefix(_:)``, ``Publisher/output(at:)`` and ``Publisher/output(in:)``.
  public struct Output<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are selected.
    public let upstream: Upstream
    /// The positions of the values to send, counted from zero.
    public let range: CountableRange<Int>

    /// Creates the publisher that `upstream.output(in: range)` returns.
    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      guard range.lowerBound >= 0 else {
        Violation.negativeCount("the lower bound of an output range", range.lowerBound)
      }
      self.upstream = upstream
      self.range = range
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      if range.isEmpty {
        upstream.cancelOnArrival(for: subscriber)
      } else {
        upstream.relay(through: OutputStage(range), to: subscriber)
      }
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}
extension Publishers.Output: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct OutputStage<Value>: Stage {
  @inlinable static var name: String { "Output" }

  @usableFromInline let range: CountableRange<Int>

  @inlinable
  init(_ range: CountableRange<Int>) { self.range = range }

  @inlinable var initial: Int { 0 }

  @inlinable
  func receive(_ value: Value, _ place: inout Int) -> Step<Value> {
    defer { place += 1 }
    if place < range.lowerBound { return .skip }
    return place == range.upperBound - 1 ? .emitLast(value) : .emit(value)
  }
}

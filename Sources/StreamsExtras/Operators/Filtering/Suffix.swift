extension Publisher {
  /// Sends the last `count` values when this publisher finishes.
  ///
  /// ```
  /// self    -1-2-3-|
  /// result  -------(23|)     suffix(2)
  /// ```
  ///
  /// Everything is requested from this publisher. The last values are sent as they are requested. A failure drops them.
  /// Traps if `count` is negative.
  ///
  /// - Complexity: Keeps up to `count` values.
  @_disfavoredOverload
  @inlinable
  public func suffix(_ count: Int) -> MorePublishers.Suffix<Self> {
    MorePublishers.Suffix(upstream: self, count: count)
  }

  /// Sends the last `count` values. The same as ``suffix(_:)``, with a name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func takeLast(_ count: Int) -> MorePublishers.Suffix<Self> { suffix(count) }

  /// Sends all values except the last `count`.
  ///
  /// ```
  /// self    -1-2-3-4-|
  /// result  -----1-2-|       dropLast(2)
  /// ```
  ///
  /// A value is sent when `count` more have arrived. Traps if `count` is negative.
  ///
  /// - Complexity: Keeps up to `count` values.
  @_disfavoredOverload
  @inlinable
  public func dropLast(_ count: Int = 1) -> MorePublishers.DropLast<Self> {
    MorePublishers.DropLast(upstream: self, count: count)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/suffix(_:)``.
  public struct Suffix<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose last values are sent.
    public let upstream: Upstream
    /// The number of values to send.
    public let count: Int

    /// Creates the publisher that `upstream.suffix(count)` returns. Traps if `count` is negative.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      if count < 0 { Violation.negativeCount("the length of a suffix", count) }
      self.upstream = upstream
      self.count = count
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Suffix", for: subscriber) { core in
        var kept = RingQueue<Output>()
        let count = count  // not the upstream: it may hold what holds this
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
          if count == 0 { return }
          let oldest = kept.count == count ? kept.popFirst() : nil
          kept.append(value)
          withExtendedLifetime(oldest) {}
        } onCompletion: { completion in
          if completion.isFailure { return core.finish(completion) }
          while let value = kept.popFirst() { core.emit(value) }
          core.finish(.finished)
        }
      }
    }
  }

  /// The publisher returned by ``Streams/Publisher/dropLast(_:)``.
  public struct DropLast<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose last values are dropped.
    public let upstream: Upstream
    /// The number of dropped values.
    public let count: Int

    /// Creates the publisher that `upstream.dropLast(count)` returns. Traps if `count` is negative.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      if count < 0 { Violation.negativeCount("how many values are dropped", count) }
      self.upstream = upstream
      self.count = count
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: DropLastStage(count), to: subscriber)
    }
  }
}

extension MorePublishers.Suffix: Equatable where Upstream: Equatable {}
extension MorePublishers.Suffix: Sendable where Upstream: Sendable {}
extension MorePublishers.DropLast: Equatable where Upstream: Equatable {}
extension MorePublishers.DropLast: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct DropLastStage<Value>: Stage {
  @inlinable static var name: String { "DropLast" }

  @usableFromInline let count: Int

  @inlinable
  init(_ count: Int) { self.count = count }

  @inlinable var initial: Box<RingQueue<Value>> { Box(RingQueue()) }

  @inlinable
  func receive(_ value: Value, _ kept: inout Box<RingQueue<Value>>) -> Step<Value> {
    kept.value.append(value)
    guard kept.value.count > count, let oldest = kept.value.popFirst() else { return .skip }
    return .emit(oldest)
  }
}

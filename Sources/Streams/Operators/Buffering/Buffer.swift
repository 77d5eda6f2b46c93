extension Publishers {
  /// When ``Publisher/buffer(size:prefetch:whenFull:)`` asks upstream for values.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// As many as the buffer holds at first, then one for each that is delivered.
    case keepFull
    /// Everything, at once.
    case byRequest
  }

  /// What ``Publisher/buffer(size:prefetch:whenFull:)`` does with a value for which there is no room.
  public enum BufferingStrategy<Failure: Error> {
    /// It is dropped.
    case dropNewest
    /// The oldest is dropped in its favour.
    case dropOldest
    /// Upstream is cancelled. At the next request the stream fails, after as much of what is kept as was asked for.
    case customError(() -> Failure)
  }
}

extension Publisher {
  /// Keeps values for which there is no demand, up to `size`.
  ///
  /// Upstream is asked before downstream gets its subscription. The end waits until what is kept has been delivered;
  /// a failure waits only for what was asked for.
  ///
  /// - Complexity: Keeps up to `size` values.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/buffer(size:prefetch:whenFull:)``.
  public struct Buffer<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let size: Int
    public let prefetch: PrefetchStrategy
    public let whenFull: BufferingStrategy<Failure>

    /// Traps if `size` is negative.
    @inlinable
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
    ) {
      guard size >= 0 else { Violation.negativeCount("the size of a buffer", size) }
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(Reservoir(size, prefetch, whenFull, to: subscriber))
    }
  }
}

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

    /// The publisher whose values are kept until they are asked for.
    public let upstream: Upstream
    /// How many may be kept.
    public let size: Int
    /// When upstream is asked: as there is room, or for everything at once.
    public let prefetch: PrefetchStrategy
    /// What happens to a value for which there is no room.
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
      upstream.subscribe(Reservoir(size, prefetch, whenFull, to: subscriber))
    }
  }
}

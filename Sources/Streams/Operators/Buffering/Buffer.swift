extension Publishers {
  /// When ``Publisher/buffer(size:prefetch:whenFull:)`` requests values from its upstream.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// Requests as many values as the buffer holds, then one for each value that is delivered.
    case keepFull
    /// Requests everything at once.
    case byRequest
  }

  /// How ``Publisher/buffer(size:prefetch:whenFull:)`` treats a value when the buffer is full.
  public enum BufferingStrategy<Failure: Error> {
    /// Drops the new value.
    case dropNewest
    /// Drops the oldest value and keeps the new one. A buffer of size zero drops the new one.
    case dropOldest
    /// Cancels the upstream. The stream fails at the next request, after the values of the buffer that are requested. It
    /// fails without a request if the size is zero, or after the subscription or a delivery during which the buffer overflowed.
    case customError(() -> Failure)
  }
}

extension Publisher {
  /// Buffers up to `size` values that the downstream has not requested.
  ///
  /// Values are requested of the upstream before the downstream receives its subscription. A normal completion waits until
  /// the buffer is empty. A failure waits only for values that were requested.
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
  /// The publisher returned by ``Publisher/buffer(size:prefetch:whenFull:)``.
  public struct Buffer<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are buffered.
    public let upstream: Upstream
    /// The capacity of the buffer.
    public let size: Int
    /// When values are requested from the upstream.
    public let prefetch: PrefetchStrategy
    /// The treatment of a value when the buffer is full.
    public let whenFull: BufferingStrategy<Failure>

    /// Creates the publisher that `upstream.buffer(size:prefetch:whenFull:)` returns. Traps if `size` is negative.
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
      upstream.attach(Buffering(size, prefetch, whenFull, to: subscriber))
    }
  }
}

extension OperatorCore {
  /// Sends `value`, or stores it if fewer than `size` values wait. Otherwise `whenFull` decides.
  @inlinable
  package func emit(
    _ value: Output, keeping size: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    if isEnding { return }
    if demand > .none && waitingCount == 0 || waitingCount < size { return emit(value) }
    switch whenFull {
    case .dropNewest: drop(value, because: .full)
    case .dropOldest:
      guard let oldest = next() else { return drop(value, because: .full) }
      emit(value)
      drop(oldest.0, because: .full)
    case .customError(let make): finish(.failure(make()), afterAll: true)
    }
  }
}

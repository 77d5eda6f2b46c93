extension Publisher {
  /// Requests everything, and buffers up to `size` values that the downstream has not requested.
  ///
  /// `whenFull` decides how a value beyond that is treated.
  @_disfavoredOverload
  @inlinable
  public func onBackpressureBuffer(
    _ size: Int = .max, whenFull: Publishers.BufferingStrategy<Failure> = .dropOldest
  ) -> Publishers.Buffer<Self> {
    buffer(size: size, prefetch: .byRequest, whenFull: whenFull)
  }

  /// Requests everything, and drops values that the downstream has not requested.
  @_disfavoredOverload
  @inlinable
  public func onBackpressureDrop() -> Publishers.Buffer<Self> {
    buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest)
  }

  /// Requests everything, and keeps only the latest value that the downstream has not requested.
  @_disfavoredOverload
  @inlinable
  public func onBackpressureLatest() -> Publishers.Buffer<Self> {
    buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
  }

  /// Requests at most `count` values ahead, whatever the downstream requests.
  ///
  /// Unlimited demand becomes a request for `count` values, and for one more with each value that is sent.
  ///
  /// - Complexity: Keeps up to `count` values.
  @_disfavoredOverload
  @inlinable
  public func limitRate(_ count: Int) -> Publishers.Buffer<Self> {
    buffer(size: count, prefetch: .keepFull, whenFull: .dropNewest)
  }
}

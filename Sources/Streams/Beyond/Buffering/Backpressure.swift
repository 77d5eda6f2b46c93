extension Publisher {
  /// Asks for everything, and keeps up to `size` values that downstream has not asked for.
  ///
  /// `whenFull` says what happens to the next one.
  @_disfavoredOverload
  @inlinable
  public func onBackpressureBuffer(
    _ size: Int = .max, whenFull: Publishers.BufferingStrategy<Failure> = .dropOldest
  ) -> Publishers.Buffer<Self> {
    buffer(size: size, prefetch: .byRequest, whenFull: whenFull)
  }

  /// Asks for everything, and drops what downstream has not asked for.
  @_disfavoredOverload
  @inlinable
  public func onBackpressureDrop() -> Publishers.Buffer<Self> {
    buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest)
  }

  /// Asks for everything, and keeps the latest value that downstream has not asked for.
  @_disfavoredOverload
  @inlinable
  public func onBackpressureLatest() -> Publishers.Buffer<Self> {
    buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
  }

  /// Never asks this publisher for more than `count` values ahead, whatever downstream asks for.
  ///
  /// Unlimited demand so becomes one for `count` values, and for one more with each that is sent.
  ///
  /// - Complexity: Keeps up to `count` values.
  @_disfavoredOverload
  @inlinable
  public func limitRate(_ count: Int) -> Publishers.Buffer<Self> {
    buffer(size: count, prefetch: .keepFull, whenFull: .dropNewest)
  }
}

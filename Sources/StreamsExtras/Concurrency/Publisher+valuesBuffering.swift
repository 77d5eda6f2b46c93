extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence that buffers, for publishers that never fail.
  ///
  /// Each iteration subscribes when it begins. If the task is cancelled, the current or next call of `next()` returns `nil`,
  /// drops the buffered values, and cancels the subscription. Releasing the iterator cancels it, too.
  ///
  /// ```swift
  /// for await value in subject.values(buffering: .unbounded) { print(value) }
  /// ```
  ///
  /// - Complexity: Keeps as many values as `buffering` allows.
  @_disfavoredOverload
  @inlinable
  public func values(buffering: Publishers.AsyncBuffering) -> AsyncPublisher<Self> {
    AsyncPublisher(self, buffering: buffering)
  }
}

extension Publisher {
  /// The values of this publisher as an asynchronous sequence that buffers, and throws the failure once.
  ///
  /// Each iteration subscribes when it begins. The failure is thrown after the buffered values. If the task is cancelled,
  /// the current or next call of `next()` returns `nil`, drops the buffered values, and cancels the subscription. Releasing
  /// the iterator cancels it, too.
  ///
  /// - Complexity: Keeps as many values as `buffering` allows.
  @_disfavoredOverload
  @inlinable
  public func values(buffering: Publishers.AsyncBuffering) -> AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self, buffering: buffering)
  }
}

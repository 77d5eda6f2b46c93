extension PassthroughSubject {
  /// Sends `value` on this thread, or not at all.
  ///
  /// Unlike `send(_:)`, this never leaves the value for another thread: when it returns `true`, every subscriber with
  /// demand has received it.
  ///
  /// An operator downstream that merges several publishers may still leave it for another thread. Do not repeat the call
  /// in a loop inside a delivery: values of other threads are delivered only after that.
  ///
  /// - Returns: False if it was not sent, because another thread would deliver it or values of other threads are waiting, also while
  ///   another thread attaches a subscriber. Otherwise true, also without a subscriber and after the end.
  @_disfavoredOverload
  @inlinable
  public func trySend(_ value: Output) -> Bool {
    subscribers.hasListeners ? subscribers.trySend(value) : true
  }
}

extension CurrentValueSubject {
  /// Stores `value` and sends it on this thread, or does neither.
  ///
  /// Unlike `send(_:)`, this never leaves the value for another thread: when it returns `true`, every subscriber with
  /// demand has received it, or a newer one, unless it is requesting values on another thread at that moment. See
  /// ``PassthroughSubject/trySend(_:)``.
  ///
  /// - Returns: False if it did neither, because another thread would deliver the value or values of other threads are
  ///   waiting. True if the stream has ended, where this has no effect.
  @_disfavoredOverload
  @inlinable
  public func trySend(_ value: Output) -> Bool { subscribers.tryPlace(value) }
}

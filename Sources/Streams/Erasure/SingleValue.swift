public import CThreads

extension Publisher {
  /// The single value of this publisher, if it can be delivered without subscribing. `nil` if it is not known
  /// beforehand, or if an introspection is enabled, which must see the subscription.
  ///
  /// Optimized code checks this only where the type is known. A check at run time costs more than subscribing.
  @inlinable @inline(__always)
  var valueUnseen: Output? {
    guard _isConcrete(Self.self) || _isDebugAssertConfiguration() else { return nil }
    if let value = singleValue, cthreads_has_onlookers() == 0 { return value }
    return nil
  }

  /// The one value that this publisher sends before it finishes, if it is known beforehand.
  ///
  /// Each cast is decided while compiling where the type is known.
  @inlinable @inline(__always)
  var singleValue: Output? {
    if let just = self as? Just<Output> { return just.output }
    if let erased = self as? AnyPublisher<Output, Failure> { return erased.constant }
    if let optional = self as? Optional<Output>.Publisher { return optional.output }
    if let result = self as? Result<Output, Failure>.Publisher { return try? result.result.get() }
    if let future = self as? Future<Output, Failure> { return future.state.value }
    return nil
  }
}

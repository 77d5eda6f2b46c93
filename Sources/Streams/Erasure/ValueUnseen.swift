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
}

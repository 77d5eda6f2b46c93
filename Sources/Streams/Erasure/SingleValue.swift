extension Publisher {
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

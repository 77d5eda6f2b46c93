/// A publisher of the explorer's that may have its one value beforehand.
package protocol ExploredSingleValue {
  var singleValueOrNone: Any? { get }
}

/// In place of the product's: the explorer has one more such type.
extension Publisher {
  @usableFromInline
  var singleValue: Output? {
    if let explored = self as? any ExploredSingleValue { return explored.singleValueOrNone as? Output }
    if let just = self as? Just<Output> { return just.output }
    if let erased = self as? AnyPublisher<Output, Failure> { return erased.constant }
    if let optional = self as? Optional<Output>.Publisher { return optional.output }
    if let result = self as? Result<Output, Failure>.Publisher { return try? result.result.get() }
    if let future = self as? Future<Output, Failure> { return future.state.value }
    return nil
  }
}

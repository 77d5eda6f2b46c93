/// A publisher that creates a publisher for each subscriber.
///
/// ```swift
/// var subscriptions = 0
/// let numbered = Deferred { () -> Just<Int> in
///   subscriptions += 1
///   return Just(subscriptions)
/// }
/// let first = numbered.sink { print($0) }  // Prints 1
/// let second = numbered.sink { print($0) }  // Prints 2
/// ```
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that creates the publisher for a subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Creates a publisher that calls `createPublisher` for each subscriber.
  ///
  /// - Parameter createPublisher: Called once for each subscription, on the subscribing thread.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    createPublisher().subscribe(subscriber)
  }
}

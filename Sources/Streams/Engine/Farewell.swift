public import Synchronization

/// The subscription to a stream that was over before: all that is left is to say so.
///
/// Who cancels when it arrives hears nothing more (law C14).
@usableFromInline
package final class Farewell: Subscription {
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable
  init() {}

  /// Hands `downstream` a subscription, and then the end.
  @inlinable
  package static func say<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
  ) {
    let farewell = Farewell()
    downstream.receive(subscription: farewell)
    guard !farewell.isCancelled.load(ordering: .acquiring) else { return }
    downstream.receive(completion: completion)
  }

  @usableFromInline package func request(_: Subscribers.Demand) {}
  @usableFromInline package func cancel() { isCancelled.store(true, ordering: .releasing) }
}

extension Farewell: ReflectedByName {
  @usableFromInline package var description: String { "Empty" }
}

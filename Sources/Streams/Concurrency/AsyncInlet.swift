/// Puts a publisher's values into a mailbox.
///
/// Only the publisher holds it, unless that never sends. If the publisher releases it without a completion, nothing more
/// can arrive, and the iteration ends.
@usableFromInline
final class AsyncInlet<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
  @usableFromInline let mailbox: AsyncMailbox<Input, Failure>

  @inlinable
  init(_ mailbox: AsyncMailbox<Input, Failure>) { self.mailbox = mailbox }

  deinit { mailbox.end(nil) }

  @inlinable
  func receive(subscription: any Subscription) { mailbox.attach(subscription, for: self) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    mailbox.put(input)
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let failure) = completion { mailbox.end(failure) } else { mailbox.end(nil) }
  }

  @inlinable
  func cancel() { mailbox.cancel() }
}

/// One iteration over a publisher's values: cancels when it is released.
@usableFromInline
package final class AsyncIteration<Input, Failure: Error>: Sendable {
  @usableFromInline let mailbox: AsyncMailbox<Input, Failure>

  @inlinable
  package init<Upstream: Publisher<Input, Failure>>(
    _ publisher: Upstream, _ buffering: Publishers.AsyncBuffering
  ) {
    mailbox = AsyncMailbox(buffering)
    publisher.subscribe(AsyncInlet(mailbox))
  }

  deinit { mailbox.cancel() }

  /// The next value or the end.
  ///
  /// - Parameter isCancellable: Whether cancelling the task ends the iteration.
  @inlinable
  package func next(
    isolation: isolated (any Actor)?, isCancellable: Bool = true
  ) async -> AsyncMailbox<Input, Failure>.Arrival {
    if isCancellable, Task.isCancelled { mailbox.cancel() }
    if let arrival = mailbox.ask() { return arrival }
    let mailbox = self.mailbox
    return await withTaskCancellationHandler(
      operation: {
        await withUnsafeContinuation(isolation: isolation) { mailbox.wait($0) }
      },
      onCancel: { if isCancellable { mailbox.cancel() } },
      isolation: isolation)
  }
}

extension AsyncInlet: ReflectedByName {
  @usableFromInline var description: String { "Values" }
}

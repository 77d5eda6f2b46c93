internal import CThreads

/// Attaches `subscriber` to `publisher` so that introspections see it.
///
/// Neither inlined nor specialised, so the code of a stage has only a call of it. It
/// consumes its arguments because the compiler (6.3) does not survive loans of them in both branches, one in another
/// for each stage.
@usableFromInline @inline(never)
func subscribeInSight<Upstream: Publisher, Downstream: Subscriber>(
  _ subscriber: consuming Downstream, to publisher: consuming Upstream
) where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let (subscriber, publisher) = (subscriber, publisher)
  let attachment = Attachments.make(of: publisher, to: subscriber)
  let sight = AttachmentInSight(attachment)
  Introspections.note(.subscribed, on: attachment)
  Introspections.watch {
    let enclosing = cthreads_swap_subscribing(UInt(attachment.id))
    publisher.receive(subscriber: IntrospectionTap(subscriber, sight))
    _ = cthreads_swap_subscribing(enclosing)
  } will: {
    $0.willReceive(publisher: publisher, subscriber: subscriber)
  } did: { one, _ in
    one.didReceive(publisher: publisher, subscriber: subscriber)
  }
}

/// What the subscriber and the subscription of an attachment share: the attachment is in sight until it ends, or both are
/// released.
private final class AttachmentInSight {
  /// Never `nil`: it is passed on as it is, without a copy.
  let attachment: Attachment?
  private let isOver = Guarded(false)

  init(_ attachment: Attachment) { self.attachment = attachment }

  deinit {
    end(with: .released)
    if let attachment { Attachments.remove(attachment) }  // again: a subscription may arrive late
  }

  /// Notes the end. Only the first one counts.
  func end(with signal: Signal) {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    guard isFirst else { return }
    // First: an observer that still finds it among the living is notified of the end afterwards.
    if let attachment { Attachments.remove(attachment) }
    Introspections.note(signal, on: attachment)
  }
}

/// Wraps a subscriber, and notifies introspections of its signals. Otherwise it looks like the subscriber that it
/// wraps.
private struct IntrospectionTap<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let downstream: Downstream
  let sight: AttachmentInSight

  init(_ downstream: Downstream, _ sight: AttachmentInSight) {
    self.downstream = downstream
    self.sight = sight
  }

  func receive(subscription: any Subscription) {
    if let attachment = sight.attachment { Attachments.attach(subscription, to: attachment) }
    Introspections.note(.subscription, on: sight.attachment)
    let enclosing = cthreads_swap_subscribing(0)  // what downstream subscribes to is not a part of this
    defer { _ = cthreads_swap_subscribing(enclosing) }
    Introspections.watch {
      downstream.receive(subscription: SubscriptionTap(subscription, sight))
    } will: {
      $0.willReceive(subscriber: downstream, subscription: subscription)
    } did: { one, _ in
      one.didReceive(subscriber: downstream, subscription: subscription)
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if Introspections.hasObservers { Introspections.note(.value(SeenValue(input)), on: sight.attachment) }
    let enclosing = cthreads_swap_subscribing(0)
    let more = Introspections.hasHooks ? receiveInSight(input) : downstream.receive(input)
    _ = cthreads_swap_subscribing(enclosing)
    if more > .none { Introspections.note(.requested(more), on: sight.attachment) }
    return more
  }

  private func receiveInSight(_ input: Input) -> Subscribers.Demand {
    Introspections.watch {
      downstream.receive(input)
    } will: {
      $0.willReceive(subscriber: downstream, input: input)
    } did: { one, more in
      one.didReceive(subscriber: downstream, input: input, resultingDemand: more)
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    sight.end(
      with: {
        switch completion {
        case .finished: .finished
        case .failure(let error): .failed("\(error)")
        }
      }())
    let enclosing = cthreads_swap_subscribing(0)
    defer { _ = cthreads_swap_subscribing(enclosing) }
    Introspections.watch {
      downstream.receive(completion: completion)
    } will: {
      $0.willReceive(subscriber: downstream, completion: completion)
    } did: { one, _ in
      one.didReceive(subscriber: downstream, completion: completion)
    }
  }

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}

extension IntrospectionTap: InletOfOperator {
  var ownerIdentifier: CombineIdentifier {
    (downstream as? any InletOfOperator)?.ownerIdentifier ?? downstream.combineIdentifier
  }
}

extension IntrospectionTap: SubscriberWrapper {
  var content: Any { downstream }
}

extension IntrospectionTap: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var description: String { String(describing: downstream) }
  var customMirror: Mirror { Mirror(reflecting: downstream) }
  var playgroundDescription: Any { downstream }
}

/// A subscriber that passes everything on to another.
protocol SubscriberWrapper {
  var content: Any { get }
}

/// The same on the way up.
private struct SubscriptionTap: Subscription, SubscriptionWrapper {
  let content: any Subscription
  let sight: AttachmentInSight

  init(_ content: any Subscription, _ sight: AttachmentInSight) {
    self.content = content
    self.sight = sight
  }

  func request(_ demand: Subscribers.Demand) {
    Introspections.note(.requested(demand), on: sight.attachment)
    let enclosing = cthreads_swap_subscribing(UInt(sight.attachment?.id ?? 0))  // some subscribe only now
    defer { _ = cthreads_swap_subscribing(enclosing) }
    Introspections.watch {
      content.request(demand)
    } will: {
      $0.willRequest(subscription: content, demand)
    } did: { one, _ in
      one.didRequest(subscription: content, demand)
    }
  }

  func cancel() {
    sight.end(with: .cancelled)
    Introspections.watch {
      content.cancel()
    } will: {
      $0.willCancel(subscription: content)
    } did: { one, _ in
      one.didCancel(subscription: content)
    }
  }

  var combineIdentifier: CombineIdentifier { content.combineIdentifier }
}

extension SubscriptionTap: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var description: String { String(describing: content) }
  var customMirror: Mirror { Mirror(reflecting: content) }
  var playgroundDescription: Any { content }
}

/// The downstream of an ``OperatorCore`` that delivers on a scheduler: it stores what the core sends, until a job delivers it.
///
/// So upstream's thread, which may be inside the core's drain loop, delivers no value or completion there. The reference is
/// weak, because the hop retains the core. Upstream's subscriber retains the hop, and so do jobs.
@usableFromInline
package struct ScheduledOutlet<Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline weak var hop: ReceiveOnSubscription<Downstream>?
  @usableFromInline package let combineIdentifier: CombineIdentifier

  @usableFromInline
  init(_ hop: ReceiveOnSubscription<Downstream>) {
    self.hop = hop
    combineIdentifier = hop.combineIdentifier
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard let hop else { return subscription.cancel() }
    hop.receive(subscription: subscription)
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand { hop?.receive(input) ?? .none }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) { hop?.receive(completion: completion) }
}

extension ScheduledOutlet: OutletOfOperator {
  @usableFromInline var subscription: AnyObject? { hop }
  @usableFromInline var downstreamForMirror: Any? { hop?.downstreamForMirror }
}

extension OperatorCore {
  /// Starts an operator whose values and completion are delivered on `scheduler`, by ``performInJob(_:_:)``.
  ///
  /// - Parameter attachesLate: Whether the subscription waits for that of the first upstream, or for the end.
  @inlinable
  package static func start<Final: Subscriber, Context: Scheduler>(
    _ name: String, on scheduler: Context, options: Context.SchedulerOptions?, attachesLate: Bool = true,
    for subscriber: Final, body: @escaping (OperatorCore, ReceiveOnSubscription<Final>) -> Void
  ) where Downstream == ScheduledOutlet<Final> {
    let hop = ReceiveOnSubscription(name, storingFor: scheduler, options: options, to: subscriber)
    start(name, attachesLate: attachesLate, for: ScheduledOutlet(hop)) { core in
      core.onCancel { [weak hop] in hop?.cancel() }  // where upstream takes its subscriber for the subscription
      body(core, hop)
    }
  }

  /// The hop, inside the drain loop; also where that has just ended the stream.
  @inlinable
  package func hop<Final>() -> ReceiveOnSubscription<Final>? where Downstream == ScheduledOutlet<Final> {
    place == nil ? nil : contents.pointee.box.downstream.hop
  }

  /// Subscribes to `publisher`, whose subscriber retains `hop`.
  @inlinable
  package func subscribe<Upstream: Publisher, Final>(
    to publisher: Upstream, for hop: ReceiveOnSubscription<Final>, _ handle: UpstreamHandle,
    onValue: @escaping (Upstream.Output) -> Void,
    onCompletion: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void
  ) where Downstream == ScheduledOutlet<Final> {
    subscribe(to: publisher, handle, onValue: onValue) { completion in
      withExtendedLifetime(hop) { onCompletion(completion) }
    }
  }

  /// Runs `action` inside the drain loop, and delivers in this job of the scheduler what it sends. If another thread is
  /// inside, that runs `action`, and schedules a job which delivers.
  @inlinable
  package func performInJob<Final>(_ hop: ReceiveOnSubscription<Final>, _ action: @escaping () -> Void)
  where Downstream == ScheduledOutlet<Final> {
    perform(action) {
      action()
      hop.deliverLater()
    }
    hop.deliverArrived()
  }
}

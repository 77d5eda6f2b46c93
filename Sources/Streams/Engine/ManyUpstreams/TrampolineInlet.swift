/// The subscriber of an upstream that one ``Concatenation`` has taken over from another. See ``Trampoline``.
@usableFromInline
package final class TrampolineInlet<Output, Ending: Error, Failure: Error>: Subscriber {
  @usableFromInline package typealias Input = Output
  @usableFromInline package typealias ConcatenationPlan =
    (Subscribers.Completion<Ending>) -> Following<AnyPublisher<Output, Failure>>

  let site: TrampolineSite<Output, Failure>
  let turn: Int
  let plan: ConcatenationPlan
  /// Whether `plan` only passes the completion on.
  let isPlain: Bool

  init(
    _ site: TrampolineSite<Output, Failure>, _ turn: Int, isPlain: Bool = false,
    plan: @escaping ConcatenationPlan
  ) {
    self.site = site
    self.turn = turn
    self.isPlain = isPlain
    self.plan = plan
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard isPresent else { return subscription.cancel() }
    site.inlet.receive(subscription: subscription)
  }

  @usableFromInline
  package func receive(_ input: Output) -> Subscribers.Demand {
    guard isPresent else { return .none }
    let more = site.inlet.receive(input)
    if more == .none || isPresent { return more }
    site.host.ask(for: more)  // another publisher has taken over during the delivery
    return .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Ending>) {
    guard site.trampoline.take(turn: turn), site.host.releaseUpstream() else { return }
    switch site.trampoline.resolve(plan(completion)) {
    case .publisher(let next): site.host(next, turn: turn + 1)
    case .end(let completion): site.inlet.receive(completion: completion)
    }
  }

  private var isPresent: Bool { site.trampoline.present == turn }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { site.inlet.combineIdentifier }
}

extension TrampolineInlet: CustomStringConvertible {
  @usableFromInline package var description: String { site.inlet.description }
}

extension TrampolineInlet where Ending == Failure {
  convenience init(_ site: TrampolineSite<Output, Failure>, _ turn: Int) {
    self.init(site, turn, isPlain: true) { .end($0) }
  }
}

/// A concatenation that takes over the upstreams of others.
@usableFromInline
package protocol TrampolineHost: AnyObject {
  /// Releases an upstream that has ended. False if the stream is over.
  func releaseUpstream() -> Bool
  /// Requests more of the current upstream.
  func ask(for more: Subscribers.Demand)
  /// Runs `move`, which subscribes to another upstream, when no value is being delivered.
  func afterDelivery(_ move: @escaping () -> Void)
}

/// A subscriber of one of a host's upstreams.
@usableFromInline
package protocol TrampolineHostInlet {
  var host: any TrampolineHost { get }
  /// The trampoline for its types; `nil` if the stream is over.
  var trampoline: AnyObject? { get }
}

/// The inlet of an upstream that others take the place of, with its host and its trampoline.
struct TrampolineSite<Output, Failure: Error> {
  let inlet: AnySubscriber<Output, Failure>
  let host: any TrampolineHost
  let trampoline: Trampoline<Output, Failure>

  /// Subscribes to `publisher` in place of the upstream that has ended.
  func host(_ publisher: AnyPublisher<Output, Failure>, turn: Int) {
    host.afterDelivery { trampoline.move { publisher.subscribe(TrampolineInlet(self, turn)) } }
  }

  /// Subscribes to `first` in place of this inlet's upstream.
  func host<First: Publisher>(
    _ first: First, turn: Int,
    plan: @escaping TrampolineInlet<Output, First.Failure, Failure>.ConcatenationPlan
  ) where First.Output == Output {
    trampoline.move { first.subscribe(TrampolineInlet(self, turn, plan: plan)) }
  }
}

extension AnySubscriber {
  /// Subscribes to `first`, and to what `plan` lets follow, in place of the upstream that this is the subscriber of.
  ///
  /// - Returns: False if this is not an inlet of a concatenation. Then nothing was done.
  @usableFromInline
  func takes<First: Publisher>(
    over first: First, plan: @escaping TrampolineInlet<Input, First.Failure, Failure>.ConcatenationPlan
  ) -> Bool where First.Output == Input {
    if let inlet = wrapped as? TrampolineInlet<Input, Failure, Failure> {
      guard inlet.site.trampoline.take(turn: inlet.turn) else { return false }
      if !inlet.isPlain { inlet.site.trampoline.add(inlet.plan) }
      inlet.site.host(first, turn: inlet.turn + 1, plan: plan)
      return true
    }
    guard let inlet = wrapped as? any TrampolineHostInlet,
      let trampoline = inlet.trampoline as? Trampoline<Input, Failure>
    else {
      return false
    }
    let site = TrampolineSite(inlet: self, host: inlet.host, trampoline: trampoline)
    site.host(first, turn: trampoline.present, plan: plan)
    return true
  }
}

extension AnySubscriber: SubscriberWrapper {
  var content: Any { wrapped }
}

/// The inlet that is behind what introspections wrap, and type-erased again; `nil` if there is no type erasure on the way to it.
///
/// Introspections see the inlets of publishers that take over, and not the erased subscribers that these never send to.
@usableFromInline
func inletInSight<Downstream: Subscriber>(
  of subscriber: Downstream
) -> AnySubscriber<Downstream.Input, Downstream.Failure>? {
  var (content, isErased) = (subscriber as Any, false)
  while let wrapper = content as? any SubscriberWrapper {
    isErased = isErased || wrapper is AnySubscriber<Downstream.Input, Downstream.Failure>
    content = wrapper.content
  }
  guard isErased else { return nil }
  return (content as? any Subscriber<Downstream.Input, Downstream.Failure>).map { AnySubscriber($0) }
}

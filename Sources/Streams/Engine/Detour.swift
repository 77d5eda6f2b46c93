/// The way into a succession for the upstreams of another one inside it. See ``Detours``.
@usableFromInline
package final class Detour<Output, Ending: Error, Failure: Error>: Subscriber {
  @usableFromInline package typealias Input = Output
  @usableFromInline package typealias Plan =
    (Subscribers.Completion<Ending>) -> Following<AnyPublisher<Output, Failure>>

  let place: Place<Output, Failure>
  let turn: Int
  let plan: Plan
  /// Whether `plan` only passes the end on.
  let isPlain: Bool

  init(_ place: Place<Output, Failure>, _ turn: Int, isPlain: Bool = false, plan: @escaping Plan) {
    self.place = place
    self.turn = turn
    self.isPlain = isPlain
    self.plan = plan
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard isPresent else { return subscription.cancel() }
    place.leg.receive(subscription: subscription)
  }

  @usableFromInline
  package func receive(_ input: Output) -> Subscribers.Demand {
    guard isPresent else { return .none }
    let more = place.leg.receive(input)
    if more == .none || isPresent { return more }
    place.host.ask(for: more)  // the delivery has brought another detour
    return .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Ending>) {
    guard place.detours.take(turn: turn), place.host.vacate() else { return }
    switch place.detours.resolve(plan(completion)) {
    case .publisher(let next): place.host(next, turn: turn + 1)
    case .end(let completion): place.leg.receive(completion: completion)
    }
  }

  private var isPresent: Bool { place.detours.present == turn }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { place.leg.combineIdentifier }
}

extension Detour where Ending == Failure {
  convenience init(_ place: Place<Output, Failure>, _ turn: Int) {
    self.init(place, turn, isPlain: true) { .end($0) }
  }
}

/// A succession that gives room to the upstreams of others.
@usableFromInline
package protocol Host: AnyObject {
  /// Makes room for another upstream where one has ended. False if the stream is over.
  func vacate() -> Bool
  /// Asks the upstream that has its turn for more.
  func ask(for more: Subscribers.Demand)
  /// Has `move` bring another upstream when no value is being delivered.
  func afterDelivery(_ move: @escaping () -> Void)
}

/// A subscriber that is the way into a host, for one of its upstreams.
@usableFromInline
package protocol Leg {
  var host: any Host { get }
  /// Those of its types; `nil` if the stream is over.
  var detours: AnyObject? { get }
}

/// Where a detour is made: a leg, and what stands behind it.
struct Place<Output, Failure: Error> {
  let leg: AnySubscriber<Output, Failure>
  let host: any Host
  let detours: Detours<Output, Failure>

  /// Subscribes to `publisher` in the place of the upstream that has ended.
  func host(_ publisher: AnyPublisher<Output, Failure>, turn: Int) {
    host.afterDelivery { detours.move { publisher.subscribe(Detour(self, turn)) } }
  }

  /// Subscribes to `first` in the place of this leg's upstream.
  func host<First: Publisher>(
    _ first: First, turn: Int, plan: @escaping Detour<Output, First.Failure, Failure>.Plan
  ) where First.Output == Output {
    detours.move { first.subscribe(Detour(self, turn, plan: plan)) }
  }
}

extension AnySubscriber {
  /// Has `first`, and what `plan` lets follow, stand in for the upstream of the succession that this leads into.
  ///
  /// - Returns: False if this is not the way into a succession. Then nothing was done.
  @usableFromInline
  func takesDetour<First: Publisher>(
    over first: First, plan: @escaping Detour<Input, First.Failure, Failure>.Plan
  ) -> Bool where First.Output == Input {
    if let detour = wrapped as? Detour<Input, Failure, Failure> {
      guard detour.place.detours.take(turn: detour.turn) else { return false }
      if !detour.isPlain { detour.place.detours.add(detour.plan) }
      detour.place.host(first, turn: detour.turn + 1, plan: plan)
      return true
    }
    guard let leg = wrapped as? any Leg, let detours = leg.detours as? Detours<Input, Failure> else {
      return false
    }
    let place = Place(leg: self, host: leg.host, detours: detours)
    place.host(first, turn: detours.present, plan: plan)
    return true
  }
}

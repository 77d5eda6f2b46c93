internal import Streams

/// The way to one subscriber, its type forgotten.
struct DeliverySeat<Output, Failure: Error> {
  let value: (Output) -> Subscribers.Demand
  let completion: (Subscribers.Completion<Failure>) -> Void
}

/// What a ``Delivery`` knows. Says what is to be sent next; sends nothing.
struct DeliveryState<Output: Sendable, Failure: Error> {
  /// What to send, and to whom.
  enum Signal {
    case value(Output, DeliverySeat<Output, Failure>)
    case completion(Subscribers.Completion<Failure>, DeliverySeat<Output, Failure>, Remains)
  }

  enum Ending {
    case value(Output)
    case failure(Failure)
    case finished
  }

  /// What has to be let go outside the lock.
  struct Remains {
    var work: AnyCancellable?
    var start: Delivery<Output, Failure>.Start?
    var seat: DeliverySeat<Output, Failure>?
  }

  var isOpen = false
  private var isDelivering = false
  private var demand = Subscribers.Demand.none
  private var preview: Output?
  private var ending: Ending?
  private var start: Delivery<Output, Failure>.Start?
  private var work: AnyCancellable?
  /// `nil` once nothing may be sent any more.
  private var seat: DeliverySeat<Output, Failure>?

  init(start: @escaping Delivery<Output, Failure>.Start, seat: DeliverySeat<Output, Failure>) {
    self.start = start
    self.seat = seat
  }

  mutating func ask(_ more: Subscribers.Demand) {
    if seat != nil { demand += more }
  }

  /// - Returns: What begins the work, if it is time; once.
  mutating func takeStart() -> Delivery<Output, Failure>.Start? {
    guard isOpen, demand > .none, seat != nil else { return nil }
    return start.take()
  }

  /// - Returns: `work`, if it is not wanted any more.
  mutating func keep(_ work: AnyCancellable) -> AnyCancellable? {
    guard seat != nil, ending == nil else { return work }
    self.work = work
    return nil
  }

  mutating func show(_ preview: Output) {
    if seat != nil, ending == nil { self.preview = preview }
  }

  /// The first ending counts.
  mutating func end(_ ending: Ending) {
    guard seat != nil, self.ending == nil else { return }
    self.ending = ending
    preview = nil
  }

  /// - Parameter isBack: Whether the caller has just sent what it was given before.
  /// - Returns: What to send now, or `nil` if there is nothing, or somebody is sending.
  mutating func next(_ isBack: Bool) -> Signal? {
    if isDelivering, !isBack { return nil }
    isDelivering = false
    guard isOpen, let seat else { return nil }
    switch ending {
    case .failure(let error): return complete(.failure(error), seat)
    case .finished: return complete(.finished, seat)
    case .value(let value):
      guard demand > .none else { return nil }
      ending = .finished
      return send(value, seat)
    case nil:
      guard demand > .none, let latest = preview.take() else { return nil }
      return send(latest, seat)
    }
  }

  private mutating func send(_ value: Output, _ seat: DeliverySeat<Output, Failure>) -> Signal {
    demand -= 1
    isDelivering = true
    return .value(value, seat)
  }

  /// Closed before the subscriber hears of it: what it asks or cancels then changes nothing (laws C10, C12).
  private mutating func complete(
    _ completion: Subscribers.Completion<Failure>, _ seat: DeliverySeat<Output, Failure>
  ) -> Signal {
    .completion(completion, seat, close())
  }

  /// - Returns: What is left to stop and to let go; nothing the second time.
  mutating func close() -> Remains {
    preview = nil
    ending = nil
    return Remains(work: work.take(), start: start.take(), seat: seat.take())
  }
}

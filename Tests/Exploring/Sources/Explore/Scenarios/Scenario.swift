import Streams

/// Several threads, each of which does one or two things to a stream.
struct Scenario {
  let name: String
  /// What the subscriber asks for at first, and answers each value with.
  let demand: Subscribers.Demand
  let answer: Subscribers.Demand
  let hasSeveralProducers: Bool
  /// Whether a delivery sends.
  let isReentrant: Bool
  /// Whether the subscriber comes while others are at work.
  let subscribesLate: Bool
  /// Whether the subscription to the last upstream arrives while others are at work.
  let opensLate: Bool
  /// Whether each upstream answers its first request with a value, inside that request.
  let answersAtOnce: Bool
  let isMeant: (Explored) -> Bool
  let bodies: (Stand) -> [() -> Void]

  init(
    _ name: String, asking demand: Subscribers.Demand = .unlimited,
    answering answer: Subscribers.Demand = .none,
    hasSeveralProducers: Bool = true, hasNoProducer: Bool = false, isReentrant: Bool = false,
    subscribesLate: Bool = false, opensLate: Bool = false, answersAtOnce: Bool = false,
    for isMeant: @escaping (Explored) -> Bool = { _ in true }, _ bodies: @escaping (Stand) -> [() -> Void]
  ) {
    self.name = name
    self.demand = demand
    self.answer = answer
    self.hasSeveralProducers = hasSeveralProducers
    self.isReentrant = isReentrant
    self.subscribesLate = subscribesLate
    self.opensLate = opensLate
    self.answersAtOnce = answersAtOnce
    self.isMeant = {
      isMeant($0) && ($0.inputs > 0 || hasNoProducer)
        && (demand == .unlimited || !$0.traits.contains(.endsInSink))
    }
    self.bodies = bodies
  }
}

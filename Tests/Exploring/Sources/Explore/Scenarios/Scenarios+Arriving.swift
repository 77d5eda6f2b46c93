import Streams

extension Scenario {
  /// The subscription to an upstream arrives while others are at work.
  static var arriving: [Scenario] {
    [
      Scenario(
        "arrive ∥ request ∥ request", asking: .max(1), hasSeveralProducers: false, opensLate: true,
        for: { $0.traits.contains(.asksAll) }
      ) { stand in
        [{ stand.open() }, { stand.probe.request(.max(1)) }, { stand.probe.request(.max(2)) }]
      },
      Scenario(
        "arrive and send ∥ send ∥ request", asking: .max(1), answering: .max(1), opensLate: true,
        for: { $0.traits.isSuperset(of: [.asksAll, .answersAll]) }
      ) { stand in
        [
          {
            stand.open()
            stand.send(stand.last)
          },
          { stand.send(0) },
          { stand.probe.request(.max(1)) },
        ]
      },
      Scenario(
        "arrive ∥ request ∥ cancel", asking: .none, hasSeveralProducers: false, opensLate: true,
        for: { $0.traits.contains(.asksAll) }
      ) { stand in
        [{ stand.open() }, { stand.probe.request(.max(1)) }, { stand.probe.cancel() }]
      },
      Scenario(
        "arrive ∥ cancel", hasSeveralProducers: false, opensLate: true, for: { $0.inputs == 1 }
      ) { stand in
        [
          { stand.open() },
          {
            stand.probe.wait()
            stand.probe.cancel()
          },
        ]
      },
      Scenario(
        "subscribe, answered at once ∥ send", hasSeveralProducers: false, subscribesLate: true,
        answersAtOnce: true,
        for: { $0.inputs == 1 && $0.traits.isDisjoint(with: [.answersAtOnce, .subscribesLater]) }
      ) { stand in
        let probe = stand.makeProbe()
        return [{ stand.subscribe(probe) }, { stand.send(0) }]
      },
      Scenario(
        "subscribe ∥ request, answered at once", asking: .none, hasSeveralProducers: false,
        subscribesLate: true,
        answersAtOnce: true, for: { $0.traits.contains(.startsEmpty) }
      ) { stand in
        stand.subscribing { $0.request(.max(2)) }
      },
      Scenario(
        "subscribe, answered at once ∥ cancel", hasSeveralProducers: false, subscribesLate: true,
        answersAtOnce: true, for: { $0.inputs == 1 && $0.traits.contains(.subscribesLater) }
      ) { stand in
        stand.subscribing { $0.cancel() }
      },
      Scenario(
        "arrive ∥ finish", asking: .max(1), opensLate: true, for: { $0.traits.contains(.asksAll) }
      ) { stand in
        [{ stand.open() }, { stand.finish(0) }]
      },
    ]
  }
}

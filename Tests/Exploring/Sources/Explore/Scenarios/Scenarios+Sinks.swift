import Streams

extension Scenario {
  /// For chains that end in a sink.
  static var sinking: [Scenario] {
    sourcesIntoSinks + [
      Scenario(
        "cancel in the last delivery ∥ cancel", for: { $0.traits.contains(.endsInSink) && $0.inputs > 0 }
      ) {
        stand in
        stand.probe.onFirst = { [unowned probe = stand.probe] in
          stand.finish(0)
          probe.cancel()
        }
        return [{ stand.send(0) }, { stand.probe.cancel() }]
      },
      Scenario(
        "send in a delivery, cancel in that ∥ send", for: { $0.traits.contains(.endsInSink) && $0.inputs > 0 }
      ) {
        stand in
        stand.probe.onFirst = { [unowned probe = stand.probe] in
          probe.onFirst = { [unowned probe] in probe.cancel() }
          stand.send(0)
        }
        return [{ stand.send(0) }, { stand.send(stand.last) }]
      },
    ]
  }

  /// A source sends all its values from within the subscription.
  private static var sourcesIntoSinks: [Scenario] {
    let isMeant: (Explored) -> Bool = { $0.traits.isSuperset(of: [.endsInSink, .isSource]) }
    return [
      Scenario("subscribe ∥ cancel, unasked", hasNoProducer: true, subscribesLate: true, for: isMeant) {
        stand in
        stand.subscribing { $0.cancel() }
      },
      Scenario("subscribe ∥ cancel ∥ cancel", hasNoProducer: true, subscribesLate: true, for: isMeant) {
        stand in
        let probe = stand.makeProbe()
        let cancel = {
          probe.wait()
          probe.cancel()
        }
        return [{ stand.subscribe(probe) }, cancel, cancel]
      },
      Scenario(
        "cancel in a delivery ∥ cancel, unasked", hasNoProducer: true, subscribesLate: true, for: isMeant
      ) {
        stand in
        let probe = stand.makeProbe()
        probe.onFirst = { [unowned probe] in probe.cancel() }
        return [
          { stand.subscribe(probe) },
          {
            probe.wait()
            probe.cancel()
          },
        ]
      },
    ]
  }
}

import Streams

extension Scenario {
  /// Every scenario, for whatever it is meant. Bodies in braces run at the same time.
  static var all: [Scenario] {
    sending + ending + cancelling + asking + nesting + coming + arriving + sharing + joining + alone + sinking
  }

  static var sending: [Scenario] {
    [
      Scenario("send ∥ send") { stand in
        [
          {
            stand.send(0)
            stand.send(0)
          },
          { stand.send(stand.last) },
        ]
      },
      Scenario(
        "send ∥ send five times",
        for: { $0.workers == 0 && ($0.inputs > 1 || $0.traits.contains(.isForMany)) }
      ) { stand in
        [{ stand.send(0) }, { for _ in 0..<5 { stand.send(stand.last) } }]
      },
      Scenario("send ∥ send ∥ cancel") { stand in
        [{ stand.send(0) }, { stand.send(stand.last) }, { stand.probe.cancel() }]
      },
      Scenario("send while a timer fires", hasSeveralProducers: false, for: { $0.workers > 0 }) { stand in
        stand.send(0)
        return [{ stand.send(stand.last) }]
      },
      Scenario("send ∥ cancel", hasSeveralProducers: false) { stand in
        [
          {
            stand.send(0)
            stand.send(stand.last)
          },
          { stand.probe.cancel() },
        ]
      },
    ]
  }

  static var ending: [Scenario] {
    [
      Scenario("send ∥ finish") { stand in [{ stand.send(0) }, { stand.finish(stand.last) }] },
      Scenario("finish ∥ send", for: { $0.inputs > 1 }) { stand in
        [{ stand.finish(0) }, { stand.send(stand.last) }]
      },
      Scenario("send ∥ fail") { stand in [{ stand.send(0) }, { stand.fail(stand.last) }] },
      Scenario("fail ∥ send", for: { $0.inputs > 1 }) { stand in
        [{ stand.fail(0) }, { stand.send(stand.last) }]
      },
      Scenario("finish ∥ finish") { stand in [{ stand.finish(0) }, { stand.finish(stand.last) }] },
      Scenario("finish ∥ fail") { stand in [{ stand.finish(0) }, { stand.fail(stand.last) }] },
      Scenario("send and finish ∥ send and finish") { stand in
        [
          {
            stand.send(0)
            stand.finish(0)
          },
          {
            stand.send(stand.last)
            stand.finish(stand.last)
          },
        ]
      },
    ]
  }

  static var cancelling: [Scenario] {
    [
      Scenario("cancel ∥ cancel ∥ send", hasSeveralProducers: false) { stand in
        [{ stand.probe.cancel() }, { stand.probe.cancel() }, { stand.send(0) }]
      },
      Scenario("cancel ∥ finish", hasSeveralProducers: false) { stand in
        [
          { stand.probe.cancel() },
          {
            stand.finish(0)
            stand.finish(stand.last)
          },
        ]
      },
      Scenario("cancel ∥ fail", hasSeveralProducers: false) { stand in
        [{ stand.probe.cancel() }, { stand.fail(0) }]
      },
      Scenario("cancel ∥ cancel ∥ finish", hasSeveralProducers: false) { stand in
        [{ stand.probe.cancel() }, { stand.probe.cancel() }, { stand.finish(stand.last) }]
      },
    ]
  }

  static var asking: [Scenario] {
    [
      Scenario("send ∥ request", asking: .max(1), hasSeveralProducers: false) { stand in
        [
          {
            stand.send(0)
            stand.send(stand.last)
          },
          { stand.probe.request(.max(1)) },
        ]
      },
      Scenario("send ∥ send ∥ request", asking: .max(1)) { stand in
        [{ stand.send(0) }, { stand.send(stand.last) }, { stand.probe.request(.max(1)) }]
      },
      Scenario("request ∥ request ∥ send", asking: .none, hasSeveralProducers: false) { stand in
        [{ stand.probe.request(.max(1)) }, { stand.probe.request(.max(2)) }, { stand.send(0) }]
      },
      Scenario("request ∥ cancel", asking: .none, hasSeveralProducers: false) { stand in
        stand.send(0)
        return [{ stand.probe.request(.max(1)) }, { stand.probe.cancel() }]
      },
      Scenario("request ∥ finish", asking: .none, hasSeveralProducers: false) { stand in
        stand.send(0)
        return [
          { stand.probe.request(.max(1)) },
          {
            stand.finish(0)
            stand.finish(stand.last)
          },
        ]
      },
      Scenario("send ∥ request everything", asking: .none, hasSeveralProducers: false) { stand in
        [
          {
            stand.send(0)
            stand.send(stand.last)
          },
          { stand.probe.request(.unlimited) },
        ]
      },
      Scenario("send and finish ∥ request", asking: .none, hasSeveralProducers: false) { stand in
        [
          {
            stand.send(0)
            stand.finish(0)
            stand.finish(stand.last)
          },
          { stand.probe.request(.max(1)) },
        ]
      },
      Scenario("answers ∥ request", asking: .max(1), answering: .max(1), hasSeveralProducers: false) {
        stand in
        [
          {
            stand.send(0)
            stand.send(stand.last)
          },
          { stand.probe.request(.unlimited) },
        ]
      },
    ]
  }

  static var nesting: [Scenario] {
    [
      Scenario("send in a delivery ∥ send", isReentrant: true) { stand in
        stand.probe.onFirst = { stand.send(stand.last) }
        return [{ stand.send(0) }, { stand.send(stand.last) }]
      },
      Scenario("cancel in a delivery ∥ send") { stand in
        stand.probe.onFirst = { [unowned probe = stand.probe] in probe.cancel() }
        return [{ stand.send(0) }, { stand.send(stand.last) }]
      },
      Scenario("request in a delivery ∥ request", asking: .max(1), hasSeveralProducers: false) { stand in
        stand.probe.onFirst = { [unowned probe = stand.probe] in probe.request(.max(1)) }
        return [
          {
            stand.send(0)
            stand.send(stand.last)
          },
          { stand.probe.request(.max(1)) },
        ]
      },
      Scenario("finish in a delivery ∥ send", isReentrant: true) { stand in
        stand.probe.onFirst = { stand.finish(0) }
        return [{ stand.send(0) }, { stand.send(stand.last) }]
      },
      Scenario("fail in a delivery ∥ send", isReentrant: true) { stand in
        stand.probe.onFirst = { stand.fail(0) }
        return [{ stand.send(0) }, { stand.send(stand.last) }]
      },
    ]
  }

  static var coming: [Scenario] {
    [
      Scenario("deinit ∥ send", hasSeveralProducers: false) { stand in
        stand.hold()
        return [
          { stand.letGo() },
          {
            stand.send(0)
            stand.send(stand.last)
          },
        ]
      },
      Scenario("subscribe ∥ send", hasSeveralProducers: false, subscribesLate: true) { stand in
        let probe = stand.makeProbe()
        return [
          { stand.subscribe(probe) },
          {
            stand.send(0)
            stand.send(stand.last)
          },
        ]
      },
      Scenario("subscribe ∥ finish", hasSeveralProducers: false, subscribesLate: true) { stand in
        let probe = stand.makeProbe()
        return [
          { stand.subscribe(probe) },
          {
            stand.finish(0)
            stand.finish(stand.last)
          },
        ]
      },
      Scenario("subscribe ∥ cancel", hasSeveralProducers: false, subscribesLate: true) { stand in
        stand.subscribing { $0.cancel() }
      },
      Scenario(
        "subscribe ∥ request", asking: .none, hasSeveralProducers: false, subscribesLate: true,
        for: { !$0.traits.contains(.answersAtOnce) }
      ) { stand in
        stand.subscribing { probe in
          probe.request(.max(1))
          probe.request(.max(1))
        }
      },
      Scenario(
        "subscribe ∥ request ∥ send", asking: .none, hasSeveralProducers: false, subscribesLate: true,
        for: { !$0.traits.contains(.answersAtOnce) }
      ) { stand in
        stand.subscribing { $0.request(.max(2)) } + [
          {
            stand.send(0)
            stand.send(stand.last)
          }
        ]
      },
    ]
  }

  static var sharing: [Scenario] {
    [
      Scenario(
        "subscribe ∥ subscribe ∥ send", hasSeveralProducers: false, subscribesLate: true,
        for: { $0.traits.contains(.isForMany) }
      ) { stand in
        let one = stand.makeProbe()
        let other = stand.makeProbe()
        return [{ stand.subscribe(one) }, { stand.subscribe(other) }, { stand.send(0) }]
      },
      Scenario(
        "subscribe ∥ cancel of another", hasSeveralProducers: false, for: { $0.traits.contains(.isForMany) }
      ) { stand in
        let other = stand.makeProbe()
        return [{ stand.subscribe(other) }, { stand.probe.cancel() }]
      },
      Scenario(
        "subscribe and send ∥ cancel of another", hasSeveralProducers: false,
        for: { $0.traits.contains(.isForMany) && !$0.traits.contains(.shares) }
      ) { stand in
        let other = stand.makeProbe()
        return [
          {
            stand.subscribe(other)
            stand.send(0)
          },
          { stand.probe.cancel() },
        ]
      },
      Scenario(
        "connect ∥ cancel", hasSeveralProducers: false, subscribesLate: true,
        for: { $0.traits.contains(.connects) }
      ) { stand in
        stand.subscribe()
        return [
          {
            let connection = stand.connect?()
            connection?.cancel()
          },
          { stand.probe.cancel() },
        ]
      },
      Scenario(
        "connect ∥ send", hasSeveralProducers: false, subscribesLate: true,
        for: { $0.traits.contains(.connects) }
      ) { stand in
        stand.subscribe()
        return [{ stand.keep(stand.connect?()) }, { stand.send(0) }]
      },
    ]
  }

  /// For sources, which need nobody to send.
  static var alone: [Scenario] {
    [
      Scenario("request ∥ request", asking: .none, hasNoProducer: true, for: { $0.inputs == 0 }) { stand in
        [{ stand.probe.request(.max(1)) }, { stand.probe.request(.max(2)) }]
      },
      Scenario("request ∥ request ∥ cancel", asking: .none, hasNoProducer: true, for: { $0.inputs == 0 }) {
        stand in
        [{ stand.probe.request(.max(2)) }, { stand.probe.request(.unlimited) }, { stand.probe.cancel() }]
      },
      Scenario(
        "request, answered ∥ request", asking: .none, answering: .max(1), hasNoProducer: true,
        for: { $0.inputs == 0 }
      ) { stand in
        [{ stand.probe.request(.max(1)) }, { stand.probe.request(.max(1)) }]
      },
      Scenario(
        "request in a delivery ∥ request ∥ cancel", asking: .none, hasNoProducer: true,
        for: { $0.inputs == 0 }
      ) { stand in
        stand.probe.onFirst = { [unowned probe = stand.probe] in probe.request(.max(1)) }
        return [
          { stand.probe.request(.max(1)) }, { stand.probe.request(.max(1)) }, { stand.probe.cancel() },
        ]
      },
    ]
  }
}

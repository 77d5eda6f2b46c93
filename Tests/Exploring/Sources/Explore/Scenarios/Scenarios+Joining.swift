import Interleavings
import Streams

extension Scenario {
  /// What has come when a call returns, and what a thread may do that only subscribes, requests or cancels.
  static var joining: [Scenario] { current + sentBefore + sentLater + holding }

  /// Laws X17 and X21.
  private static var current: [Scenario] {
    let isMeant: (Explored) -> Bool = { $0.traits.contains(.hasCurrent) }
    let isForMany: (Explored) -> Bool = { $0.traits.isSuperset(of: [.hasCurrent, .isForMany]) }
    return [
      Scenario("join ∥ send", hasSeveralProducers: false, subscribesLate: true, for: isMeant) { stand in
        let probe = stand.makeProbe()
        return [
          {
            stand.subscribe(probe)
            probe.checkCurrent()
          },
          {
            stand.send(0)
            stand.send(stand.last)
          },
        ]
      },
      Scenario("join ∥ join ∥ send", hasSeveralProducers: false, for: isForMany) { stand in
        let (one, other) = (stand.makeProbe(), stand.makeProbe())
        return [
          {
            stand.subscribe(one)
            one.checkCurrent()
          },
          {
            stand.subscribe(other)
            other.checkCurrent()
          },
          { stand.send(0) },
        ]
      },
      Scenario("join, send in the first delivery ∥ send", subscribesLate: true, for: isMeant) { stand in
        let probe = stand.makeProbe()
        probe.onFirst = { stand.send(stand.last) }
        return [
          {
            stand.subscribe(probe)
            probe.checkCurrent()
          },
          { stand.send(0) },
        ]
      },
      Scenario(
        "join, request ∥ send", asking: .none, hasSeveralProducers: false, subscribesLate: true, for: isMeant
      ) { stand in
        let probe = stand.makeProbe()
        return [
          {
            stand.subscribe(probe)
            probe.request(.max(1))
            probe.checkCurrent()
          },
          {
            stand.send(0)
            stand.send(stand.last)
          },
        ]
      },
      Scenario(
        "request ∥ request of another ∥ send", asking: .none, hasSeveralProducers: false,
        for: { isForMany($0) && !$0.traits.contains(.shares) }
      ) { stand in
        let other = stand.makeProbe()
        stand.subscribe(other)
        return [
          {
            stand.probe.request(.max(1))
            stand.probe.checkCurrent()
          },
          {
            other.request(.max(1))
            other.checkCurrent()
          },
          { stand.send(0) },
        ]
      },
    ]
  }

  /// Law X20.
  private static var sentBefore: [Scenario] {
    [
      Scenario(
        "send, join ∥ send", subscribesLate: true,
        for: { $0.traits.contains(.hasCurrent) && !$0.traits.contains(.shares) && $0.inputs == 1 }
      ) { stand in
        let probe = stand.makeProbe()
        return [
          {
            let mine = stand.send(0)
            stand.subscribe(probe)
            probe.checkFirst(isOneOf: stand.sent.filter { $0 == mine || $0 / 100 != mine / 100 })
          },
          { stand.send(0) },
        ]
      },
      Scenario(
        "finish, join ∥ send",
        for: {
          $0.traits.contains(.isForMany) && !$0.traits.contains(.shares) && $0.inputs == 1 && $0.endsAtOnce
        }
      ) { stand in
        let probe = stand.makeProbe()
        return [
          {
            stand.finish(0)
            stand.subscribe(probe)
            probe.checkCompletion()
          },
          { stand.send(0) },
        ]
      },
    ]
  }

  /// Law X18.
  private static var sentLater: [Scenario] {
    [
      joinAndSend("join, send ∥ send", others: 1), joinAndSend("join, send ∥ send three times", others: 3),
      Scenario(
        "join, send ∥ send, cancel in a delivery",
        for: { $0.traits.contains(.isForMany) && !$0.traits.contains(.shares) && sendsAtOnce($0) }
      ) { stand in
        stand.probe.onFirst = { [unowned probe = stand.probe] in probe.cancel() }
        let other = stand.makeProbe()
        return [
          {
            stand.subscribe(other)
            let number = stand.send(0)
            stand.atEnd.append { other.checkHas(number) }
          },
          { stand.send(0) },
        ]
      },
      Scenario(
        "join, send ∥ send to the other", subscribesLate: true, for: { $0.name == "withLatestFrom a subject" }
      ) { stand in
        let probe = stand.makeProbe()
        return [
          {
            stand.subscribe(probe)
            let number = stand.send(0)
            stand.atEnd.append { probe.checkHas(number) }
          },
          { stand.send(1) },
        ]
      },
    ]
  }

  private static func sendsAtOnce(_ explored: Explored) -> Bool {
    explored.workers == 0 && explored.inputs == 1 && explored.values != .others && explored.endsAtOnce
  }

  private static func joinAndSend(_ name: String, others count: Int) -> Scenario {
    Scenario(
      name, subscribesLate: true,
      for: { sendsAtOnce($0) && ($0.traits.contains(.isForMany) || $0.traits.contains(.hasCurrent)) }
    ) { stand in
      let probe = stand.makeProbe()
      return [
        {
          stand.subscribe(probe)
          let number = stand.send(0)
          stand.atEnd.append { probe.checkHas(number) }
        },
        { for _ in 0..<count { stand.send(0) } },
      ]
    }
  }

  /// Laws X07 and X19: a thread does one of these while it holds a lock that another subscriber takes.
  private static var holding: [Scenario] {
    let isMeant: (Explored) -> Bool = { $0.traits.contains(.isForMany) && !$0.traits.contains(.connects) }
    return [
      Scenario("join, holding ∥ join", hasSeveralProducers: false, for: isMeant) { stand in
        let (one, other, held) = (stand.makeProbe(), stand.makeProbe(), Held())
        other.onDelivery = { held.run {} }
        return [{ held.run { stand.subscribe(one) } }, { stand.subscribe(other) }]
      },
      Scenario("join, holding ∥ send", hasSeveralProducers: false, for: isMeant) { stand in
        let (probe, held) = (stand.makeProbe(), Held())
        stand.probe.onDelivery = { held.run {} }
        return [{ held.run { stand.subscribe(probe) } }, { stand.send(0) }]
      },
      Scenario("request, holding ∥ send", asking: .max(1), hasSeveralProducers: false, for: isMeant) {
        stand in
        let (other, held) = (stand.makeProbe(), Held())
        stand.subscribe(other)
        stand.probe.request(.max(1))
        stand.probe.onDelivery = { held.run {} }
        return [
          { held.run { other.request(.max(1)) } },
          {
            stand.send(0)
            stand.send(0)
          },
        ]
      },
      Scenario("cancel, holding ∥ send", hasSeveralProducers: false, for: isMeant) { stand in
        let (other, held) = (stand.makeProbe(), Held())
        stand.subscribe(other)
        stand.probe.onDelivery = { held.run {} }
        return [
          { held.run { other.cancel() } },
          {
            stand.send(0)
            stand.send(0)
          },
        ]
      },
    ]
  }
}

extension Explored {
  /// Whether what is sent is delivered to all who have subscribed, and ends all of them.
  fileprivate var endsAtOnce: Bool {
    !traits.contains(.neverEnds) && !traits.contains(.connects) && !name.hasPrefix("create")
      && name != "Future"
  }
}

/// A lock of the program's, which may be held while the library is called.
private final class Held {
  private let object = Explorer.shared.newObject()
  private var isHeld = false
  /// What happens before it is taken.
  private var past = VectorClock()

  func run(_ body: () -> Void) {
    Explorer.shared.wait(for: object) { [unowned self] in !isHeld }
    isHeld = true
    Explorer.shared.join(past)
    body()
    isHeld = false
    past = Explorer.shared.publish()
    Explorer.shared.touch(object)
  }
}

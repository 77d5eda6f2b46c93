import Interleavings
import Streams

extension Explored {
  /// Several stages with a real sink at their end: what one of them releases, another may still use.
  ///
  /// A subject, an operator with several upstreams, a source of many values or a scheduler's job delivers to all of them.
  static var chains: [Explored] {
    subjectChains + foreignChains + chainsOfSeveral + sourceChains
  }

  /// Stages under a subject.
  private static var subjectChains: [Explored] {
    [
      underSubject("sink", .all) { $0 },
      underSubject("map → sink", .all) { $0.map { $0 } },
      underSubject("scan → sink", .all) { $0.scan(Item(0)) { $1 } },
      underSubject("scan → removeDuplicates → sink", .all) { $0.scan(Item(0)) { $1 }.removeDuplicates() },
      underSubject("prefix → scan → sink", .some) { $0.prefix(1).scan(Item(0)) { $1 } },
      underSubject("scan → prefix → removeDuplicates → sink", .some) {
        $0.scan(Item(0)) { $1 }.prefix(2).removeDuplicates()
      },
      underSubject("handleEvents → scan → sink", .all) {
        $0.handleEvents(receiveOutput: { _ in }).scan(Item(0)) { $1 }
      },
      underSubject("scan → first → sink", .some) { $0.scan(Item(0)) { $1 }.first() },
      underSubject("scan → last → sink", .some) { $0.scan(Item(0)) { $1 }.last() },
      underSubject("dropFirst → scan → sink", .some) { $0.dropFirst(1).scan(Item(0)) { $1 } },
      Explored(
        chain: "CurrentValueSubject → scan → sink", .some,
        building: { stand in
          let subject = CurrentValueSubject<Item, Fault>(Item(0))
          stand.add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
          return subject.scan(Item(0)) { $1 }
        }),
    ]
  }

  /// Publishers in between that the library does not know.
  private static var foreignChains: [Explored] {
    [
      underSubject("scan → foreign operator → scan → sink", .all) {
        Foreign($0.scan(Item(0)) { $1 }).scan(Item(0)) { $1 }
      },
      underSubject("foreign operator with upstream's subscription → scan → sink", .all) {
        Foreign($0.scan(Item(0)) { $1 }, isTransparent: true).scan(Item(0)) { $1 }
      },
      Explored(
        chain: "foreign publisher → scan → removeDuplicates → sink", .all,
        building: { $0.source().scan(Item(0)) { $1 }.removeDuplicates() }),
      Explored(
        chain: "PassthroughSubject → foreign hop to a scheduler → scan → sink", .all, workers: 1,
        building: { stand in
          let (subject, jobs) = (stand.subject(), stand.scheduler())
          return Foreign(subject.scan(Item(0)) { $1 }, isTransparent: true, on: jobs).scan(Item(0)) { $1 }
        }),
    ]
  }

  /// Stages under operators with several upstreams, and behind a scheduler.
  private static var chainsOfSeveral: [Explored] {
    [
      Explored(
        chain: "merge → scan → sink", inputs: 2, .allInAnyOrder,
        building: { $0.subject().merge(with: $0.subject()).scan(Item(0)) { $1 } }),
      Explored(
        chain: "scan → flatMap → scan → sink", inputs: 2, .others,
        building: { stand in
          let (outer, inner) = (stand.subject().scan(Item(0)) { $1 }, stand.subject())
          return outer.flatMap { _ in inner.scan(Item(0)) { $1 } }.scan(Item(0)) { $1 }
        }),
      Explored(
        chain: "combineLatest → scan → sink", inputs: 2, .others,
        building: { $0.subject().combineLatest($0.subject()).map { $0.0 }.scan(Item(0)) { $1 } }),
      Explored(
        chain: "prefix(untilOutputFrom:) → scan → sink", inputs: 2, .some,
        building: { $0.subject().prefix(untilOutputFrom: $0.subject()).scan(Item(0)) { $1 } }),
      Explored(
        chain: "scan → append → scan → sink", inputs: 2, .others,
        building: { stand in
          stand.subject().scan(Item(0)) { $1 }.append(stand.subject()).scan(Item(0)) { $1 }
        }),
      Explored(
        chain: "scan → receive(on:) → scan → sink", .all, workers: 1,
        building: { stand in
          stand.subject().scan(Item(0)) { $1 }.receive(on: stand.scheduler()).scan(Item(0)) { $1 }
        }),
      Explored(
        chain: "receive(on:) two workers → scan → sink", .all, workers: 2,
        building: { stand in stand.subject().receive(on: stand.scheduler()).scan(Item(0)) { $1 } }),
    ]
  }

  /// Stages under a source of many values.
  private static var sourceChains: [Explored] {
    [
      underSequence("sink") { $0 },
      underSequence("scan → sink") { $0.scan(Item(0)) { $1 } },
      underSequence("scan → prefix → removeDuplicates → sink") {
        $0.scan(Item(0)) { $1 }.prefix(2).removeDuplicates()
      },
      underSequence("prefix(while:) → scan → sink") { $0.prefix { $0.number < 3 }.scan(Item(0)) { $1 } },
    ]
  }

  private static func underSubject<Output: Publisher<Item, Fault>>(
    _ name: String, _ values: Values, _ build: @escaping (PassthroughSubject<Item, Fault>) -> Output
  ) -> Explored {
    Explored(chain: "PassthroughSubject → \(name)", values, building: { build($0.subject()) })
  }

  private static func underSequence<Output: Publisher<Item, Fault>>(
    _ name: String, _ build: @escaping (AnyPublisher<Item, Fault>) -> Output
  ) -> Explored {
    Explored(
      chain: "sequence → \(name)", inputs: 0, .some, .isSource,
      building: { _ in
        let items = [1, 2, 3, 4].map { Item($0) }
        return build(items.publisher.setFailureType(to: Fault.self).eraseToAnyPublisher())
      })
  }

  /// With a sink at the end, whose closures are the probe's.
  private init<Output: Publisher<Item, Fault>>(
    chain name: String, inputs: Int = 1, _ values: Values, _ traits: Traits = [], workers: Int = 0,
    building: @escaping (Stand) -> Output
  ) {
    self.init(
      name: "chain: \(name)", inputs: inputs, values: values, traits: traits.union(.endsInSink),
      workers: workers, prelude: [], check: nil
    ) { stand in
      let publisher = building(stand)
      return { probe in
        let sink = Subscribers.Sink<Item, Fault>(
          receiveCompletion: { probe.receive(completion: $0) }, receiveValue: { _ = probe.receive($0) })
        probe.receive(subscription: SinkSubscription(sink))
        publisher.subscribe(sink)
      }
    }
  }
}

/// A sink as its probe cancels it. It keeps the sink, as an owner of a cancellable does.
private final class SinkSubscription: Subscription {
  private let sink: Subscribers.Sink<Item, Fault>

  init(_ sink: Subscribers.Sink<Item, Fault>) { self.sink = sink }

  func request(_: Subscribers.Demand) {}
  func cancel() { sink.cancel() }
}

extension Stand {
  /// A subject, which becomes an input.
  func subject() -> PassthroughSubject<Item, Fault> {
    let subject = PassthroughSubject<Item, Fault>()
    add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
    return subject
  }
}

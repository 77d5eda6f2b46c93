import Interleavings
import Streams
import StreamsExtras

extension Explored {
  /// What goes beyond Combine: operators on an operator core, and what is kept for who comes late.
  static var beyond: [Explored] {
    [
      Explored("withLatestFrom", .some, .hasOneContributor, prelude: [1]) {
        $0.withLatestFrom($1) { one, _ in one }
      },
      Explored("amb", .some) { $0.amb($1) },
      Explored(
        "zip of a collection", inputs: 2, .some, [.asksAll, .answersAll],
        building: { MorePublishers.ZipMany([$0.source(), $0.source()]).map { $0[0] } }),
      Explored(
        "combineLatest of a collection", inputs: 2, .others, .asksAll,
        building: { MorePublishers.CombineLatestMany([$0.source(), $0.source()]).map { $0[0] } }),
      Explored("concatMap", .all) { $0.concatMap { Just($0).setFailureType(to: Fault.self) } },
      Explored("flatMapSequential", .all) {
        $0.flatMapSequential { Just($0).setFailureType(to: Fault.self) }
      },
      Explored("flatMapSequential to another", .allInAnyOrder, .hasOneContributor, prelude: [1]) {
        child, outer in
        outer.flatMapSequential(maxConcurrent: 1, prefetch: 1) { _ in child }
      },
      Explored("expand", .all) { $0.expand { _ in Empty() } },
      Explored("expand, depth-first", .all) { $0.expand(.depthFirst) { _ in Empty() } },
      Explored("concatMap to another", .allInAnyOrder, .hasOneContributor, prelude: [1]) { child, outer in
        outer.concatMap { _ in child }
      },
      Explored("flatMap(maxConcurrent:)", .allInAnyOrder, .hasOneContributor, prelude: [1]) { child, outer in
        outer.flatMap(maxConcurrent: 1) { _ in child }
      },
      Explored("concat", .all) { [$0.eraseToAnyPublisher(), $1.eraseToAnyPublisher()].concat() },
      Explored("sample", .some, prelude: []) { $0.sample($1) },
      Explored("repeat", .all) { $0.repeat(2) },
      Explored("suffix", .some) { $0.suffix(2) },
      Explored("prefix(during:)", .all) { $0.prefix(during: endless.lifetime) },
      Explored("removeAllDuplicates(by:)", .all, .countsDemand) {
        $0.removeAllDuplicates { $0.number == $1.number }
      },
      Explored("doFinally", .all) { upstream in
        Deferred {
          var calls = 0
          return upstream.doFinally { _ in
            calls += 1
            if calls > 1 { Explorer.shared.fail("a second call") }
          }
        }
      },
      Explored("timeout(other:)", .some, workers: 1) {
        $0.timeout(1, scheduler: $1, other: Empty<Item, Fault>())
      },
      Explored("debounce that flushes", .some, [.isDelayed, .deliversInJobs], workers: 1) {
        $0.debounce(for: 1, scheduler: $1, flushesOnCompletion: true)
      },
      Explored("throttle(reducing:)", .some, .deliversInJobs, workers: 1) {
        $0.throttle(for: 1, scheduler: $1) { $1 }
      },
      Explored(
        "ReplaySubject", .all, [.isForMany],
        building: { stand in
          let subject = ReplaySubject<Item, Fault>(bufferSize: 10)
          stand.add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
          return subject
        }),
      Explored(
        "ReplaySubject with a value", .some, [.isForMany, .hasCurrent],
        building: { stand in
          let subject = ReplaySubject<Item, Fault>(bufferSize: 1)
          subject.send(Item(0))
          stand.add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
          return subject
        }),
      Explored("share(replay:) of a value", .others, [.shares, .isForMany, .hasCurrent]) {
        $0.prepend(Item(0)).share(replay: 1)
      },
      Explored(
        "withLatestFrom a subject", inputs: 2, .some, .hasOneContributor,
        building: { stand in
          let taps = stand.source()
          return taps.withLatestFrom(current(stand)) { one, _ in one }
        }),
      Explored(
        "combineLatest of subjects", inputs: 2, .others,
        building: { stand in
          current(stand).combineLatest(current(stand)) { Item($0.number * 1000 + $1.number) }
        }),
      Explored(
        "switchToLatest of a subject", .some, .hasCurrent,
        building: { stand in
          let state = current(stand)
          return Just(0).setFailureType(to: Fault.self).map { _ in state }.switchToLatest()
        }),
      Explored(
        "flatMap to a subject", .some, .hasCurrent,
        building: { stand in
          let state = current(stand)
          return Just(0).setFailureType(to: Fault.self).flatMap { _ in state }
        }),
      Explored("share(replay:)", .all, [.shares, .isForMany]) { $0.share(replay: 10) },
    ]
  }

  private static func current(_ stand: Stand) -> CurrentValueSubject<Item, Fault> {
    let subject = CurrentValueSubject<Item, Fault>(Item(0))
    stand.add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
    return subject
  }

  /// One that nobody ends.
  private static let endless = Lifetime.Token()
}

import Streams
import StreamsExtras

extension Explored {
  /// What goes beyond Combine, on one upstream or on two: what the others of it leave out.
  static var beyondStages: [Explored] {
    [
      Explored("retryWhen", .all) { upstream in
        upstream.retryWhen { failures in
          failures.scan(0) { count, _ in count + 1 }.tryMap { count in
            if count > 1 { throw Fault() }
          }.mapError { _ in Fault() }
        }
      },
      Explored("retryWhen another sends", .some, .hasOneContributor) { upstream, trigger in
        upstream.retryWhen { _ in trigger }
      },
      Explored("repeatWhen", .all) { upstream in
        upstream.repeatWhen { ends in
          ends.scan(0) { count, _ in count + 1 }.prefix { $0 < 2 }.setFailureType(to: Fault.self)
        }
      },
      Explored("retry later", .all, workers: 1) { $0.retry(1, delay: .seconds(1), scheduler: $1) },
      Explored("catch of many", .all, .countsDemand) { $0.catch([$1]) },
      Explored("switchIfEmpty", .all) { $0.switchIfEmpty(to: $1) },
      Explored("flatMapFirst", .allInAnyOrder, .hasOneContributor, prelude: [1]) { child, outer in
        outer.flatMapFirst { _ in child }
      },
      Explored("flatMapDelayingErrors", .allInAnyOrder, .hasOneContributor, prelude: [1]) { child, outer in
        outer.flatMapDelayingErrors { _ in child }
      },
      Explored("pairwise", .some) { $0.pairwise().map { $1 } },
      Explored("nwise", .some) { $0.nwise(2).map { $0[1] } },
      Explored("dropLast", .some) { $0.dropLast() },
      Explored("enumerated", .all, .countsDemand) { $0.enumerated().map(\.element) },
      Explored("scan(into:)", .all, .countsDemand) { $0.scan(into: Item(0)) { $0 = $1 } },
      Explored("materialize and dematerialize", .all) { $0.materialize().dematerialize() },
      Explored("prefix(while:behavior:)", .all) { $0.prefix(while: { _ in true }, behavior: .inclusive) },
      Explored("collect(until:)", .all, .countsDemand) { $0.collect { _ in true }.map { $0[0] } },
      Explored("using", .all) { upstream in
        MorePublishers.Using { () throws(Fault) in
          Cleaning()
        } publisher: { _ in
          upstream
        } release: {
          $0.cancel()
        }
      },
      Explored(
        "prefix(during:) of what ends", inputs: 2, .some,
        building: { stand in
          let (upstream, token) = (stand.source(), Lifetime.Token())
          stand.add(Input(send: { _ in token.end() }, complete: { _ in token.end() }))
          return upstream.prefix(during: token.lifetime)
        }),
      Explored("collect(by:)", .some, prelude: [0]) { $0.collect(by: $1).map { $0[$0.count - 1] } },
      Explored("window(by:)", .allInAnyOrder, .hasOneContributor) {
        $0.window(by: $1).flatMap(maxConcurrent: 100) { $0 }
      },
      Explored("window(count:)", .all) { $0.window(count: 1).concatMap { $0 } },
      Explored("groupBy", .allInAnyOrder) {
        $0.groupBy(maxGroups: 2) { $0.number / 100 }.flatMap(maxConcurrent: 100) { $0 }
      },
      Explored("prefix(duration:)", .some, workers: 1) { $0.prefix(duration: 1, on: $1) },
      Explored("drop(duration:)", .some, workers: 1) { $0.drop(duration: 1, on: $1) },
    ]
  }

  /// What many have in common.
  static var beyondShared: [Explored] {
    [
      Explored("share(replay:) while connected", .all, [.shares, .isForMany]) {
        $0.share(replay: 10, scope: .whileConnected)
      },
      Explored("refCount", .all, [.shares, .isForMany, .countsDemand]) {
        $0.multicast { PassthroughSubject() }.refCount()
      },
      Explored("refCount that waits", .all, [.shares, .isForMany], workers: 1) {
        $0.multicast { PassthroughSubject() }.refCount(disconnectAfter: 1, scheduler: $1)
      },
      Explored("partition", .all, .shares) { upstream in
        let (odd, even) = upstream.partition { $0.number % 2 == 1 }
        return odd.merge(with: even)
      },
    ]
  }
}

import Streams
import StreamsExtras

extension Explored {
  /// Several upstreams at the same time.
  static var joins: [Explored] {
    [
      Explored("zip", .some, [.asksAll, .answersAll], check: rows) { $0.zip($1) { one, _ in one } },
      Explored("zip with prefetch", .some, check: rows) { $0.zip($1, prefetch: 2).map { one, _ in one } },
      Explored("zip of three", .some, [.asksAll, .answersAll], check: rows) {
        $0.zip($1, $2) { one, _, _ in one }
      },
      Explored(
        "zip of four", inputs: 4, .some, [.asksAll, .answersAll], check: rows,
        building: {
          $0.source().zip($0.source(), $0.source(), $0.source()) { one, _, _, _ in one }
        }),
      Explored("combineLatest", .others, .asksAll, check: latest) {
        $0.combineLatest($1) { both([$0, $1]) }
      },
      Explored("combineLatest of three", .others, .asksAll, check: latest) {
        $0.combineLatest($1, $2) { both([$0, $1, $2]) }
      },
      Explored("merge", .all, .countsDemand) { $0.merge(with: $1) },
      Explored("merge of three", .all, .countsDemand) { $0.merge(with: $1, $2) },
      Explored(
        "merge of many", inputs: 2, .all, .countsDemand,
        building: {
          Publishers.MergeMany([$0.source(), $0.source()])
        }),
      Explored("drop(untilOutputFrom:)", .some) { $0.drop(untilOutputFrom: $1) },
      Explored("prefix(untilOutputFrom:)", .some) { $0.prefix(untilOutputFrom: $1) },
    ]
  }

  /// Several upstreams, one after another.
  static var concatenations: [Explored] {
    [
      Explored("append", .all, .countsDemand) { $0.append($1) },
      Explored("prepend", .all, .countsDemand) { $1.prepend($0) },
      Explored("catch", .all) { one, other in one.catch { _ in other } },
      Explored("catch with a value", .all) { one in
        one.catch { _ in Just(Item(0)) }.setFailureType(to: Fault.self)
      },
      Explored("append a value", .some) { $0.append(Just(Item(0)).setFailureType(to: Fault.self)) },
      Explored("append after a value that is there", .some, .answersAtOnce) {
        Just(Item(0)).setFailureType(to: Fault.self).append($0)
      },
      Explored("append after what ends when it is asked", .all, .startsEmpty) {
        Just(Item(0)).setFailureType(to: Fault.self).eraseToAnyPublisher().filter { _ in false }.append($0)
      },
      Explored("catch after a value that is there", .some, .answersAtOnce) { next in
        Record(output: [Item(0)], completion: .failure(Fault())).catch { _ in next }
      },
      Explored("tryCatch", .all) { one, other in one.tryCatch { _ in other }.mapError { _ in Fault() } },
      Explored("retry", .all) { $0.retry(1) },
      Explored("retry with another", .all) { one, other in
        var upstreams = [one, other][...]
        return Deferred { upstreams.popFirst() ?? other }.retry(1)
      },
      Explored("replaceError", .all) { $0.replaceError(with: Item(0)).setFailureType(to: Fault.self) },
    ]
  }

  /// Upstreams that come and go: input 0 is what comes, input 1 says when.
  static var flattenings: [Explored] {
    [
      Explored("flatMap", .allInAnyOrder, .hasOneContributor, prelude: [1]) { child, outer in
        outer.flatMap { _ in child }
      },
      Explored("flatMap, one at a time", .allInAnyOrder, .hasOneContributor, prelude: [1]) { child, outer in
        outer.flatMap(maxPublishers: .max(1)) { _ in child }
      },
      Explored("flatMap to values", .allInAnyOrder) { outer in outer.flatMap { Just($0) } },
      Explored("switchToLatest", .some, prelude: [1]) { child, outer in
        outer.map { _ in child }.switchToLatest()
      },
      Explored("switchToLatest of values", .some) { outer in outer.map { Just($0) }.switchToLatest() },
      Explored("flatMap to values and others", .some, prelude: [1]) { child, outer in
        Child.made(of: outer, first: child).flatMap { $0 }
      },
      Explored("switchToLatest of values and others", .some, prelude: [1]) { child, outer in
        Child.made(of: outer, first: child).switchToLatest()
      },
    ]
  }

  /// As many rows as the upstream with the fewest values.
  private static func rows(_ stand: Stand) -> String? {
    guard stand.scenario.demand == .unlimited, !stand.hasEnded, !stand.scenario.subscribesLate else {
      return nil
    }
    let expected = stand.sources.map(\.accepted.count).min()
    return stand.probe.numbers.count == expected
      ? nil : "X05: \(stand.probe.numbers.count) rows of \(expected!)"
  }

  /// The last row shows the last values, unless one was sent in a delivery: that makes no row.
  private static func latest(_ stand: Stand) -> String? {
    let scenario = stand.scenario
    guard scenario.demand == .unlimited, !stand.hasEnded, !scenario.subscribesLate, !scenario.isReentrant
    else { return nil }
    let lasts = stand.sources.compactMap(\.accepted.last)
    guard lasts.count == stand.sources.count else { return nil }
    let expected = both(lasts.map { Item($0) }).number
    return stand.probe.numbers.last == expected ? nil : "X10: \(stand.probe.numbers) ends without \(expected)"
  }

  private static func both(_ items: [Item]) -> Item {
    Item(items.reduce(0) { $0 * 1000 + $1.number })
  }
}

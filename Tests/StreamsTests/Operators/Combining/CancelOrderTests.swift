import Streams
import StreamsTesting
import Testing

/// An operator with two upstreams, and the order in which Combine cancels them.
struct CancelOrder: Sendable, CustomStringConvertible {
  typealias Numbers = Script<Int, Problem>

  let description: String
  let order: [String]
  /// Connects the scripts `first` and `second` of a journal.
  let make: @Sendable (Numbers, Numbers) -> AnyPublisher<Int, Problem>

  init(
    _ description: String, _ order: [String],
    _ make: @escaping @Sendable (Numbers, Numbers) -> any Publisher<Int, Problem>
  ) {
    (self.description, self.order) = (description, order)
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }

  static let all = [
    CancelOrder("switchToLatest", ["second", "first"]) { first, second in
      first.map { _ in second }.switchToLatest()
    },
    CancelOrder("flatMap", ["second", "first"]) { first, second in first.flatMap { _ in second } },
    CancelOrder("flatMap(maxPublishers:)", ["second", "first"]) { first, second in
      first.flatMap(maxPublishers: .max(1)) { _ in second }
    },
    CancelOrder("prefix(untilOutputFrom:)", ["first", "second"]) { $0.prefix(untilOutputFrom: $1) },
    CancelOrder("drop(untilOutputFrom:)", ["first", "second"]) { $0.drop(untilOutputFrom: $1) },
    CancelOrder("zip", ["first", "second"]) { $0.zip($1, +) },
    CancelOrder("combineLatest", ["first", "second"]) { $0.combineLatest($1, +) },
    CancelOrder("merge", ["first", "second"]) { $0.merge(with: $1) },
  ]
}

@Suite("Order of cancellation", .leavesNothing)
struct CancelOrderTests {
  @Test("An operator with two upstreams cancels them in Combine's order", arguments: CancelOrder.all)
  func cancels(_ row: CancelOrder) {
    let journal = Journal()
    let first = CancelOrder.Numbers(name: "first", journal: journal)
    let second = CancelOrder.Numbers(name: "second", journal: journal)
    let recorder = row.make(first, second).record()
    first.say(1)

    recorder.cancel()

    #expect(journal.lines.filter { $0.hasSuffix(": cancel") } == row.order.map { "\($0): cancel" })
  }
}

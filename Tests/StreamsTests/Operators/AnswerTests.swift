import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// An operator, the values that it is sent, and the demand with which it answers each of them.
struct Answering: Sendable, CustomTestStringConvertible {
  typealias Upstream = Script<Int, Problem>

  let testDescription: String
  let demand, answer: Int
  let sent, answers, requests: [Int]
  private let make: @Sendable (Upstream) -> any Publisher

  init(
    _ name: String, demand: Int, answering answer: Int = 0, sent: [Int], answers: [Int], requests: [Int],
    _ make: @escaping @Sendable (Upstream) -> any Publisher
  ) {
    (testDescription, self.demand, self.answer) = (name, demand, answer)
    (self.sent, self.answers, self.requests) = (sent, answers, requests)
    self.make = make
  }

  func record(_ upstream: Upstream) -> AnyCancellable { record(make(upstream)) }

  private func record(_ publisher: some Publisher) -> AnyCancellable {
    let recorder = publisher.record(demand: .max(demand)) { [answer] in $0.answer = { _ in .max(answer) } }
    return AnyCancellable { recorder.cancel() }
  }

  /// Downstream's answer is returned as it is.
  static let passing: [Answering] = [
    passing("map") { $0.map { "\($0)" } },
    passing("tryMap") { $0.tryMap { $0 } },
    passing("mapError") { $0.mapError { Problem(code: -$0.code) } },
    passing("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: Upstream()) },
    passing("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
  ]

  /// A value that is dropped is replaced.
  static let dropping: [Answering] = [
    Answering("filter", demand: 1, sent: [-1, 0, 1], answers: [1, 1, 0], requests: [1]) {
      $0.filter { $0 > 0 }
    },
    Answering("tryFilter", demand: 1, sent: [1, 2], answers: [1, 0], requests: [1]) {
      $0.tryFilter { $0 > 1 }
    },
    Answering("compactMap", demand: 2, sent: [2, 1, 2], answers: [0, 1, 0], requests: [2]) {
      $0.compactMap { $0 > 1 ? $0 : nil }
    },
    Answering("tryCompactMap", demand: 1, sent: [1, 2], answers: [1, 0], requests: [1]) {
      $0.tryCompactMap { $0 > 1 ? $0 : nil }
    },
    Answering("removeDuplicates", demand: 2, sent: [1, 1], answers: [0, 1], requests: [2]) {
      $0.removeDuplicates()
    },
    Answering("tryRemoveDuplicates", demand: 4, sent: [1, 1, 2, 1], answers: [0, 1, 0, 0], requests: [4]) {
      $0.tryRemoveDuplicates(by: ==)
    },
    Answering("drop(while:)", demand: 1, sent: [1, 2, 1], answers: [1, 0, 0], requests: [1]) {
      $0.drop { $0 < 2 }
    },
    Answering("tryDrop(while:)", demand: 2, sent: [1, 2, 3, 1], answers: [1, 1, 0, 0], requests: [2]) {
      $0.tryDrop { $0 < 3 }
    },
    Answering("output(at:)", demand: 5, sent: [1], answers: [1], requests: [5]) { $0.output(at: 1) },
  ]

  /// What is requested of upstream is not what downstream requests.
  static let counting: [Answering] = [
    Answering("dropFirst", demand: 42, answering: 3, sent: [1, 2, 3], answers: [0, 0, 3], requests: [44]) {
      $0.dropFirst(2)
    },
    Answering("drop(untilOutputFrom:)", demand: 2, sent: [1, 2], answers: [0, 0], requests: [2]) {
      $0.drop(untilOutputFrom: Upstream())
    },
    Answering("collect(_:)", demand: 2, answering: 4, sent: [1, 2, 3], answers: [0, 0, 12], requests: [6]) {
      $0.collect(3)
    },
    Answering("collect(.byTime)", demand: 5, sent: [1], answers: [1], requests: [1]) {
      $0.collect(.byTime(VirtualScheduler.virtual, 3))
    },
    Answering("buffer", demand: 1, sent: [1, 2], answers: [1, 0], requests: [2]) {
      $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
    },
    Answering("merge", demand: 2, sent: [1], answers: [1], requests: [1]) { $0.merge(with: Upstream()) },
    Answering("flatMap", demand: 1, sent: [1, 2], answers: [1, 0], requests: [1]) { upstream in
      Just(0).flatMap { _ in upstream }
    },
    Answering("delay", demand: 2, answering: 3, sent: [1], answers: [0], requests: [2]) {
      $0.delay(for: 2, scheduler: VirtualScheduler.virtual)
    },
  ]

  private static func passing(
    _ name: String, _ make: @escaping @Sendable (Upstream) -> any Publisher
  ) -> Answering {
    Answering(name, demand: 2, answering: 3, sent: [1], answers: [3], requests: [2], make)
  }
}

@Suite("Demand that operators return", .leavesNothing)
struct AnswerTests {
  @Test(
    "An operator answers a value with as much demand as Combine's, and requests the rest",
    arguments: Answering.passing + Answering.dropping + Answering.counting)
  func answers(_ row: Answering) {
    let upstream = Answering.Upstream()
    let cancellable = row.record(upstream)

    let answers = row.sent.map { upstream.say($0) }

    #expect(answers == row.answers.map { .max($0) })
    #expect(upstream.demands == row.requests.map { .max($0) })
    cancellable.cancel()
  }
}

import Streams
import StreamsTesting
import Testing

@Suite("`prefix(while:)`", .leavesNothing)
struct PrefixWhileTests {
  @Test(
    "`prefix(while:)` ends before the first value that fails its predicate",
    arguments: [
      (sent: [], delivered: []),
      (sent: [1, 2], delivered: [1, 2]),
      (sent: [1, 5, 2], delivered: [1]),
      (sent: [5, 1], delivered: []),
    ] as [(sent: [Int], delivered: [Int])])
  func deliversThePrefix(_ row: (sent: [Int], delivered: [Int])) {
    let source = Script(Int.self, failure: Never.self)
    let recorder = source.prefix { $0 < 5 }.record()

    row.sent.forEach { source.say($0) }

    #expect(recorder.values == row.delivered)
    #expect(recorder.values.elementsEqual(row.sent.prefix { $0 < 5 }))
  }

  @Test("`prefix(while:)` cancels upstream once, then finishes once")
  func endsOnce() {
    let journal = Journal()
    let source = Script(Int.self, failure: Never.self, journal: journal)
    let recorder = source.prefix { $0 < 5 }.record { $0.journal = journal }

    source.say(1, 5, 2, 5)
    source.end()

    #expect(source.cancellations == 1)
    #expect(recorder.completions == [.finished])
    #expect(journal.lines.suffix(2) == ["upstream: cancel", "downstream: finished"])
  }

  @Test("`prefix(while:)` ends an endless upstream")
  func endless() {
    let recorder = (1...).publisher.eraseToAnyPublisher().prefix { $0 * $0 < 20 }.record()

    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.finished])
  }

  @Test("`prefix(while:)` delivers nothing more if its predicate cancels the stream")
  func cancelledByThePredicate() {
    let source = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>()
    source.prefix { [unowned recorder] value in
      if value == 2 { recorder.cancel() }
      return true
    }.subscribe(recorder)

    source.say(1, 2)

    #expect(recorder.events == [.subscription, .value(1)])
    #expect(source.cancellations == 1)
  }

  @Test("`prefix(while:)` delivers values sent inside a delivery immediately")
  func reentrant() {
    let source = Script(Int.self, failure: Never.self)
    let recorder = source.prefix { $0 < 5 }.record { recorder in
      recorder.onValue = { [unowned source] _, value in
        if value < 6 { source.say(value + 1) }
      }
    }

    source.say(3)

    #expect(recorder.events == [.subscription, .value(3), .value(4), .completion(.finished)])
  }

  @Test("`prefix(while:)` and `tryPrefix(while:)` have Combine's names")
  func names() {
    let source = Script(Int.self, failure: Never.self)

    #expect("\(source.prefix { _ in true }.record().subscriptions[0])" == "PrefixWhile")
    #expect("\(source.tryPrefix { _ in true }.record().subscriptions[0])" == "TryPrefixWhile")
  }

  @Test("`tryPrefix(while:)` fails with the error of its predicate")
  func failsWithTheThrownError() {
    let source = Script(Int.self, failure: Never.self)
    let recorder = source.tryPrefix { try positive($0) < 5 }.record()

    source.say(2, 4, -1, 1)

    #expect(recorder.values == [2, 4])
    #expect(recorder.failure == Problem(code: -1))
    #expect(recorder.completions.count == 1)
    #expect(source.cancellations == 1)
  }

  @Test("`tryPrefix(while:)` cancels upstream and finishes at the first value that its predicate rejects")
  func triesUntilRejected() {
    let source = Script(Int.self, failure: Never.self)
    let recorder = source.tryPrefix { try positive($0) < 5 }.record(demand: .max(3))

    source.say(2, 5, 1)

    #expect(recorder.values == [2])
    #expect(recorder.completions.map { "\($0)" } == ["finished"])
    #expect(source.asks == [.request(.max(3)), .cancel])
  }

  @Test("`prefix(while:)` and `tryPrefix(while:)` trap on zero demand")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      Script(Int.self, failure: Never.self).prefix { _ in true }.record(demand: .none).request(.none)
    }
    await #expect(processExitsWith: .failure) {
      [1].publisher.tryPrefix { _ in true }.record(demand: .none).request(.none)
    }
  }
}

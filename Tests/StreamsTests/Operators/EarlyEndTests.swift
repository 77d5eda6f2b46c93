import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// In which order an operator that ends before its upstream passes on the last value, cancels, and completes.
@Suite("Operators that end early", .leavesNothing)
struct EarlyEndTests {
  typealias Script = StreamsTesting.Script<Int, any Error>

  /// What arrives where.
  enum Event: String, Sendable { case value, cancel, end }

  struct Stand {
    let upstream: Script
    let other = Script(name: "other")
    let scheduler = VirtualScheduler.virtual

    init(_ journal: Journal? = nil) { upstream = Script(journal: journal) }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let events: [Event]
    let make: @Sendable (Stand) -> AnyPublisher<String, any Error>
    let stimulus: @Sendable (Stand) -> Void

    init<Made: Publisher & SendableMetatype>(
      _ name: String, _ events: [Event], _ make: @escaping @Sendable (Stand) -> Made,
      after stimulus: @escaping @Sendable (Stand) -> Void = { $0.upstream.say(1) }
    ) {
      testDescription = name
      self.events = events
      self.make = { make($0).map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher() }
      self.stimulus = stimulus
    }
  }

  @Test("An operator that is cancelled as its subscription arrives requests nothing of upstream")
  func cancelledOnArrival() {
    for make in Self.requesting {
      let upstream = Script()
      _ = make(upstream).record { $0.onSubscription = { $0.cancel() } }

      #expect(upstream.demands == [])
      #expect(upstream.cancellations == 1)
    }
  }

  @Test("An operator ignores a value and a completion that come before the subscription")
  func beforeTheSubscription() {
    for make in Self.requesting {
      let upstream = Script()
      upstream.handsOverAtOnce = false
      let recorder = make(upstream).record()

      upstream.say(1)
      upstream.end()
      let early = (recorder.values, recorder.completions.count)
      recorder.cancel()

      #expect(early.0 == [])
      #expect(early.1 == 0)
    }
  }

  /// Operators that request of upstream on their own.
  private static var requesting: [(Script) -> AnyPublisher<Int, any Error>] {
    [
      { $0.count().eraseToAnyPublisher() }, { $0.dropFirst(2).eraseToAnyPublisher() },
      { $0.last().eraseToAnyPublisher() }, { $0.reduce(0, +).eraseToAnyPublisher() },
    ]
  }

  @Test(
    "The last value, the cancellation of upstream and the completion come in Combine's order",
    arguments: passing + concluding + silent + throwing + several)
  func order(_ row: Row) {
    let journal = Journal()
    let stand = Stand(journal)
    let recorder = row.make(stand).record { $0.journal = journal }

    row.stimulus(stand)
    stand.upstream.say(7)
    recorder.request(.max(1))

    let events = journal.lines.compactMap { line -> Event? in
      if line.contains("cancel") { return .cancel }
      guard line.hasPrefix("downstream: ") else { return nil }
      if line.contains("subscription") || line.contains("request") { return nil }
      return line.hasPrefix("downstream: value") ? .value : .end
    }
    #expect(events == row.events)
  }

  @Test(
    "A value that is cancelled by its subscriber is the last, and upstream is cancelled once",
    arguments: passing)
  func cancelledInside(_ row: Row) {
    let stand = Stand()
    let recorder = row.make(stand).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    row.stimulus(stand)
    recorder.cancel()

    #expect(recorder.events.map(\.description) == ["subscription", "value 1"])
    #expect(stand.upstream.cancellations == 1)
  }

  @Test(
    "Values and the completion of upstream that arrive during the last value change nothing",
    arguments: passing)
  func nested(_ row: Row) {
    for ends in [false, true] {
      let stand = Stand()
      let recorder = row.make(stand).record {
        $0.onValue = { [unowned upstream = stand.upstream] _, _ in
          if ends { upstream.end(failure) } else { upstream.say(2) }
        }
      }

      row.stimulus(stand)

      #expect(recorder.events.map(\.description) == ["subscription", "value 1", "finished"])
      #expect(stand.upstream.cancellations == (ends ? 0 : 1))
    }
  }

  // MARK: The operators

  /// The last value is one of upstream's.
  static let passing: [Row] = [
    Row("prefix(1)", [.value, .cancel, .end]) { $0.upstream.prefix(1) },
    Row("output(at:)", [.value, .cancel, .end]) { $0.upstream.output(at: 0) },
    Row("output(in:)", [.value, .cancel, .end]) { $0.upstream.output(in: 0...0) },
    Row("prefix(while:behavior:)", [.value, .cancel, .end]) {
      $0.upstream.prefix(while: { $0 > 1 }, behavior: .inclusive)
    },
  ]

  /// The value is a result, which is known before upstream ends.
  static let concluding: [Row] = [
    Row("first", [.cancel, .value, .end]) { $0.upstream.first() },
    Row("first(where:)", [.cancel, .value, .end]) { $0.upstream.first { $0 == 1 } },
    Row("tryFirst(where:)", [.cancel, .value, .end]) { $0.upstream.tryFirst { $0 == 1 } },
    Row("contains", [.cancel, .value, .end]) { $0.upstream.contains(1) },
    Row("contains(where:)", [.cancel, .value, .end]) { $0.upstream.contains { $0 == 1 } },
    Row("tryContains(where:)", [.cancel, .value, .end]) { $0.upstream.tryContains { $0 == 1 } },
    Row("allSatisfy", [.cancel, .value, .end]) { $0.upstream.allSatisfy { $0 > 1 } },
    Row("tryAllSatisfy", [.cancel, .value, .end]) { $0.upstream.tryAllSatisfy { $0 > 1 } },
  ]

  /// There is no last value.
  static let silent: [Row] = [
    Row("prefix(0)", [.cancel, .end]) { $0.upstream.prefix(0) },
    Row("output(in:) of an empty range", [.cancel, .end]) { $0.upstream.output(in: 2..<2) },
    Row("prefix(while:)", [.cancel, .end]) { $0.upstream.prefix { $0 > 1 } },
    Row("tryPrefix(while:)", [.cancel, .end]) { $0.upstream.tryPrefix { $0 > 1 } },
    Row("prefix(untilOutputFrom:)", [.cancel, .end]) { stand in
      stand.upstream.prefix(untilOutputFrom: stand.other)
    } after: { stand in
      stand.other.say(1)
    },
    Row("prefix(duration:)", [.cancel, .end]) { stand in
      stand.upstream.prefix(duration: 1, on: stand.scheduler)
    } after: { stand in
      stand.scheduler.advance(by: 2)
    },
    Row("timeout", [.cancel, .end]) { stand in
      stand.upstream.timeout(1, scheduler: stand.scheduler)
    } after: { stand in
      stand.scheduler.advance(by: 2)
    },
    Row("timeout(customError:)", [.cancel, .end]) { stand in
      stand.upstream.timeout(1, scheduler: stand.scheduler) { Problem(code: 1) }
    } after: { stand in
      stand.scheduler.advance(by: 2)
    },
  ]

  /// A closure throws.
  static let throwing: [Row] = [
    Row("tryMap", [.cancel, .end]) { $0.upstream.tryMap { _ in try fail() as Int } },
    Row("tryCompactMap", [.cancel, .end]) { $0.upstream.tryCompactMap { _ in try fail() as Int } },
    Row("tryFilter", [.cancel, .end]) { $0.upstream.tryFilter { _ in try fail() } },
    Row("tryScan", [.cancel, .end]) { $0.upstream.tryScan(0) { _, _ in try fail() } },
    Row("tryReduce", [.cancel, .end]) { $0.upstream.tryReduce(0) { _, _ in try fail() } },
    Row("tryDrop(while:)", [.cancel, .end]) { $0.upstream.tryDrop { _ in try fail() } },
    Row("tryPrefix(while:) that throws", [.cancel, .end]) { $0.upstream.tryPrefix { _ in try fail() } },
    Row("tryFirst(where:) that throws", [.cancel, .end]) { $0.upstream.tryFirst { _ in try fail() } },
    Row("tryLast(where:)", [.cancel, .end]) { $0.upstream.tryLast { _ in try fail() } },
    Row("tryContains(where:) that throws", [.cancel, .end]) { $0.upstream.tryContains { _ in try fail() } },
    Row("tryAllSatisfy that throws", [.cancel, .end]) { $0.upstream.tryAllSatisfy { _ in try fail() } },
    Row("tryRemoveDuplicates", [.value, .cancel, .end]) { stand in
      stand.upstream.tryRemoveDuplicates { _, _ in try fail() }
    } after: { stand in
      stand.upstream.say(1, 2)
    },
    Row("tryMin", [.cancel, .end]) { stand in
      stand.upstream.tryMin { _, _ in try fail() }
    } after: { stand in
      stand.upstream.say(1, 2)
    },
    Row("tryMax", [.cancel, .end]) { stand in
      stand.upstream.tryMax { _, _ in try fail() }
    } after: { stand in
      stand.upstream.say(1, 2)
    },
    Row("decode", [.cancel, .end]) { $0.upstream.decode(type: Int.self, decoder: Refusing()) },
    Row("encode", [.cancel, .end]) { $0.upstream.encode(encoder: Refusing()) },
  ]

  /// Another upstream ends the stream.
  static let several: [Row] = [
    Row("merge", [.cancel, .end]) { stand in
      stand.upstream.merge(with: stand.other)
    } after: {
      $0.other.end(failure)
    },
    Row("zip that fails", [.cancel, .end]) { stand in
      stand.upstream.zip(stand.other) { $0 + $1 }
    } after: {
      $0.other.end(failure)
    },
    Row("zip that is exhausted", [.value, .cancel, .end]) { stand in
      stand.upstream.zip(stand.other) { $0 + $1 }
    } after: { stand in
      stand.other.say(1)
      stand.other.end()
      stand.upstream.say(1)
    },
    Row("combineLatest", [.cancel, .end]) { stand in
      stand.upstream.combineLatest(stand.other) { $0 + $1 }
    } after: {
      $0.other.end(failure)
    },
    Row("flatMap", [.cancel, .end]) { stand in
      stand.upstream.flatMap { _ in stand.other }
    } after: { stand in
      stand.upstream.say(1)
      stand.other.end(failure)
    },
    Row("switchToLatest", [.cancel, .end]) { stand in
      stand.upstream.map { _ in stand.other }.switchToLatest()
    } after: { stand in
      stand.upstream.say(1)
      stand.other.end(failure)
    },
    Row("drop(untilOutputFrom:)", [.cancel, .end]) { stand in
      stand.upstream.drop(untilOutputFrom: stand.other)
    } after: {
      $0.other.end(failure)
    },
  ]
}

private var failure: Subscribers.Completion<any Error> { .failure(Problem(code: 1)) }

private func fail<Value>() throws -> Value { throw Problem(code: 2) }

/// A coder that fails.
private struct Refusing: TopLevelEncoder, TopLevelDecoder {
  func encode<Value: Encodable>(_: Value) throws -> Int { try fail() }
  func decode<Value: Decodable>(_: Value.Type, from _: Int) throws -> Value { try fail() }
}

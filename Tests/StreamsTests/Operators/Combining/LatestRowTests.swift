import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// What makes a row of `combineLatest`, and what its upstreams are asked for after one.
@Suite("Rows of `combineLatest`", .leavesNothing)
struct LatestRowTests {
  typealias Script = StreamsTesting.Script<Int, Never>

  /// Each form of the operator, as an array of the latest values of all scripts.
  enum Form: CaseIterable, Sendable {
    case two, three, four, collection

    var count: Int {
      switch self {
      case .two, .collection: 2
      case .three: 3
      case .four: 4
      }
    }

    func joining(_ all: [AnyPublisher<Int, Never>]) -> AnyPublisher<[Int], Never> {
      switch self {
      case .two: all[0].combineLatest(all[1]) { [$0, $1] }.eraseToAnyPublisher()
      case .three: all[0].combineLatest(all[1], all[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
      case .four: all[0].combineLatest(all[1], all[2], all[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher()
      case .collection: all.combineLatest()
      }
    }

    func joining(_ all: [Script]) -> AnyPublisher<[Int], Never> {
      joining(all.map { $0.eraseToAnyPublisher() })
    }

    func scripts() -> [Script] { (0..<count).map { _ in Script() } }
  }

  // MARK: During a delivery

  @Test(
    "A value that arrives during the delivery of a row is stored for the next row, and makes none",
    arguments: Form.allCases)
  func feedback(_ form: Form) {
    let scripts = form.scripts()
    let recorder = form.joining(scripts).record { [scripts] in
      $0.onValue = { _, row in scripts[0].say(row[0] + 1) }
    }

    for script in scripts { script.say(1) }
    scripts[1].say(2)

    let ones = Array(repeating: 1, count: form.count - 2)
    #expect(recorder.values == [[1, 1] + ones, [2, 2] + ones])
    recorder.cancel()
  }

  @Test(
    "A value during the delivery of the last row that is wanted does not wait for the next request",
    arguments: Form.allCases)
  func feedbackWithoutDemand(_ form: Form) {
    let scripts = form.scripts()
    let recorder = form.joining(scripts).record(demand: .max(2)) { [scripts] in
      $0.onValue = { _, row in if row[0] == 2 { scripts[1].say(7) } }
    }

    for script in scripts { script.say(1) }
    scripts[0].say(2)
    recorder.request(.max(1))
    let early = recorder.values.count
    scripts[0].say(3)

    #expect(early == 2)
    #expect(recorder.values.map { Array($0.prefix(2)) } == [[1, 1], [2, 1], [3, 7]])
    recorder.cancel()
  }

  @Test(
    "A value of another operator's row that is delivered to two of the publishers makes a row for each",
    arguments: Form.allCases)
  func diamond(_ form: Form) {
    let subject = PassthroughSubject<Int, Never>()
    let all = (0..<form.count).map { number in subject.map { $0 * 10 + number }.eraseToAnyPublisher() }
    let recorder = form.joining(all).record()

    subject.send(1)
    subject.send(2)

    #expect(recorder.values.count == 1 + form.count)
    #expect(recorder.values.last == (0..<form.count).map { 20 + $0 })
    recorder.cancel()
  }

  @Test(
    "The completion of a publisher that arrives during the delivery of a row counts", arguments: Form.allCases
  )
  func completion(_ form: Form) {
    let scripts = form.scripts()
    let recorder = form.joining(scripts).record { [scripts] in
      $0.onValue = { _, _ in for script in scripts { script.end() } }
    }

    for script in scripts { script.say(1) }

    #expect(
      recorder.events == [
        .subscription, .value(Array(repeating: 1, count: form.count)), .completion(.finished),
      ])
  }

  // MARK: Demand

  /// How a subscriber asks for one row after another.
  enum Manner: CaseIterable, Sendable { case answer, request, both }

  @Test(
    "A subscriber that asks for one row at a time receives the last values of all sequences, and the completion",
    arguments: Form.allCases, Manner.allCases)
  func oneByOne(_ form: Form, _ manner: Manner) {
    let all = (0..<form.count).map { number in
      (1...3).publisher.map { $0 + number * 10 }.eraseToAnyPublisher()
    }
    let recorder = form.joining(all).record(demand: .max(1)) {
      if manner != .request { $0.answer = { _ in .max(1) } }
      if manner != .answer { $0.onValue = { recorder, _ in recorder.request(.max(1)) } }
    }

    #expect(recorder.values.last == (0..<form.count).map { 3 + $0 * 10 })
    #expect(recorder.completions == [.finished])
    // No value that a request has brought is without a row, whichever publisher it is of.
    #expect(recorder.values.count == 1 + 2 * form.count)
  }

  @Test(
    "Values that a publisher has sent before the others do not count against the rows that are wanted",
    arguments: Form.allCases)
  func early(_ form: Form) {
    let scripts = form.scripts()
    let recorder = form.joining(scripts).record(demand: .max(3))
    scripts[0].say(1, 2, 3)
    for script in scripts.dropFirst() { script.say(1) }
    let before = scripts[0].demands.reduce(.none, +)

    scripts[0].say(4, 5)

    #expect(before == .max(5))
    #expect(recorder.values.map { $0[0] } == [3, 4, 5])
    recorder.cancel()
  }

  @Test("A request during a delivery reaches the publishers once, after it", arguments: Form.allCases)
  func requestInside(_ form: Form) {
    let scripts = form.scripts()
    var inside: [Subscribers.Demand] = []
    let recorder = form.joining(scripts).record(demand: .max(1)) { [scripts] in
      $0.onValue = { recorder, _ in
        recorder.request(.max(4))
        inside = scripts[0].demands
      }
    }

    for script in scripts.dropLast() { script.say(1) }
    let answer = scripts[form.count - 1].say(1)

    #expect(inside == [.max(1)])
    #expect(answer == .max(4))
    #expect(scripts.dropLast().allSatisfy { $0.demands == [.max(1), .max(4)] })
    recorder.cancel()
  }
}

import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Rows of a collection of publishers", .leavesNothing)
struct RowTests {
  private let scripts = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }

  @Test("`zip` of a collection asks each publisher for the rows that are wanted, without those that wait")
  func zipDemand() {
    let recorder = scripts.zip().record(demand: .max(2))
    let first = scripts.map(\.demands)
    scripts[0].say(1)
    recorder.request(.max(1))

    #expect(first == Array(repeating: [.max(2)], count: 3))
    #expect(scripts.map { $0.demands.reduce(.none, +) } == Array(repeating: .max(3), count: 3))
    recorder.request(.unlimited)
    #expect(scripts.map { $0.demands.last } == Array(repeating: .unlimited, count: 3))
  }

  @Test("`zip` of a collection finishes after the last row of a publisher that has ended")
  func zipEnds() {
    let recorder = scripts.zip().record()
    scripts[0].say(1, 2)
    scripts[0].end()
    scripts[1].say(3, 4, 5)
    scripts[2].say(6)
    let between = recorder.events
    scripts[2].say(7)

    #expect(between == [.subscription, .value([1, 3, 6])])
    #expect(recorder.events == between + [.value([2, 4, 7]), .completion(.finished)])
    #expect(scripts.map(\.cancellations) == [0, 1, 1])
  }

  @Test("`zip` of a collection ends at once if a publisher fails, or finishes without a value that waits")
  func zipEndsAtOnce() {
    let failed = scripts.zip().record()
    scripts[0].say(1)
    scripts[0].end(.failure(Problem(code: 1)))
    let finished = scripts.zip().record()
    scripts[0].say(1)
    scripts[1].end()

    #expect(failed.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect(finished.events == [.subscription, .completion(.finished)])
  }

  @Test("`zip` of a collection sends all rows that have waited for demand, and no more than are wanted")
  func zipWaits() {
    let rows = [[1, 2, 3].publisher, [4, 5, 6].publisher].zip().record(demand: .none)
    rows.request(.max(2))
    let first = rows.events
    rows.request(.max(5))

    #expect(first == [.subscription, .value([1, 4]), .value([2, 5])])
    #expect(rows.events == first + [.value([3, 6]), .completion(.finished)])
  }

  @Test("`zip` of a collection requests 32 elements of a sequence ahead, and 8 more after 8 rows")
  func zipAhead() {
    var taken = 0
    let numbers = (0..<1000).lazy.map { number in
      taken += 1
      return number
    }
    let subject = PassthroughSubject<Int, Never>()
    let recorder = numbers.publisher.zip(with: [subject.eraseToAnyPublisher()]).record()

    let first = taken
    for value in 0..<7 { subject.send(value) }
    let beforeEighth = taken
    for value in 7..<100 { subject.send(value) }

    #expect((32...33).contains(first))
    #expect(beforeEighth == first)
    #expect(taken == first + 96)
    #expect(recorder.values == (0..<100).map { [$0, $0] })
    recorder.cancel()
  }

  /// Two values of each are wanted. Two rows are sent, and the second value of another waits as news.
  private func latestWithNews() -> Recorder<[Int], Problem> {
    let recorder = scripts.combineLatest().record(demand: .max(2))
    for (number, script) in scripts.enumerated() { script.say(number) }
    scripts[0].say(3)
    scripts[1].say(4)
    return recorder
  }

  @Test("`combineLatest` of a collection sends the newest row once it is requested, and each row once")
  func latestDemand() {
    let recorder = latestWithNews()
    scripts[2].say(5)
    let before = recorder.values
    recorder.request(.max(1))
    let first = recorder.values
    recorder.request(.max(1))
    let again = recorder.values
    scripts[0].say(6)

    #expect(before == [[0, 1, 2], [3, 1, 2]])
    #expect(first == before + [[3, 4, 5]] && again == first)
    #expect(recorder.values == first + [[6, 4, 5]])
    // Each request is passed on, as `combineLatest` of a tuple does.
    #expect(scripts.map { $0.demands.reduce(.none, +) } == Array(repeating: .max(4), count: 3))
  }

  @Test("`combineLatest` of a collection finishes with the last publisher, after the row that waits")
  func latestEnds() {
    let recorder = latestWithNews()
    for script in scripts { script.end() }
    let before = recorder.completions.count
    recorder.request(.max(1))

    #expect(before == 0)
    #expect(recorder.values == [[0, 1, 2], [3, 1, 2], [3, 4, 2]])
    #expect(recorder.completions == [.finished])

    let prompt = scripts.combineLatest().record()
    for (number, script) in scripts.enumerated() { script.say(number) }
    for script in scripts.prefix(2) { script.end() }
    let open = prompt.completions.count
    scripts[2].say(9)
    scripts[2].end()
    #expect(open == 0)
    #expect(
      prompt.events == [.subscription, .value([0, 1, 2]), .value([0, 1, 9]), .completion(.finished)])
  }

  @Test("`combineLatest` of a collection fails at once, without the row that waits")
  func latestFails() {
    let recorder = latestWithNews()
    scripts[1].end(.failure(Problem(code: 1)))

    #expect(recorder.values == [[0, 1, 2], [3, 1, 2]])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
    #expect(scripts.map(\.cancellations) == [1, 0, 1])
  }

  @Test("`concat` of a collection goes on after an end, and fails with the first failure")
  func concat() {
    let recorder = scripts.concat().record(demand: .max(3))
    scripts[0].say(1)
    scripts[0].end()
    scripts[1].say(2)
    scripts[1].end(.failure(Problem(code: 4)))

    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(Problem(code: 4))])
    #expect(scripts.map(\.sessions.count) == [1, 1, 0])
    #expect(scripts[1].demands == [.max(2)])
  }
}

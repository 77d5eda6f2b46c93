import Streams
import StreamsTesting
import Testing

@Suite("`map`", .leavesNothing)
struct MapTests {
  @Test("`map` transforms each value with its closure", arguments: [[], [1], [1, 2, 3]])
  func maps(_ sent: [Int]) {
    let recorder = sent.publisher.map { $0 * 10 }.record()

    #expect(recorder.values == sent.map { $0 * 10 })
    #expect(recorder.completions == [.finished])
  }

  @Test("`map` forwards demand and cancellation unchanged")
  func passes() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = Recorder<String, Never>(demand: .max(2), answering: .max(3))
    script.map { "\($0)" }.subscribe(recorder)

    let answer = script.say(1)
    recorder.cancel()

    #expect(answer == .max(3))
    #expect(script.asks == [.request(.max(2)), .cancel])
    #expect("\(recorder.subscriptions[0])" == "Script")
  }

  @Test("A chain of `map` and `tryMap` is one stage")
  func fuses() throws {
    let script = Script(Int.self, failure: Never.self)

    let mapped = script.map { $0 + 1 }.map { $0 * 10 }
    let thrown = script.map { $0 + 1 }.tryMap { $0 * 10 }
    let both = thrown.map { $0 - 1 }.tryMap { $0 - 1 }

    #expect("\(type(of: mapped))" == "Map<Script<Int, Never>, Int>")
    #expect("\(type(of: thrown))" == "TryMap<Script<Int, Never>, Int>")
    #expect("\(type(of: both))" == "TryMap<Script<Int, Never>, Int>")
    #expect(mapped.transform(1) == 20)
    #expect(try both.transform(1) == 18)
  }
}

@Suite("`tryMap`", .leavesNothing)
struct TryMapTests {
  @Test("`tryMap` cancels upstream, then fails with the error of its closure")
  func throwsErrors() {
    let journal = Journal()
    let script = Script(Int.self, failure: Never.self, journal: journal)
    let recorder = script.tryMap { try positive($0) }.record { $0.journal = journal }

    script.say(1, -1, 2)
    script.end()

    #expect(recorder.values == [1])
    #expect(recorder.failure == Problem(code: -1))
    #expect(recorder.completions.count == 1)
    #expect(journal.lines.suffix(2) == ["upstream: cancel", "downstream: failure Problem(code: -1)"])
  }

  @Test("`tryMap` forwards demand, cancellation and the failure of upstream")
  func passes() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let answering = Recorder<Int, any Error>(demand: .max(2), answering: .max(3))
    first.tryMap { $0 }.subscribe(answering)
    let failing = second.tryMap { $0 }.record()

    let answer = first.say(1)
    answering.request(.none)
    answering.cancel()
    answering.cancel()
    second.end(.failure(Problem(code: 5)))

    #expect(answer == .max(3))
    #expect(first.asks == [.request(.max(2)), .request(.none), .cancel])
    #expect(failing.failure == Problem(code: 5))
  }

  @Test("A chain of `map` and `tryMap` fails with the error of any closure")
  func fusedErrors() {
    let numbers = [1, -1].publisher.eraseToAnyPublisher()

    let recorder = numbers.map { $0 * 2 }.tryMap { try positive($0) }.map { $0 + 1 }.record()

    #expect(recorder.values == [3])
    #expect(recorder.failure == Problem(code: -2))
  }

  @Test("`tryMap` has Combine's name")
  func names() {
    #expect("\([1].publisher.tryMap { $0 }.record(demand: .none).subscriptions[0])" == "TryMap")
  }
}

extension Recorder {
  /// The error, if it is the kind that these tests throw.
  var failure: Problem? {
    guard case .failure(let error)? = completions.first else { return nil }
    return error as? Problem
  }
}

/// The value, or an error with its number.
func positive(_ value: Int) throws -> Int {
  if value > 0 { value } else { throw Problem(code: value) }
}

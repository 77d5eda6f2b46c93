import Streams
import StreamsTesting
import Testing

@Suite("`map`", .leavesNothing)
struct MapTests {
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
  @Test("A chain of `map` and `tryMap` fails with the error of any closure")
  func fusedErrors() {
    let numbers = [1, -1].publisher.eraseToAnyPublisher()

    let recorder = numbers.map { $0 * 2 }.tryMap { try positive($0) }.map { $0 + 1 }.record()

    #expect(recorder.values == [3])
    #expect(recorder.failure == Problem(code: -2))
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

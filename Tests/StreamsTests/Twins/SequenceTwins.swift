import Streams
import StreamsTesting
import Testing

/// An operator on a publisher does what its namesake does on an array, for every small array and way of
/// asking.
@Suite("A sequence's publisher")
struct SequenceTwins {
  @Test("maps as the sequence does", arguments: Asking.allCases)
  func map(_ asking: Asking) {
    for values in smallArrays() {
      let recorder = asking.record(values.publisher.map { $0 * 2 })

      expect(recorder, values.map { $0 * 2 })
    }
  }

  @Test("filters as the sequence does", arguments: Asking.allCases)
  func filter(_ asking: Asking) {
    for values in smallArrays() {
      for threshold in 0...3 {
        let recorder = asking.record(values.publisher.filter { $0 < threshold })

        expect(recorder, values.filter { $0 < threshold })
      }
    }
  }

  @Test("ends its prefix where the sequence does", arguments: Asking.allCases)
  func prefix(_ asking: Asking) {
    for values in smallArrays() {
      for threshold in 0...3 {
        let recorder = asking.record(values.publisher.prefix { $0 < threshold })

        expect(recorder, Array(values.prefix { $0 < threshold }))
      }
    }
  }

  @Test("is appended to as the sequence is", arguments: Asking.allCases)
  func append(_ asking: Asking) {
    for values in smallArrays(3) {
      for more in smallArrays(3) {
        expect(asking.record(values.publisher.append(more)), values + more)
        expect(asking.record(values.publisher.append(more.publisher)), values + more)
      }
    }
  }

  @Test("is prepended to as the sequence is", arguments: Asking.allCases)
  func prepend(_ asking: Asking) {
    for values in smallArrays(3) {
      for more in smallArrays(3) {
        expect(asking.record(values.publisher.prepend(more)), more + values)
        expect(asking.record(values.publisher.prepend(more.publisher)), more + values)
      }
    }
  }

  @Test("is flattened as the sequence is, one child at a time", arguments: Asking.allCases)
  func flatMap(_ asking: Asking) {
    for values in smallArrays() {
      let recorder = asking.record(
        values.publisher.flatMap(maxPublishers: .max(1)) { Array(repeating: $0, count: $0).publisher })

      expect(recorder, values.flatMap { Array(repeating: $0, count: $0) })
    }
  }

  @Test("is flattened to the same values, all children at a time", arguments: Asking.allCases)
  func flatMapAtOnce(_ asking: Asking) {
    for values in smallArrays() {
      let recorder = asking.record(values.publisher.flatMap { Array(repeating: $0, count: $0).publisher })

      #expect(recorder.values.sorted() == values.flatMap { Array(repeating: $0, count: $0) }.sorted())
      #expect(recorder.completions == [.finished])
    }
  }

  private func expect<Failure: Error & Equatable>(_ recorder: Recorder<Int, Failure>, _ values: [Int]) {
    #expect(recorder.values == values)
    #expect(recorder.completions == [.finished])
  }
}

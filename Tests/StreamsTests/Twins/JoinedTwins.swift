import Streams
import StreamsTesting
import Testing

/// An operator on several publishers does what can be said of their arrays.
@Suite("Operators compared with two arrays", .leavesNothing, .atMostTenIssues)
struct JoinedTwins {
  @Test("`append` of two sequences sends the same values as appended arrays", arguments: Asking.allCases)
  func append(_ asking: Asking) {
    forPairs { values, more in
      expect(asking.record(stream(values).append(more)), values + more)
      expect(asking.record(stream(values).append(stream(more))), values + more)
    }
  }

  @Test("`prepend` of two sequences sends the same values as prepended arrays", arguments: Asking.allCases)
  func prepend(_ asking: Asking) {
    forPairs { values, more in
      expect(asking.record(stream(values).prepend(more)), more + values)
      expect(asking.record(stream(values).prepend(stream(more))), more + values)
    }
  }

  @Test("`zip` of sequences sends the same rows as zipped arrays", arguments: Asking.allCases)
  func zipped(_ asking: Asking) {
    forPairs { values, more in
      let pairs = asking.record(stream(values).zip(stream(more)) { [$0, $1] })
      let triples = asking.record(stream(values).zip(stream(more), stream(values)) { [$0, $1, $2] })
      let fours = asking.record(
        stream(values).zip(stream(more), stream(more), stream(values)) { [$0, $1, $2, $3] })

      let expected = zip(values, more)
      expect(pairs, expected.map { [$0, $1] })
      expect(triples, expected.map { [$0, $1, $0] })
      expect(fours, expected.map { [$0, $1, $1, $0] })
    }
  }

  @Test("`merge` of two sequences sends all values, each side in its order", arguments: Asking.allCases)
  func merge(_ asking: Asking) {
    forPairs { values, more in
      let tens = more.map { $0 + 10 }
      let merged = asking.record(stream(values).merge(with: stream(tens)))
      let many = asking.record(Publishers.MergeMany([stream(values), stream(tens), stream([])]))

      for recorder in [merged, many] {
        #expect(recorder.values.filter { $0 < 10 } == values)
        #expect(recorder.values.filter { $0 >= 10 } == tens)
        #expect(recorder.completions == [.finished])
      }
    }
  }

  @Test("`combineLatest` of two sequences combines the first's last value with the second's values")
  func combineLatest() {
    forPairs { values, more in
      let recorder = stream(values).combineLatest(stream(more)) { [$0, $1] }.record()

      expect(recorder, values.last.map { last in more.map { [last, $0] } } ?? [])
    }
  }

  @Test(
    "`catch` and `tryCatch` send the replacement's values after those of the failed sequence",
    arguments: Asking.allCases)
  func recover(_ asking: Asking) {
    forPairs { values, more in
      let failing = Record(output: values, completion: .failure(TestFailure.scripted))

      expect(asking.record(failing.catch { _ in stream(more) }), values + more)
      expect(asking.record(failing.tryCatch { _ in stream(more) }.assertNoFailure()), values + more)
      expect(asking.record(failing.replaceError(with: 9)), values + [9])
    }
  }

  @Test("`retry` sends a failing sequence once for each attempt", arguments: Asking.allCases)
  func retry(_ asking: Asking) {
    for values in smallArrays(3) {
      for retries in 0...2 {
        let failing = Record(output: values, completion: .failure(TestFailure.scripted))

        let recorder = asking.record(failing.retry(retries))

        #expect(recorder.values == Array(repeating: values, count: retries + 1).flatMap { $0 })
        #expect(recorder.completions == [.failure(.scripted)])
      }
    }
  }

  @Test(
    "`flatMap` of sequences sends the same values as flattened arrays, in any order",
    arguments: Asking.allCases)
  func flatMapAtOnce(_ asking: Asking) {
    for values in smallArrays() {
      let recorder = asking.record(stream(values).flatMap { stream(Array(repeating: $0, count: $0)) })

      #expect(recorder.values.sorted() == values.flatMap { Array(repeating: $0, count: $0) }.sorted())
      #expect(recorder.completions == [.finished])
    }
  }

  @Test("`switchToLatest` sends all values of synchronous sequences")
  func switchToLatest() {
    for values in smallArrays() {
      let recorder = stream(values).map { stream(Array(repeating: $0, count: $0)) }.switchToLatest().record()

      expect(recorder, values.flatMap { Array(repeating: $0, count: $0) })
    }
  }

  private func stream(_ values: [Int]) -> AnyPublisher<Int, Never> { values.publisher.eraseToAnyPublisher() }

  private func forPairs(_ body: ([Int], [Int]) -> Void) {
    for values in smallArrays(3) {
      for more in smallArrays(3) { body(values, more) }
    }
  }

  private func expect<Output: Equatable>(_ recorder: Recorder<Output, some Error>, _ values: [Output]) {
    #expect(recorder.values == values)
    guard case .finished? = recorder.completions.first, recorder.completions.count == 1 else {
      Issue.record("it ended with \(recorder.completions)")
      return
    }
  }
}

import Streams
import StreamsTesting
import Testing

/// A `try` operator whose closure throws is its plain sister, on an upstream that fails at that value. If the
/// closure does not throw, upstream does not fail.
@Suite("`try` operators on failing upstreams", .leavesNothing, .atMostTenIssues)
struct TryTwins {
  @Test(
    "A throwing `try` operator matches the plain operator on a failing upstream", arguments: twins,
    Asking.allCases)
  func twin(_ twin: Twin, _ asking: Asking) {
    let differences = twin.differences(asking)

    #expect(differences.isEmpty)
  }

  @Test(
    "`tryCatch` fails with the error that its handler throws, after upstream's values",
    arguments: Asking.allCases)
  func recover(_ asking: Asking) {
    for values in smallArrays(3) {
      let failing = Record(output: values, completion: .failure(TestFailure.scripted))
      let recorder = asking.record(failing.tryCatch { _ -> Just<Int> in throw TestFailure.thrown })

      #expect(recorder.values == values)
      #expect(recorder.completions.map { "\($0)" } == ["failure(StreamsTesting.TestFailure.thrown)"])
    }
  }

  @Test("`tryDrop` does not call its closure after the first value that it keeps", arguments: Asking.allCases)
  func drop(_ asking: Asking) {
    for values in smallArrays() {
      let kept = Array(values.drop { $0 == 0 })
      let recorder = asking.record(
        values.publisher.eraseToAnyPublisher().tryDrop { try $0.below(2) == 0 })

      // Only the value that ends the dropping can be bad.
      let isBad = kept.first == 2
      #expect(recorder.values == (isBad ? [] : kept))
      #expect(
        recorder.completions.map { "\($0)" } == [
          isBad ? "failure(StreamsTesting.TestFailure.thrown)" : "finished"
        ])
    }
  }

  private static let twins: [Twin] = [
    .trying("tryMap", { $0.map { $0 * 2 } }, { up, top in up.tryMap { try $0.below(top) * 2 } }),
    .trying("tryMap of map", { $0.map { $0 + 1 }.map { $0 * 2 } }) { upstream, top in
      upstream.map { $0 + 1 }.tryMap { try $0.below(top + 1) * 2 }
    },
    .trying("tryFilter", { $0.filter { $0 != 1 } }, { up, top in up.tryFilter { try $0.below(top) != 1 } }),
    .trying("tryCompactMap", { $0.compactMap { $0 == 1 ? nil : $0 } }) { upstream, top in
      upstream.tryCompactMap { try $0.below(top) == 1 ? nil : $0 }
    },
    .trying("tryScan", { $0.scan(5, -) }, { up, top in up.tryScan(5) { try $0 - $1.below(top) } }),
    .trying("tryRemoveDuplicates", isPaired: true, { $0.removeDuplicates() }) { upstream, top in
      upstream.tryRemoveDuplicates { try $0.below(top) == $1.below(top) }
    },
    .trying("tryPrefix", { $0.prefix { $0 < 1 } }, { up, top in up.tryPrefix { try $0.below(top) < 1 } }),
    .trying("tryReduce", { $0.reduce(5, -) }, { up, top in up.tryReduce(5) { try $0 - $1.below(top) } }),
    .trying("tryMin", isPaired: true, { $0.min() }) { upstream, top in
      upstream.tryMin { try $0.below(top) < $1.below(top) }
    },
    .trying("tryMax", isPaired: true, { $0.max() }) { upstream, top in
      upstream.tryMax { try $0.below(top) < $1.below(top) }
    },
    .trying("tryContains", { $0.contains { $0 == 1 } }) { upstream, top in
      upstream.tryContains { try $0.below(top) == 1 }
    },
    .trying("tryAllSatisfy", { $0.allSatisfy { $0 != 1 } }) { upstream, top in
      upstream.tryAllSatisfy { try $0.below(top) != 1 }
    },
    .trying("tryFirst", { $0.first { $0 == 1 } }, { up, top in up.tryFirst { try $0.below(top) == 1 } }),
    .trying("tryLast", { $0.last { $0 == 1 } }, { up, top in up.tryLast { try $0.below(top) == 1 } }),
  ]
}

extension Int {
  fileprivate func below(_ threshold: Int) throws -> Int {
    try thrown(if: self >= threshold)
    return self
  }
}

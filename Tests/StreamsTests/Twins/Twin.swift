import Streams
import StreamsTesting
import Testing

/// One thing that can be done in two ways: to a publisher, and in a simpler manner. What comes must be the same.
struct Twin: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What differs, as text, for one input and one way of asking.
  let differences: @Sendable ([Int], Asking) -> [String]
}

extension Twin {
  /// An operator, and what an array would make of the same values.
  static func array<Made: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (AnyPublisher<Int, Never>) -> Made,
    _ oracle: @escaping @Sendable ([Int]) -> [Made.Output]
  ) -> Twin where Made.Failure == Never {
    Twin(testDescription: name) { values, asking in
      let made = asking.record(make(values.publisher.eraseToAnyPublisher()))
      return compare(described(made), oracle(values).map { "value \($0)" } + ["finished"])
    }
  }

  /// An operator that a publisher does at once, and the same one on its erased twin.
  static func specialised<Special: Publisher & SendableMetatype, Made: Publisher & SendableMetatype>(
    _ name: String, _ special: @escaping @Sendable ([Int]) -> Special,
    _ make: @escaping @Sendable (AnyPublisher<Int, Never>) -> Made
  ) -> Twin {
    Twin(testDescription: name) { values, asking in
      let made = asking.record(make(values.publisher.eraseToAnyPublisher()))
      return compare(described(asking.record(special(values))), described(made))
    }
  }

  /// An operator whose closure throws from a certain value on, and its plain sister on an upstream that fails there.
  ///
  /// - Parameter isPaired: The closure is given two values, and so is not called for the first.
  static func trying<Plain: Publisher & SendableMetatype, Trying: Publisher & SendableMetatype>(
    _ name: String, isPaired: Bool = false,
    _ plain: @escaping @Sendable (AnyPublisher<Int, any Error>) -> Plain,
    _ trying: @escaping @Sendable (AnyPublisher<Int, Never>, _ threshold: Int) -> Trying
  ) -> Twin {
    Twin(testDescription: name) { values, asking in
      (0...3).flatMap { threshold in
        let bad = values.indices.first { index in
          isPaired
            ? index > 0 && max(values[index - 1], values[index]) >= threshold : values[index] >= threshold
        }
        let good = Array(values[..<(bad ?? values.count)]).publisher.setFailureType(to: (any Error).self)
        let ending = Record<Int, any Error>(
          output: [], completion: bad == nil ? .finished : .failure(TestFailure.thrown))
        let expected = asking.record(plain(good.append(ending).eraseToAnyPublisher()))
        let made = asking.record(trying(values.publisher.eraseToAnyPublisher(), threshold))
        return compare(described(made), described(expected)).map { "from \(threshold) on: \($0)" }
      }
    }
  }

  /// A publisher, and the same one erased.
  static func erased<Made: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable ([Int]) -> Made
  ) -> Twin {
    Twin(testDescription: name) { values, asking in
      let made = asking.record(make(values))
      let erased = asking.record(make(values).eraseToAnyPublisher())
      return compare(described(erased), described(made))
        + compare(erased.subscriptions.map { "\($0)" }, made.subscriptions.map { "\($0)" })
    }
  }

  /// All that is different, in all small arrays.
  func differences(_ asking: Asking) -> [String] {
    smallArrays().flatMap { values in differences(values, asking).map { "\(values): \($0)" } }
  }

  private static func compare(_ found: [String], _ expected: [String]) -> [String] {
    found == expected ? [] : ["\(found) instead of \(expected)"]
  }

  /// All but the subscription.
  private static func described<Output, Failure>(_ recorder: Recorder<Output, Failure>) -> [String] {
    recorder.events.dropFirst().map { "\($0)" }
  }
}

import Streams
import StreamsTesting
import Testing

/// A child or a successor that is one value needs no subscription; its erased twin, of which nothing is known, has one.
@Suite("Single-value and erased children", .atMostTenIssues)
struct ConstantTwins {
  @Test(
    "A single-value publisher inside an operator sends the same values as when erased", arguments: twins,
    Asking.allCases)
  func same(_ twin: Twin, _ asking: Asking) {
    #expect(twin.differences(asking).isEmpty)
  }

  private static let twins: [Twin] = [
    .specialised(
      "flatMap", { $0.publisher.flatMap { Just($0 * 2) } },
      { $0.flatMap { Just($0 * 2).eraseToAnyPublisher() } }),
    .specialised(
      "flatMap, one at a time", { $0.publisher.flatMap(maxPublishers: .max(1)) { Just($0 * 2) } },
      { $0.flatMap(maxPublishers: .max(1)) { Just($0 * 2).eraseToAnyPublisher() } }),
    .specialised(
      "flatMap, under another failure", { failing($0).flatMap { Just($0 * 2) } },
      { $0.setFailureType(to: TestFailure.self).flatMap { Just($0 * 2).eraseToAnyPublisher() } }),
    .specialised(
      "flatMap to one value or none", { $0.publisher.flatMap { unless($0 == 1, $0).publisher } },
      { $0.flatMap { unless($0 == 1, $0).publisher.eraseToAnyPublisher() } }),
    .specialised(
      "flatMap to a value or a failure", { $0.publisher.flatMap { below(2, $0).publisher } },
      { $0.flatMap { below(2, $0).publisher.eraseToAnyPublisher() } }),
    .specialised(
      "switchToLatest", { $0.publisher.map { Just($0 * 2) }.switchToLatest() },
      { $0.map { Just($0 * 2).eraseToAnyPublisher() }.switchToLatest() }),
    .specialised(
      "switchToLatest of one value or none",
      { $0.publisher.map { unless($0 == 1, $0).publisher }.switchToLatest() },
      { $0.map { unless($0 == 1, $0).publisher.eraseToAnyPublisher() }.switchToLatest() }),
    .specialised(
      "catch", { broken($0).catch { _ in Just(7) } },
      { broken($0).catch { _ in Just(7).eraseToAnyPublisher() } }),
    .specialised(
      "catch at once", { _ in Fail<Int, TestFailure>(error: .thrown).catch { _ in Just(7) } },
      { _ in Fail<Int, TestFailure>(error: .thrown).catch { _ in Just(7).eraseToAnyPublisher() } }),
    .specialised(
      "append", { $0.publisher.map { $0 }.append(Just(7)) }, { $0.append(Just(7).eraseToAnyPublisher()) }),
    .specialised(
      "prepend", { $0.publisher.map { $0 }.prepend(Just(7)) }, { $0.prepend(Just(7).eraseToAnyPublisher()) }),
  ]

  private static func failing(_ values: [Int]) -> AnyPublisher<Int, TestFailure> {
    values.publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
  }

  private static func broken(_ values: [Int]) -> AnyPublisher<Int, TestFailure> {
    failing(values).append(Fail(error: .thrown)).eraseToAnyPublisher()
  }

  private static func broken(_ values: AnyPublisher<Int, Never>) -> AnyPublisher<Int, TestFailure> {
    values.setFailureType(to: TestFailure.self).append(Fail(error: .thrown)).eraseToAnyPublisher()
  }

  private static func unless(_ isMissing: Bool, _ value: Int) -> Int? { isMissing ? nil : value }

  private static func below(_ limit: Int, _ value: Int) -> Result<Int, TestFailure> {
    value < limit ? .success(value) : .failure(.thrown)
  }
}

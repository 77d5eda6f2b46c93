import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// What awaits. The tasks of a law run when its stand settles.
  static let beyondAwaiting: [OperatorCase] = [
    OperatorCase("asyncMap", .zeroDemandIsHarmless, .named("FlatMap")) {
      $0.asyncMap { value async throws(TestFailure) in value }
    },
    OperatorCase("asyncMap, in a queue", .zeroDemandIsHarmless, .named("FlatMap")) {
      $0.asyncMap(.queue) { value async throws(TestFailure) in value }
    },
    OperatorCase("asyncMap, the latest", .thinsOut, .isLossy, .named("SwitchToLatest")) {
      $0.asyncMap(.latest) { value async throws(TestFailure) in value }
    },
    OperatorCase("asyncMap, the first", .thinsOut, .zeroDemandIsHarmless, .isLossy, .named("FlatMap")) {
      $0.asyncMap(.first) { value async throws(TestFailure) in value }
    },
    OperatorCase("asyncMap, two at once", .zeroDemandIsHarmless, .named("FlatMap")) {
      $0.asyncMap(.concurrent(2)) { value async throws(TestFailure) in value }
    },
    OperatorCase("asyncMap, two in order", .zeroDemandIsHarmless, .named("FlatMap")) {
      $0.asyncMap(.ordered(2)) { value async throws(TestFailure) in value }
    },
    OperatorCase("tryAsyncMap", .throwsAt(50), .zeroDemandIsHarmless, .named("FlatMap")) {
      $0.tryAsyncMap { value in
        try thrown(if: value == 50)
        return value
      }
    },
    OperatorCase("asyncCompactMap", .sends([2, 3]), .passing(2), .zeroDemandIsHarmless) {
      $0.asyncCompactMap { value async throws(TestFailure) in value > 1 ? value : nil }
    },
    OperatorCase("asyncFlatMap", .zeroDemandIsHarmless, .named("FlatMap")) {
      $0.asyncFlatMap { value async throws(TestFailure) in
        Just(value).setFailureType(to: TestFailure.self)
      }
    },
    .source("AsyncCall", .sends([5]), .zeroDemandIsHarmless, .named("AsyncCall")) {
      MorePublishers.AsyncCall<Int, TestFailure> { () async throws(TestFailure) in 5 }
    },
    .source("AsyncCall that throws", .sends([]), .fails(.scripted), .zeroDemandIsHarmless, waits) {
      MorePublishers.AsyncCall<Int, TestFailure> { () async throws(TestFailure) in throw .scripted }
    },
    .source("unfold, awaited", .sends([1, 2, 3]), .zeroDemandIsHarmless) {
      Publishers.unfold(1) { (number: inout Int) async -> Int? in
        defer { number += 1 }
        return number < 4 ? number : nil
      }
    },
  ]

  private static let waits = OperatorTrait.deviates(
    .c07, because: "it is called when something is asked for")
}

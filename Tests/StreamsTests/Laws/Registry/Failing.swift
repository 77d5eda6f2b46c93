import Streams
import StreamsTesting

extension OperatorCase {
  static let failing: [OperatorCase] = [
    OperatorCase(
      "catch, before", putsAnother, .named("Catch"), pair: { first, second in first.catch { _ in second } }),
    OperatorCase(
      "catch, after", .lead(1), .begins(.fail(upstream: 0)), .named("Catch"),
      pair: { first, second in first.catch { _ in second } }),
    OperatorCase(
      "tryCatch, before", putsAnother, .named("TryCatch"),
      pair: { first, second in first.tryCatch { _ in second } }),
    OperatorCase(
      "tryCatch, after", .lead(1), .begins(.fail(upstream: 0)), .named("TryCatch"),
      pair: { first, second in first.tryCatch { _ in second } }),
    OperatorCase("replaceError", putsAnother, .named("ReplaceError")) { $0.replaceError(with: 9) },
    OperatorCase(
      "retry, first attempt", .zeroDemandIsHarmless, .named("Retry"), .holdsUpstream,
      .deviates(.c07, because: "it subscribes again in place of the failure")
    ) { upstream in
      upstream.retry(5)
    },
    OperatorCase(
      "retry, last attempt", .attempt(2), .begins(.fail(upstream: 0), .fail(upstream: 0)),
      .zeroDemandIsHarmless, .named("Retry"), .holdsUpstream
    ) { upstream in
      upstream.retry(2)
    },
    OperatorCase("retry, no more than once", .zeroDemandIsHarmless, .named("Retry"), .holdsUpstream) {
      $0.retry(0)
    },
    OperatorCase(
      "assertNoFailure", .passesThrough,
      assembling: { stand in stand.upstream(failing: Never.self).assertNoFailure() }),
  ]

  private static let putsAnother = OperatorTrait.deviates(
    .c07, because: "it puts another publisher in the failure's place")
}

extension OperatorTrait {
  /// For operators that subscribe again, or to what a closure returns. The scripts of these tests hold their subscribers.
  static let holdsUpstream = OperatorTrait.deviates(
    .c21,
    because: "it holds what it will subscribe to, which may hold its subscriber, until the stream is over")
}

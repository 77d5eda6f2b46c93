import Streams

extension OperatorCase {
  static let failing: [OperatorCase] = [
    OperatorCase(
      "catch, before", .deviates(.c07, because: "it puts another publisher in the failure's place"),
      pair: { first, second in first.catch { _ in second } }),
    OperatorCase(
      "catch, after", .lead(1), .begins(.fail(upstream: 0)),
      pair: { first, second in first.catch { _ in second } }),
  ]
}

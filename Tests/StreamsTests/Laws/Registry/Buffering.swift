import Streams
import StreamsTesting

extension OperatorCase {
  /// Groups are shown as numbers: 12 is 1 and 2.
  static let grouping: [OperatorCase] = [
    OperatorCase(
      "collect(one)", .forwardsSurplus, .named("CollectByCount")
    ) { $0.collect(1).map(number) },
    OperatorCase(
      "collect(two)", .sends([12, 3]), .takes(2), .forwardsSurplus, .named("CollectByCount")
    ) {
      $0.collect(2).map(number)
    },
    OperatorCase("collect(more than come)", .answers(123), .named("CollectByCount")) {
      $0.collect(1000).map(number)
    },
    OperatorCase(
      "collect(byTime)", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("CollectByTime"),
      scheduled: { $0.collect(.byTime($1, .seconds(1))).map { $0[$0.count - 1] } }),
    OperatorCase(
      "collect(byTimeOrCount), one", .zeroDemandIsHarmless, .named("CollectByTime"),
      scheduled: { $0.collect(.byTimeOrCount($1, .seconds(1), 1)).map(number) }),
    OperatorCase(
      "collect(byTimeOrCount), more", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("CollectByTime"),
      scheduled: { $0.collect(.byTimeOrCount($1, .seconds(1), 5)).map { $0[$0.count - 1] } }),
  ]

  private static func number(_ group: [Int]) -> Int { group.reduce(0) { $0 &* 10 &+ $1 } }

  static let buffering: [OperatorCase] = [
    OperatorCase("buffer, kept full", .zeroDemandIsHarmless, .named("Buffer")) {
      $0.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest)
    },
    OperatorCase("buffer of one, kept full", .zeroDemandIsHarmless, .named("Buffer")) {
      $0.buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest)
    },
    OperatorCase("buffer, by request", .zeroDemandIsHarmless, .named("Buffer")) {
      $0.buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
    },
    OperatorCase("buffer that may fail", .zeroDemandIsHarmless, .named("Buffer")) {
      $0.buffer(size: 1000, prefetch: .byRequest, whenFull: .customError { .thrown })
    },
  ]
}

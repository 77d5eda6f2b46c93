import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// Beyond Combine. Where there are two upstreams the leading one says the values.
  static let beyondCombining: [OperatorCase] = [
    OperatorCase(
      "withLatestFrom", .begins(.say(upstream: 1, 0)), .zeroDemandIsHarmless, .named("WithLatestFrom"),
      pair: { $0.withLatestFrom($1) { one, _ in one } }),
    OperatorCase(
      "withLatestFrom of two", .begins(.say(upstream: 1, 0), .say(upstream: 2, 0)), .zeroDemandIsHarmless,
      .named("WithLatestFrom"), holdTogether,
      assembling: { $0.upstream().withLatestFrom($0.upstream(), $0.upstream()) { one, _ in one } }),
    OperatorCase("amb, the first", .zeroDemandIsHarmless, .named("Amb"), pair: { $0.amb($1) }),
    OperatorCase("amb, the second", .lead(1), .zeroDemandIsHarmless, .named("Amb"), pair: { $0.amb($1) }),
    OperatorCase(
      "amb of many", .lead(2), .zeroDemandIsHarmless, .named("Amb"),
      assembling: { stand in MorePublishers.AmbMany((0..<3).map { _ in stand.upstream() }) }),
    OperatorCase(
      "combineLatest of many", .lead(1), .begins(.say(upstream: 0, 0), .say(upstream: 2, 0)),
      .closes(.finish(upstream: 0), .finish(upstream: 2)), .zeroDemandIsHarmless, .named("CombineLatest"),
      .isLossy,
      assembling: { stand in
        MorePublishers.CombineLatestMany((0..<3).map { _ in stand.upstream() }).map { $0.reduce(0, &+) }
      }),
    OperatorCase(
      "zip of many", .lead(1), .takesOneOfEach, zeros(0, 2), .zeroDemandIsHarmless, .named("Zip"),
      assembling: { stand in
        MorePublishers.ZipMany((0..<3).map { _ in stand.upstream() }).map { $0.reduce(0, &+) }
      }),
    OperatorCase(
      "concat, the first", .zeroDemandIsHarmless, .closes(.finish(upstream: 1)), .named("Concat"),
      pair: { [$0, $1].concat() }),
    OperatorCase(
      "concat, the second", .zeroDemandIsHarmless, .lead(1), .begins(.finish(upstream: 0)), .named("Concat"),
      pair: { [$0, $1].concat() }),
    .source("concat of none", .sends([]), .zeroDemandIsHarmless) { [Just<Int>]().concat() },
    OperatorCase(
      "switchIfEmpty, not empty", .zeroDemandIsHarmless, .named("SwitchIfEmpty"),
      .deviates(.c07, .h26, because: "it puts another publisher in the place of an empty one"),
      pair: { $0.switchIfEmpty(to: $1) }),
    OperatorCase(
      "switchIfEmpty, empty", .zeroDemandIsHarmless, .lead(1), .begins(.finish(upstream: 0)),
      .named("SwitchIfEmpty"), pair: { $0.switchIfEmpty(to: $1) }),
    OperatorCase(
      "zip of five", .takesOneOfEach, zeros(1, 2, 3, 4), .named("Zip"), holdTogether,
      assembling: {
        $0.upstream().zip($0.upstream(), $0.upstream(), $0.upstream(), $0.upstream()).map {
          $0.0 &+ $0.1 &+ $0.2 &+ $0.3 &+ $0.4
        }
      }),
    OperatorCase(
      "withLatestFrom of three", zerosOnce(1, 2, 3), .zeroDemandIsHarmless, .named("WithLatestFrom"),
      holdTogether,
      assembling: {
        $0.upstream().withLatestFrom($0.upstream(), $0.upstream(), $0.upstream()) { one, _ in one }
      }),
    OperatorCase(
      "zip of eight", .takesOneOfEach, zeros(1, 2, 3, 4, 5, 6, 7), .named("Zip"), holdTogether,
      assembling: {
        $0.upstream().zip(
          $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(),
          $0.upstream()
        ).map { $0.0 &+ $0.7 }
      }),
    OperatorCase(
      "combineLatest of five", zerosOnce(1, 2, 3, 4), .named("CombineLatest"), holdTogether,
      .closes(.finish(upstream: 1), .finish(upstream: 2), .finish(upstream: 3), .finish(upstream: 4)),
      assembling: {
        $0.upstream().combineLatest($0.upstream(), $0.upstream(), $0.upstream(), $0.upstream()).map {
          $0.0 &+ $0.4
        }
      }),
    OperatorCase(
      "combineLatest of eight", zerosOnce(1, 2, 3, 4, 5, 6, 7), .named("CombineLatest"), holdTogether,
      .closes(
        .finish(upstream: 1), .finish(upstream: 2), .finish(upstream: 3), .finish(upstream: 4),
        .finish(upstream: 5), .finish(upstream: 6), .finish(upstream: 7)),
      assembling: {
        $0.upstream().combineLatest(
          $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(),
          $0.upstream()
        ).map { $0.0 &+ $0.7 }
      }),
    OperatorCase(
      "amb with others", .zeroDemandIsHarmless, .named("Amb"),
      assembling: { $0.upstream().amb(with: [$0.upstream(), $0.upstream()]) }),
    OperatorCase(
      "merge of a collection", .zeroDemandIsHarmless, .named("Merge"), .closes(.finish(upstream: 1)),
      assembling: { [$0.upstream(), $0.upstream()].merge() }),
    OperatorCase(
      "merge with others", .zeroDemandIsHarmless, .named("Merge"), .closes(.finish(upstream: 1)),
      assembling: { $0.upstream().merge(with: [$0.upstream()]) }),
    OperatorCase(
      "mergeDelayingErrors", .zeroDemandIsHarmless, .named("FlatMap"), .closes(.finish(upstream: 1)),
      .deviates(.c07, because: "it keeps the failure until all have ended"),
      assembling: { [$0.upstream(), $0.upstream()].mergeDelayingErrors() }),
    OperatorCase(
      "flatMapBatches", .takesOneOfEach, zeros(1), .zeroDemandIsHarmless, holdTogether,
      assembling: { [$0.upstream(), $0.upstream()].flatMapBatches(of: 2).map { $0[0] } }),
    OperatorCase(
      "zip with others", .takesOneOfEach, zeros(1), .zeroDemandIsHarmless, .named("Zip"),
      assembling: { $0.upstream().zip(with: $0.upstream()).map { $0[0] } }),
    OperatorCase(
      "combineLatest with others", zerosOnce(1), .closes(.finish(upstream: 1)), .zeroDemandIsHarmless,
      .named("CombineLatest"), .isLossy,
      assembling: { $0.upstream().combineLatest(with: $0.upstream()).map { $0[0] } }),
  ]

  private static func zerosOnce(_ upstreams: Int...) -> OperatorTrait {
    OperatorTrait { $0.begin = upstreams.map { .say(upstream: $0, 0) } }
  }

  private static func zeros(_ upstreams: Int...) -> OperatorTrait {
    OperatorTrait { profile in
      profile.begin = profile.inputs.flatMap { _ in upstreams.map { .say(upstream: $0, 0) } }
    }
  }
}

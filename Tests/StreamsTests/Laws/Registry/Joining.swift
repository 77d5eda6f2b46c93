import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// The leading upstream says the values, the others say 0: so the sums are the values.
  static let zipping: [OperatorCase] = [
    OperatorCase("zip, the first", .takesOneOfEach, zeros(1), .named("Zip"), pair: { $0.zip($1, &+) }),
    OperatorCase(
      "zip, the second", .lead(1), .takesOneOfEach, zeros(0), .named("Zip"), pair: { $0.zip($1, &+) }),
    OperatorCase(
      "zip with prefetch", .takesOneOfEach, zeros(1), .named("Zip"),
      pair: { $0.zip($1, prefetch: 4).map { $0 &+ $1 } }),
    OperatorCase(
      "zip of three", .lead(1), .takesOneOfEach, zeros(0, 2), .named("Zip"),
      assembling: { $0.upstream().zip($0.upstream(), $0.upstream()) { $0 &+ $1 &+ $2 } }),
    OperatorCase(
      "zip of four", .lead(3), .takesOneOfEach, zeros(0, 1, 2), .named("Zip"),
      assembling: {
        $0.upstream().zip($0.upstream(), $0.upstream(), $0.upstream()) { $0 &+ $1 &+ $2 &+ $3 }
      }),
    OperatorCase(
      "combineLatest, the first", .begins(.say(upstream: 1, 0)), .closes(.finish(upstream: 1)),
      .named("CombineLatest"), pair: { $0.combineLatest($1, &+) }),
    OperatorCase(
      "combineLatest, the second", .lead(1), .begins(.say(upstream: 0, 0)), .closes(.finish(upstream: 0)),
      .named("CombineLatest"), pair: { $0.combineLatest($1, &+) }),
    OperatorCase(
      "combineLatest of three", .lead(1), .begins(.say(upstream: 0, 0), .say(upstream: 2, 0)),
      .closes(.finish(upstream: 0), .finish(upstream: 2)), .named("CombineLatest"),
      assembling: { $0.upstream().combineLatest($0.upstream(), $0.upstream()) { $0 &+ $1 &+ $2 } }),
    OperatorCase(
      "combineLatest of four", .lead(3),
      .begins(.say(upstream: 0, 0), .say(upstream: 1, 0), .say(upstream: 2, 0)),
      .closes(.finish(upstream: 0), .finish(upstream: 1), .finish(upstream: 2)), .named("CombineLatest"),
      assembling: {
        $0.upstream().combineLatest($0.upstream(), $0.upstream(), $0.upstream()) { $0 &+ $1 &+ $2 &+ $3 }
      }),
  ]

  private static func zeros(_ upstreams: Int...) -> OperatorTrait {
    OperatorTrait { profile in
      profile.begin = profile.inputs.flatMap { _ in upstreams.map { .say(upstream: $0, 0) } }
    }
  }

  /// The leading upstream says the values, and finishes first.
  static let merging: [OperatorCase] = [
    OperatorCase("merge, the first", rest(of: 2, but: 0), merge, harmless, pair: { $0.merge(with: $1) }),
    OperatorCase("merge, the second", rest(of: 2, but: 1), merge, harmless, pair: { $0.merge(with: $1) }),
    OperatorCase(
      "merge of three", rest(of: 3, but: 1), merge, harmless,
      assembling: { $0.upstream().merge(with: $0.upstream(), $0.upstream()) }),
    OperatorCase(
      "merge of four", rest(of: 4, but: 3), merge, harmless,
      assembling: { $0.upstream().merge(with: $0.upstream(), $0.upstream(), $0.upstream()) }),
    OperatorCase(
      "merge of five", rest(of: 5, but: 4), merge, harmless,
      assembling: { $0.upstream().merge(with: $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream()) }),
    OperatorCase(
      "merge of six", rest(of: 6, but: 0), merge, harmless,
      assembling: {
        $0.upstream().merge(
          with: $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream())
      }),
    OperatorCase(
      "merge of seven", rest(of: 7, but: 2), merge, harmless,
      assembling: {
        $0.upstream().merge(
          with: $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream())
      }),
    OperatorCase(
      "merge of eight", rest(of: 8, but: 7), merge, harmless,
      assembling: {
        $0.upstream().merge(
          with: $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(), $0.upstream(),
          $0.upstream())
      }),
    OperatorCase(
      "merge of many", rest(of: 3, but: 2), merge, harmless,
      assembling: { stand in Publishers.MergeMany((0..<3).map { _ in stand.upstream() }) }),
    .source("merge of none", .sends([]), harmless) { Publishers.MergeMany<Just<Int>>([]) },
  ]

  private static let merge = OperatorTrait.named("Merge")
  private static let harmless = OperatorTrait.zeroDemandIsHarmless

  private static func rest(of count: Int, but lead: Int) -> OperatorTrait {
    OperatorTrait { profile in
      profile.lead = lead
      profile.closing = (0..<count).filter { $0 != lead }.map { .finish(upstream: $0) }
    }
  }
}

import Streams
import StreamsTesting

extension OperatorCase {
  static let beyondFiltering: [OperatorCase] = [
    OperatorCase(
      "nwise", .sends([12, 23]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("Nwise")
    ) {
      Publishers.Nwise(upstream: $0, size: 2).map { $0.reduce(0) { $0 &* 10 &+ $1 } }
    },
    OperatorCase(
      "pairwise", .sends([12, 23]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("Pairwise")
    ) {
      Publishers.Pairwise(upstream: $0).map { $0 &* 10 &+ $1 }
    },
    OperatorCase(
      "removeAllDuplicates", .needsDistinctValues, .zeroDemandIsHarmless, .forwardsSurplus,
      .named("RemoveAllDuplicates")
    ) { $0.removeAllDuplicates() },
    OperatorCase(
      "removeAllDuplicates(by:)", .needsDistinctValues, .zeroDemandIsHarmless, .forwardsSurplus,
      .named("RemoveAllDuplicates")
    ) { $0.removeAllDuplicates(by: ==) },
    OperatorCase(
      "prefix(while:behavior:)", .stops(at: 50, sending: 50), .zeroDemandIsHarmless, .forwardsSurplus,
      .named("PrefixWhile")
    ) { Publishers.PrefixInclusive(upstream: $0) { $0 < 50 } },
    OperatorCase("suffix", .sends([2, 3]), answersAtEnd, .zeroDemandIsHarmless, .named("Suffix")) {
      $0.suffix(2)
    },
    OperatorCase(
      "dropLast", .sends([1, 2]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("DropLast")
    ) {
      $0.dropLast()
    },
    OperatorCase("enumerated", .zeroDemandIsHarmless, .forwardsSurplus, .named("Enumerated")) {
      $0.enumerated().map { $0.element &+ $0.index &* 0 }
    },
    OperatorCase("scan(into:)", .sends([1, 3, 6]), .zeroDemandIsHarmless, .named("Scan")) {
      $0.scan(into: 0) { $0 &+= $1 }
    },
    OperatorCase("prefix(during:)", .zeroDemandIsHarmless, .named("PrefixDuring")) {
      $0.prefix(during: Lifetime.Token.endless.lifetime)
    },
    OperatorCase(
      "withUnretained", .forwardsSurplus, .named("PrefixWhile")
    ) {
      $0.withUnretained(Lifetime.Token.endless) { $1 }
    },
  ]

  static let beyondFailing: [OperatorCase] = [
    OperatorCase(
      "materialize", .sends([1, 2, 3, 0]), .coda(1), .zeroDemandIsHarmless, .named("Materialize"),
      .deviates(.c07, because: "it puts another publisher in the failure's place")
    ) {
      $0.materialize().map { if case .value(let value) = $0 { value } else { 0 } }
    },
    OperatorCase(
      "dematerialize", .zeroDemandIsHarmless, .named("Dematerialize"),
      assembling: { stand in
        stand.upstream(failing: Never.self).map { Event<Int, TestFailure>.value($0) }.dematerialize()
      }),
    OperatorCase(
      "catch many, before", putsAnother, .zeroDemandIsHarmless, .named("Catch"), pair: { $0.catch([$1]) }),
    OperatorCase(
      "catch many, after", .zeroDemandIsHarmless, .lead(1), .begins(.fail(upstream: 0)), .named("Catch"),
      pair: { $0.catch([$1]) }),
    OperatorCase(
      "retry later, first attempt", .zeroDemandIsHarmless, .named("Retry"), again,
      scheduled: { upstream, scheduler in
        Deferred { [unowned upstream] in upstream }.retry(5, delay: .seconds(1), scheduler: scheduler)
      }),
    OperatorCase(
      "retryWhen, first attempt", .zeroDemandIsHarmless, .named("Retry"), again, holdTogether
    ) { upstream in
      Deferred { [unowned upstream] in upstream }.retryWhen { $0 }
    },
    OperatorCase(
      "retryWhen, second attempt", .attempt(1), .begins(.fail(upstream: 0)), .zeroDemandIsHarmless,
      .named("Retry"), again, holdTogether
    ) { upstream in
      Deferred { [unowned upstream] in upstream }.retryWhen { $0 }
    },
    OperatorCase(
      "repeat, the last", .attempt(1), .begins(.finish(upstream: 0)), .zeroDemandIsHarmless, .named("Repeat")
    ) { upstream in
      Deferred { [unowned upstream] in upstream }.repeat(2)
    },
  ]

  static let beyondTiming: [OperatorCase] = [
    OperatorCase(
      "sample", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Sample"), holdTogether,
      scheduled: { upstream, scheduler in
        upstream.sample(
          Publishers.Timer(every: .milliseconds(1), scheduler: scheduler).autoconnect()
            .setFailureType(to: TestFailure.self))
      }),
    OperatorCase(
      "throttle(reducing:)", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Throttle"),
      scheduled: { $0.throttle(for: .milliseconds(1), scheduler: $1) { $1 } }),
    OperatorCase(
      "debounce that flushes", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Debounce"),
      scheduled: { $0.debounce(for: .milliseconds(1), scheduler: $1, flushesOnCompletion: true) }),
    OperatorCase(
      "timeout(other:)", .zeroDemandIsHarmless, .named("Timeout"),
      scheduled: { upstream, scheduler in
        upstream.timeout(
          .seconds(1_000_000), scheduler: scheduler, other: Empty<Int, TestFailure>())
      }),
    OperatorCase(
      "collect(until:)", .zeroDemandIsHarmless, .forwardsSurplus, .named("CollectUntil")
    ) { $0.collect { _ in true }.map { $0[0] } },
    OperatorCase("window of one", .zeroDemandIsHarmless, holdTogether) {
      $0.enumerated().window(count: 1).flatMapSequential { $0 }.map(\.element)
    },
    OperatorCase("groupBy", .zeroDemandIsHarmless, holdTogether, .named("GroupBy")) {
      $0.enumerated().groupBy(maxGroups: 1000) { $0.index &* 1000 &+ $0.element }.map { $0.key % 1000 }
    },
    OperatorCase("limitRate", .zeroDemandIsHarmless, .named("Buffer")) { $0.limitRate(2) },
    OperatorCase("onBackpressureBuffer", .zeroDemandIsHarmless, .named("Buffer")) {
      $0.onBackpressureBuffer()
    },
  ]

  static let beyondSharing: [OperatorCase] = [
    OperatorCase(
      "share(replay:)", .sends([1, 2, 3]), .zeroDemandIsHarmless, .isShared, hasOneUpstream, holdTogether,
      .named("Share"), build: { $0.share(replay: 5, scope: .whileConnected) }),
    OperatorCase(
      "refCount", .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream, holdTogether, .named("Share"),
      build: { $0.multicast { PassthroughSubject() }.refCount() }),
    .subject(
      "ReplaySubject", .zeroDemandIsHarmless, .named("ReplaySubject"),
      .deviates(.c23, because: "its subscribers listen to one stream")
    ) {
      ReplaySubject(bufferSize: 3)
    },
  ]

  static let beyondWatching: [OperatorCase] = [
    OperatorCase("debug", .zeroDemandIsHarmless, .forwardsSurplus, .named("Debug")) {
      $0.debug(to: { _ in })
    },
    OperatorCase("checkpoint", .passesThrough) {
      $0.checkpoint("law").mapError { $0.base }
    },
    OperatorCase("doFinally", .zeroDemandIsHarmless, .named("DoFinally")) { $0.doFinally { _ in } },
    OperatorCase("using", .zeroDemandIsHarmless, .named("Using")) { upstream in
      Publishers.Using { () throws(TestFailure) in
        0
      } publisher: { [unowned upstream] _ in
        upstream
      } release: { _ in
      }
    },
    .source("Create", .sends([1, 2, 3]), .zeroDemandIsHarmless, .named("Create")) {
      Publishers.Create<Int, TestFailure> { subscriber in
        for value in 1...3 { subscriber.send(value) }
        subscriber.send(completion: .finished)
        return AnyCancellable {}
      }
    },
    .source("Create that failed", .sends([1]), .fails(.scripted), .zeroDemandIsHarmless, .named("Create")) {
      Publishers.Create<Int, TestFailure> { subscriber in
        subscriber.send(1)
        subscriber.send(completion: .failure(.scripted))
        return AnyCancellable {}
      }
    },
    .source("unfold", .sends([1, 2, 3]), .zeroDemandIsHarmless) {
      Publishers.unfold(1) { number in
        defer { number += 1 }
        return number < 4 ? number : nil
      }
    },
  ]

  private static let putsAnother = OperatorTrait.deviates(
    .c07, because: "it puts another publisher in the failure's place")
  private static let again = OperatorTrait.deviates(
    .c07, because: "it subscribes again in place of the failure")
  private static let hasOneUpstream = OperatorTrait.deviates(
    .c23, because: "its subscribers have one upstream in common")
  private static let answersAtEnd = OperatorTrait { $0.answersAtEnd = true }
}

extension Lifetime.Token {
  /// One that nobody ends.
  fileprivate static var endless: Lifetime.Token { kept.withLock { $0.token } }

  private static let kept = Guarded(Endless())
}

/// A leak sanitizer finds the count of weak references to what lives for ever only through one of them.
private struct Endless {
  let token = Lifetime.Token()
  private weak var sameToken: Lifetime.Token?
  /// Refers weakly to what the lifetime ends.
  private let entry: AnyCancellable

  init() {
    sameToken = token
    entry = token.lifetime.onEnd {}
  }
}

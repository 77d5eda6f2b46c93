import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
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
      "retry later, first attempt", .zeroDemandIsHarmless, .named("Retry"), again, .holdsUpstream,
      scheduled: { upstream, scheduler in
        upstream.retry(5, delay: .seconds(1), scheduler: scheduler)
      }),
    OperatorCase(
      "tryMap that throws one type", .sends([2, 3, 4]), .throwsAt(60), .zeroDemandIsHarmless,
      .forwardsSurplus,
      .named("TryMap")
    ) { upstream -> MorePublishers.Throwing<Publishers.TryMap<Script<Int, TestFailure>, Int>, TestFailure> in
      upstream.tryMap { value throws(TestFailure) in
        if value == 60 { throw TestFailure.thrown }
        return value &+ 1
      }
    },
    OperatorCase(
      "tryReduce that throws one type", .answers(6), .answersNothing, .throwsAt(60), .named("TryReduce")
    ) {
      upstream -> MorePublishers.Throwing<Publishers.TryReduce<Script<Int, TestFailure>, Int>, TestFailure> in
      upstream.tryReduce(0) { sum, value throws(TestFailure) in
        if value == 60 { throw TestFailure.thrown }
        return sum &+ value
      }
    },
    OperatorCase(
      "retryWhen, first attempt", .zeroDemandIsHarmless, .named("Retry"), again, holdTogether
    ) { $0.retryWhen { $0 } },
    OperatorCase(
      "retryWhen, triggered before the first attempt", .zeroDemandIsHarmless, .named("Retry"), again,
      holdTogether
    ) { $0.retryWhen { failures in failures.map { _ in }.prepend(()) } },
    OperatorCase(
      "retryWhen, second attempt", .attempt(1), .begins(.fail(upstream: 0)), .zeroDemandIsHarmless,
      .named("Retry"), again, holdTogether
    ) { $0.retryWhen { $0 } },
    OperatorCase(
      "repeat, the last", .attempt(1), .begins(.finish(upstream: 0)), .zeroDemandIsHarmless, .named("Repeat"),
      .holdsUpstream
    ) { $0.repeat(2) },
  ]

  static let beyondTiming: [OperatorCase] = [
    OperatorCase(
      "sample", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Sample"), holdTogether,
      scheduled: { upstream, scheduler in
        upstream.sample(
          MorePublishers.Timer(every: .milliseconds(1), scheduler: scheduler).autoconnect()
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

  private static let putsAnother = OperatorTrait.deviates(
    .c07, because: "it puts another publisher in the failure's place")
  private static let again = OperatorTrait.deviates(
    .c07, because: "it subscribes again in place of the failure")
}

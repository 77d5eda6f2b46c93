import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// Over time, and by signals.
  static let beyondPacing: [OperatorCase] = [
    OperatorCase(
      "prefix(duration:)", .zeroDemandIsHarmless, .named("Prefix"),
      scheduled: { $0.prefix(duration: .seconds(1_000_000), on: $1) }),
    OperatorCase(
      "drop(duration:)", .zeroDemandIsHarmless, .named("Drop"),
      scheduled: { $0.drop(duration: .milliseconds(1), on: $1) }),
    OperatorCase(
      "collect(by:)", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Collect"), holdTogether,
      scheduled: { upstream, scheduler in
        upstream.collect(by: ticks(scheduler)).map { $0.last ?? 0 }
      }),
    OperatorCase(
      "window(by:)", .zeroDemandIsHarmless, holdTogether,
      scheduled: { upstream, scheduler in
        upstream.window(by: ticks(scheduler)).flatMapSequential { $0 }
      }),
    OperatorCase("onBackpressureDrop", .thinsOut, .zeroDemandIsHarmless, .isLossy, .named("Buffer")) {
      $0.onBackpressureDrop()
    },
    OperatorCase("onBackpressureLatest", .thinsOut, .zeroDemandIsHarmless, .isLossy, .named("Buffer")) {
      $0.onBackpressureLatest()
    },
    OperatorCase(
      "retry by a policy", .zeroDemandIsHarmless, .named("Retry"), again, .holdsUpstream,
      scheduled: { upstream, scheduler in
        upstream.retry(.backoff(retries: 5, from: .seconds(1)), scheduler: scheduler)
      }),
    OperatorCase(
      "repeatWhen, the first round", .zeroDemandIsHarmless, .named("Repeat"), holdTogether
    ) { $0.repeatWhen { $0.prefix(1).setFailureType(to: TestFailure.self) } },
    OperatorCase(
      "repeatWhen, triggered before the first round", .zeroDemandIsHarmless, .named("Repeat"), holdTogether
    ) { $0.repeatWhen { $0.prefix(1).prepend(()).setFailureType(to: TestFailure.self) } },
    OperatorCase(
      "timerPublisher(after:)", .zeroDemandIsHarmless, .isScheduled, .named("Timer"), isSource,
      assembling: { $0.scheduler.timerPublisher(after: .seconds(1)).map { _ in 1 } }),
  ]

  private static func ticks(
    _ scheduler: VirtualScheduler
  ) -> Publishers.SetFailureType<Publishers.Autoconnect<MorePublishers.Timer<VirtualScheduler>>, TestFailure>
  {
    scheduler.timerPublisher(every: .seconds(1)).autoconnect().setFailureType(to: TestFailure.self)
  }

  private static let again = OperatorTrait.deviates(
    .c07, because: "it subscribes again in place of the failure")
  private static let isSource = OperatorTrait { profile in
    profile.kind = .source
    profile.sends = [1]
  }
}

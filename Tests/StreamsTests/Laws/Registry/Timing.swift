import Streams
import StreamsTesting

extension OperatorCase {
  static let timing: [OperatorCase] = [
    OperatorCase(
      "receive(on:)", .zeroDemandIsHarmless, .forwardsSurplus, .named("ReceiveOn"),
      scheduled: { $0.receive(on: $1) }),
    OperatorCase("receive(on:) immediately", .zeroDemandIsHarmless, .forwardsSurplus, .named("ReceiveOn")) {
      $0.receive(on: ImmediateScheduler.shared)
    },
    OperatorCase(
      "subscribe(on:)", .zeroDemandIsHarmless, .forwardsSurplus, .named("SubscribeOn"),
      .deviates(.c02, because: "it subscribes on the scheduler"),
      scheduled: { $0.subscribe(on: $1) }),
    OperatorCase("subscribe(on:) immediately", .zeroDemandIsHarmless, .forwardsSurplus, .named("SubscribeOn"))
    {
      $0.subscribe(on: ImmediateScheduler.shared)
    },
    OperatorCase(
      "delay", .zeroDemandIsHarmless, .forwardsSurplus, .named("Delay"),
      scheduled: { $0.delay(for: .milliseconds(1), scheduler: $1) }),
    OperatorCase(
      "measureInterval", .sends([1, 1, 1]), .zeroDemandIsHarmless, .forwardsSurplus,
      .named("MeasureInterval"),
      assembling: { stand in
        stand.upstream().measureInterval(using: stand.scheduler).map { $0 < 0 ? 0 : 1 }
      }),
  ]

  static let pacing: [OperatorCase] = [
    OperatorCase(
      "debounce", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Debounce"),
      scheduled: { $0.debounce(for: .milliseconds(1), scheduler: $1) }),
    OperatorCase(
      "throttle, the last", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Throttle"),
      scheduled: { $0.throttle(for: .milliseconds(1), scheduler: $1, latest: true) }),
    OperatorCase(
      "throttle, the first", .thinsOut, .isLossy, .zeroDemandIsHarmless, .named("Throttle"),
      scheduled: { $0.throttle(for: .milliseconds(1), scheduler: $1, latest: false) }),
    OperatorCase(
      "timeout", .zeroDemandIsHarmless, .forwardsSurplus, .named("Timeout"),
      scheduled: { $0.timeout(.seconds(1_000_000), scheduler: $1) }),
    OperatorCase(
      "timeout that may fail", .zeroDemandIsHarmless, .forwardsSurplus, .named("Timeout"),
      scheduled: { $0.timeout(.seconds(1_000_000), scheduler: $1, customError: { .thrown }) }),
  ]
}

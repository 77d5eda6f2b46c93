import Streams

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
  ]
}

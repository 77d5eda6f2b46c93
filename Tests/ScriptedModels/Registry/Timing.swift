internal import Streams
internal import StreamsTesting

extension Registry {
  static var timing: [ModelledOperator] {
    [
      ModelledOperator("receive(on:)", model: { HopModel(0) }) { $0[0].receive(on: $0.scheduler) },
      ModelledOperator("delay", model: { HopModel(2) }) { $0[0].delay(for: 2, scheduler: $0.scheduler) },
      ModelledOperator("subscribe(on:)", model: { SubscribeOnModel() }) { $0[0].subscribe(on: $0.scheduler) },
      ModelledOperator("debounce", model: { DebounceModel(3) }) {
        $0[0].debounce(for: 3, scheduler: $0.scheduler)
      },
      ModelledOperator("throttle(latest: true)", model: { ThrottleModel(3, latest: true) }) {
        $0[0].throttle(for: 3, scheduler: $0.scheduler, latest: true)
      },
      ModelledOperator("throttle(latest: false)", model: { ThrottleModel(3, latest: false) }) {
        $0[0].throttle(for: 3, scheduler: $0.scheduler, latest: false)
      },
      ModelledOperator("timeout", model: { TimeoutModel(3, .finished) }) {
        $0[0].timeout(3, scheduler: $0.scheduler)
      },
      ModelledOperator("timeout that fails", model: { TimeoutModel(3, .failed(9)) }) {
        $0[0].timeout(3, scheduler: $0.scheduler) { Breakdown(9) }
      },
      ModelledOperator(
        "collect(byTime)", model: { GroupingModel(3) }, tell: { $0 },
        make: { $0[0].collect(.byTime($0.scheduler, 3)) }),
      ModelledOperator(
        "collect(byTimeOrCount)", model: { GroupingModel(3, count: 2) }, tell: { $0 },
        make: { $0[0].collect(.byTimeOrCount($0.scheduler, 3, 2)) }),
      ModelledOperator(
        "measureInterval", model: { IntervalModel() }, tell: { [$0.nanoseconds / 1_000_000_000] },
        make: { $0[0].measureInterval(using: $0.scheduler) }),
    ]
  }
}

import Streams
import StreamsTesting

/// A stage that delivers on a scheduler, rightly or with one mistake on purpose.
struct Hop<Upstream: Publisher<Int, TestFailure>>: Publisher {
  enum Fault { case deliversCancelledWork, lastValueFirst, completionFirst }

  typealias Output = Int
  typealias Failure = TestFailure

  let upstream: Upstream
  let fault: Fault?
  let scheduler: VirtualScheduler

  func receive<Downstream: Subscriber<Int, TestFailure>>(subscriber: Downstream) {
    upstream.subscribe(HopStage(subscriber, fault, scheduler))
  }

  fileprivate final class HopStage<Downstream: Subscriber<Int, TestFailure>>: Subscriber, Subscription {
    private let downstream: Downstream
    private let fault: Fault?
    private let scheduler: VirtualScheduler
    private var upstream: (any Subscription)?
    private var waiting: [Int] = []
    private var completion: Subscribers.Completion<TestFailure>?
    private var timer: (any Cancellable)?

    init(_ downstream: Downstream, _ fault: Fault?, _ scheduler: VirtualScheduler) {
      self.downstream = downstream
      self.fault = fault
      self.scheduler = scheduler
    }

    func receive(subscription: any Subscription) {
      upstream = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      waiting.append(input)
      wake()
      return .none
    }

    func receive(completion: Subscribers.Completion<TestFailure>) {
      self.completion = completion
      wake()
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      upstream?.cancel()
      if fault == .deliversCancelledWork { return }
      waiting = []
      completion = nil
      timer?.cancel()
    }

    private func wake() {
      timer = scheduler.schedule(after: scheduler.now, interval: 1) { [self] in deliver() }
    }

    private func deliver() {
      timer?.cancel()
      if fault == .completionFirst, let completion { downstream.receive(completion: completion) }
      for value in fault == .lastValueFirst ? waiting.reversed() : waiting { _ = downstream.receive(value) }
      if fault != .completionFirst, let completion { downstream.receive(completion: completion) }
      waiting = []
      completion = nil
    }
  }
}

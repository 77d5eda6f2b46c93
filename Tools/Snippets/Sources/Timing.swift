import Foundation
import Streams
import StreamsFoundation

private enum TimedOut: Error { case waited }

@MainActor
private func value<P: Publisher>(_ name: String, _ publisher: P) async {
  var subscription: AnyCancellable?
  await wait { done in
    subscription = publisher.receive(on: DispatchQueue.main).sink(
      receiveCompletion: { completion in
        if case .failure = completion { print("\(name): failure") }
        done()
      },
      receiveValue: { print("\(name):", $0) })
  }
  withExtendedLifetime(subscription) {}
}

@MainActor
func timing() async {
  let main = DispatchQueue.main
  let silent = PassthroughSubject<Int, TimedOut>()
  await value("timeout", silent.timeout(.milliseconds(2), scheduler: main, customError: { .waited }))
  await value(
    "timeout without error",
    Empty<Int, Never>(completeImmediately: false).timeout(.milliseconds(2), scheduler: main))
  await value("in time", Just(1).setFailureType(to: TimedOut.self).timeout(60, scheduler: main))

  await value("delay", (1...3).publisher.delay(for: .milliseconds(1), scheduler: main))
  await value("delay in seconds", Just(4).delay(for: 0.001, scheduler: RunLoop.main))
  let typed = CurrentValueSubject<String, Never>("")
  typed.value = "typed"
  await value("debounce", typed.debounce(for: .milliseconds(1), scheduler: main).first())
  await value("throttle", Just(6).throttle(for: .seconds(60), scheduler: main, latest: true))
  await value(
    "collect by time or count", (1...5).publisher.collect(.byTimeOrCount(main, .seconds(60), 2)))
  await value("collect by time", (1...3).publisher.collect(.byTime(RunLoop.main, .seconds(60))))
  await value(
    "measureInterval",
    (1...2).publisher.measureInterval(using: main).map { $0 < .seconds(60) && $0 >= .zero })

  // A pause after each failure.
  var attempts = 0
  let flaky = Deferred { () -> AnyPublisher<Int, TimedOut> in
    attempts += 1
    return attempts < 3
      ? Fail(error: .waited).eraseToAnyPublisher()
      : Just(attempts).setFailureType(to: TimedOut.self).eraseToAnyPublisher()
  }
  await value(
    "retry after a pause",
    flaky.catch { error in
      Fail<Int, TimedOut>(error: error).delay(for: .milliseconds(1), scheduler: main)
    }
    .retry(3))

  // Polling, until the answer is there.
  let polling = Timer.publish(every: 0.001, on: .main, in: .common)
    .autoconnect()
    .scan(0) { count, _ in count + 1 }
    .flatMap { Just($0 * $0) }
    .first { $0 > 10 }
  await value("polled", polling)

  // A list with pauses in between.
  await value(
    "paced",
    ["a", "b"].publisher.flatMap(maxPublishers: .max(1)) {
      Just($0).delay(for: .milliseconds(1), scheduler: DispatchQueue.global())
    })

  let immediate = Just(5).receive(on: ImmediateScheduler.shared).delay(
    for: 5, scheduler: ImmediateScheduler.shared)
  _ = immediate.sink { print("immediate:", $0) }
}

import Foundation
import Streams
import StreamsFoundation

final class Stopwatch: ObservableObject {
  @Published private(set) var ticks = 0
  private var timer: AnyCancellable?

  func start() {
    timer = Timer.publish(every: 0.001, on: .main, in: .common)
      .autoconnect()
      .sink { [weak self] _ in self?.ticks += 1 }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }
}

final class Countdown {
  private var subscriptions = Set<AnyCancellable>()

  func start(from count: Int, each: @escaping (Int) -> Void, finished: @escaping () -> Void) {
    Timer.publish(every: 0.001, tolerance: nil, on: RunLoop.main, in: .default)
      .autoconnect()
      .scan(count) { left, _ in left - 1 }
      .prefix(while: { $0 >= 0 })
      .sink(receiveCompletion: { _ in finished() }, receiveValue: each)
      .store(in: &subscriptions)
  }
}

@MainActor
func timers() async {
  let watch = Stopwatch()
  var cancellables = Set<AnyCancellable>()
  await wait { done in
    watch.$ticks
      .first { $0 == 3 }
      .sink { ticks in
        print("ticks:", ticks)
        done()
      }
      .store(in: &cancellables)
    watch.start()
  }
  watch.stop()

  let countdown = Countdown()
  await wait { done in
    countdown.start(from: 3, each: { print("left:", $0) }, finished: done)
  }

  // One timer for two subscribers, started by hand.
  let clock = Timer.publish(every: 0.001, on: .main, in: .common)
  let connections = CurrentValueSubject<[any Cancellable], Never>([])
  await wait { done in
    let first = clock.prefix(2).count()
    let second = clock.map { _ in 1 }.prefix(3).reduce(0, +)
    first.zip(second)
      .sink {
        print("dates:", $0, $1)
        done()
      }
      .store(in: &cancellables)
    connections.value.append(clock.connect())
  }
  connections.value.forEach { $0.cancel() }

  let letters = ["a", "b", "c"].publisher
  await wait { done in
    letters
      .zip(Timer.publish(every: 0.001, on: .main, in: .common).autoconnect())
      .map(\.0)
      .collect()
      .sink {
        print("one a tick:", $0)
        done()
      }
      .store(in: &cancellables)
  }

  let start = Date()
  await wait { done in
    Just(start)
      .delay(for: .seconds(0.002), scheduler: RunLoop.main)
      .map { Date().timeIntervalSince($0) >= 0.002 }
      .sink {
        print("late enough:", $0)
        done()
      }
      .store(in: &cancellables)
  }

  // On the main run loop, whoever serves it: each once, and in order.
  await wait { done in
    (1...1000).publisher
      .receive(on: RunLoop.main)
      .collect()
      .sink {
        print("in order:", $0 == Array(1...1000))
        done()
      }
      .store(in: &cancellables)
  }
}

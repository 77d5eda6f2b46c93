import Streams
import StreamsExtras

/// Leaving and joining with n subscribers: for each subject, and each operator that shares.
let joining: [Series] = [
  joined("current", "CurrentValueSubject") {
    let subject = CurrentValueSubject<Int, Never>(1)
    return { add in subject.sink(receiveValue: add) }
  },
  joined("replay", "ReplaySubject") {
    let subject = ReplaySubject<Int, Never>(bufferSize: 1)
    return { add in subject.sink(receiveValue: add) }
  },
  joined("relay", "PassthroughRelay") {
    let relay = PassthroughRelay<Int>()
    return { add in relay.sink(receiveValue: add) }
  },
  joined("published", "@Published property") {
    let model = Model()
    return { add in model.$number.sink(receiveValue: add) }
  },
  joined("future", "future") {
    let future = Future<Int, Never> { _ in }
    return { add in future.sink(receiveValue: add) }
  },
  joined("share", "share") {
    let shared = PassthroughSubject<Int, Never>().share()
    return { add in shared.sink(receiveValue: add) }
  },
  joined("shareReplay", "share(replay:)") {
    let shared = PassthroughSubject<Int, Never>().share(replay: 1)
    return { add in shared.sink(receiveValue: add) }
  },
  joined("autoconnect", "autoconnect") {
    let shared = PassthroughSubject<Int, Never>().multicast { PassthroughSubject() }.autoconnect()
    return { add in shared.sink(receiveValue: add) }
  },
  joined("refCount", "refCount") {
    let shared = PassthroughSubject<Int, Never>().multicast { PassthroughSubject() }.refCount()
    return { add in shared.sink(receiveValue: add) }
  },
  joined("feeds", "subject", of: "upstreams") {
    let subject = PassthroughSubject<Int, Never>()
    return { _ in PassthroughSubject<Int, Never>().subscribe(subject) }
  },
]

private func joined(
  _ name: String, _ title: String, of others: String = "subscribers",
  _ make: @escaping @Sendable () -> (_ add: @escaping (Int) -> Void) -> AnyCancellable
) -> Series {
  Series(
    name: "join-\(name)", title: "\(title) with n \(others), one leaves and another joins", share: { _ in 1 },
    sizes: powersOfTen, events: { size in (0, max(1, size / 2)) }
  ) { size, count in
    sum { total in
      let join = make()
      var subscriptions = (0..<size).map { _ in join { total.add($0) } }
      // All over the place: 7,919 is prime.
      for turn in 0..<count {
        let index = turn * 7919 % size
        subscriptions[index].cancel()
        subscriptions[index] = join { total.add($0) }
      }
      left.append(subscriptions)
    }
  }
}

private final class Model: ObservableObject {
  @Published var number = 1
}

/// Kept to the end of the program: what is dropped is cancelled, too, and would be counted.
nonisolated(unsafe) private var left: [[AnyCancellable]] = []  // this program has one thread

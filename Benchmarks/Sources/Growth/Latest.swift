import Streams
import StreamsExtras

let latest = Series(
  name: "latest", title: "combineLatest of n publishers, a value", share: { _ in 1 },
  sizes: powersOfTen, events: { _ in (100, 1100) }
) { size, count in
  sum { total in
    let subjects = (0..<size).map { CurrentValueSubject<Int, Never>($0) }
    let subscription = subjects.combineLatest().sink { total.add($0[0]) }
    for value in 0..<count { subjects[value * 7919 % size].send(value) }
    subscription.cancel()
  }
}

/// A chain whose types are erased, as one that is made in a loop.
let erasedDepth = Series(
  name: "erased", title: "n erased publishers, one behind the other, a publisher and value", share: { $0 },
  sizes: [1, 10, 100, 1000, 10_000], events: { _ in (10, 110) }
) { size, count in
  sum { total in
    let subject = PassthroughSubject<Int, Never>()
    let chain = (0..<size).reduce(subject.eraseToAnyPublisher()) { chain, _ in
      chain.map { $0 &+ 1 }.eraseToAnyPublisher()
    }
    let subscription = chain.sink { total.add($0) }
    for value in 0..<count { subject.send(value) }
    subscription.cancel()
  }
}

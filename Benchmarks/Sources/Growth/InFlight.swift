import Streams

let zipped = Series(
  name: "zip", title: "zip with n values waiting, a value", share: { $0 * 2 },
  sizes: powersOfTen, events: { size in (1, 1 + max(2, 1000 / size)) }
) { size, count in
  sum { total in
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    let subscription = first.zip(second).sink { total.add($0 &+ $1) }
    for _ in 0..<count {
      for value in 0..<size { first.send(value) }
      for value in 0..<size { second.send(value) }
    }
    subscription.cancel()
  }
}

let buffered = Series(
  name: "buffer", title: "buffer with n values waiting, a value", share: { $0 },
  sizes: powersOfTen, events: { size in (1, 1 + max(2, 1000 / size)) }
) { size, count in
  sum { total in
    let subject = PassthroughSubject<Int, Never>()
    let taker = Taker { total.add($0) }
    subject.buffer(size: size, prefetch: .keepFull, whenFull: .dropNewest).subscribe(taker)
    for _ in 0..<count {
      for value in 0..<size { subject.send(value) }
      taker.ask(size)
    }
    subject.send(completion: .finished)
  }
}

/// Asks when it is told to.
private final class Taker: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  private let receive: (Int) -> Void
  private var subscription: (any Subscription)?

  init(_ receive: @escaping (Int) -> Void) { self.receive = receive }

  func ask(_ count: Int) { subscription?.request(.max(count)) }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Int) -> Subscribers.Demand {
    receive(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }
}

import Streams

let subscribers = Series(
  name: "subscribers", title: "subject with n subscribers, a subscriber and value", share: { $0 },
  sizes: powersOfTen, events: { size in (1, 1 + max(2, 1000 / size)) }
) { size, count in
  sum { total in
    let subject = PassthroughSubject<Int, Never>()
    let subscriptions = (0..<size).map { _ in subject.sink { total.add($0) } }
    for value in 0..<count { subject.send(value) }
    withExtendedLifetime(subscriptions) {}
  }
}

let cancellations = Series(
  name: "cancel", title: "cancelling one of n subscribers", share: { _ in 1 }, sizes: powersOfTen,
  events: { size in (0, max(1, size / 2)) }
) { size, count in
  sum { total in
    let subject = PassthroughSubject<Int, Never>()
    let subscriptions = (0..<size).map { _ in subject.sink { total.add($0) } }
    // All over the place: 7,919 is prime.
    for turn in 0..<count { subscriptions[turn * 7919 % size].cancel() }
    remaining.append(subscriptions)
  }
}

/// Kept to the end of the program: what is dropped is cancelled, too, and would be counted.
nonisolated(unsafe) private var remaining: [[AnyCancellable]] = []  // this program has one thread

/// With so many values that what the allocator does for the subjects is small beside them.
let children = Series(
  name: "children", title: "flatMap with n children under way, a value", share: { _ in 1 },
  sizes: [1, 10, 100, 1000, 10_000], events: { _ in (1000, 21_000) }
) { size, count in
  sum { total in
    let subjects = (0..<size).map { _ in PassthroughSubject<Int, Never>() }
    let subscription = subjects.publisher.flatMap { $0 }.sink { total.add($0) }
    for value in 0..<count { subjects[value % size].send(value) }
    remaining.append([subscription, AnyCancellable { withExtendedLifetime(subjects) {} }])
  }
}

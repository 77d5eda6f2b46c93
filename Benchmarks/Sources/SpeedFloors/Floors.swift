import Streams

private let always = opaque { (_: Int) in true }

let floors: [Floor] = [
  Floor("sequence → map → filter → sink", limit: 230) { count in
    var sum = 0
    Values(count).map(triple).filter(isEven).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("erased sequence → map → filter → sink", limit: 270) { count in
    var sum = 0
    Values(count).eraseToAnyPublisher().map(triple).filter(isEven).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subject → sink", limit: 290) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("subject → sink of the main actor", limit: 360) { count in
    MainActor.assumeIsolated {
      var sum = 0
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.sink { @MainActor in sum &+= $0 }
      for value in 0..<count { subject.send(value) }
      sink.cancel()
      return sum
    }
  },
  Floor("subject → assign(to:) a published property", limit: 660) { count in
    MainActor.assumeIsolated {
      let subject = PassthroughSubject<Int, Never>(), model = Model()
      subject.assign(to: &model.$value)
      for value in 0..<count { subject.send(value) }
      return model.value
    }
  },
  Floor("subject → map → filter → sink", limit: 340) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.map(triple).filter(isEven).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("current value subject → map → filter → sink", limit: 370) { count in
    var sum = 0
    let subject = CurrentValueSubject<Int, Never>(0)
    let sink = subject.map(triple).filter(isEven).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("prefix(while:)", limit: 260) { count in
    var sum = 0
    Values(count).prefix(while: always).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subject → 4 × prefix(while:)", limit: 680) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.prefix(while: always).prefix(while: always).prefix(while: always)
      .prefix(while: always).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("tryMap", limit: 280) { count in
    var sum = 0
    Values(count).tryMap(triple).sink(receiveCompletion: { _ in }, receiveValue: { sum &+= $0 })
      .cancel()
    return sum
  },
  Floor("append", limit: 210) { count in
    var sum = 0
    Values(count / 2).append(0..<count / 2).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("prepend", limit: 210) { count in
    var sum = 0
    Values(count / 2).prepend(0..<count / 2).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("catch", limit: 210) { count in
    var sum = 0
    Values(count).setFailureType(to: Broken.self).catch { _ in Just(0) }.sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("handleEvents", limit: 330) { count in
    var sum = 0
    Values(count).handleEvents(receiveOutput: { sum &+= $0 }).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("mapError and setFailureType", limit: 180) { count in
    var sum = 0
    Values(count).setFailureType(to: Broken.self).mapError { $0 as any Error }
      .sink(receiveCompletion: { _ in }, receiveValue: { sum &+= $0 }).cancel()
    return sum
  },
  Floor("flatMap, 1,000 values a child", limit: 290) { count in
    var sum = 0
    Values(count / 1000).flatMap { base in (base..<base + 1000).publisher }.sink { sum &+= $0 }
      .cancel()
    return sum
  },
  Floor("flatMap, one value a child", limit: 410) { count in
    var sum = 0
    Values(count).flatMap { Just($0) }.sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("switchToLatest, one value a child", limit: 320) { count in
    var sum = 0
    Values(count).map { Just($0) }.switchToLatest().sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("share, 5 subscribers", limit: 1340) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.map(triple).share()
    let sinks = (0..<5).map { _ in shared.sink { sum &+= $0 } }
    for value in 0..<count { subject.send(value) }
    for sink in sinks { sink.cancel() }
    return sum
  },
  Floor("receive(on: immediate)", limit: 990) { count in
    var sum = 0
    Values(count).receive(on: ImmediateScheduler.shared).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subscribe(on: immediate)", limit: 190) { count in
    var sum = 0
    Values(count).subscribe(on: ImmediateScheduler.shared).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("Just → sink, a subscription each", limit: 100) { count in
    var sum = 0
    for value in 0..<count { _ = Just(value).sink { sum &+= $0 } }
    return sum
  },
  Floor("Just → map → sink, a subscription each", limit: 580) { count in
    var sum = 0
    for value in 0..<count { Just(value).map(triple).sink { sum &+= $0 }.cancel() }
    return sum
  },
  Floor("Future → sink, a subscription each", limit: 2270) { count in
    var sum = 0
    for value in 0..<count { Future<Int, Never> { $0(.success(value)) }.sink { sum &+= $0 }.cancel() }
    return sum
  },
  Floor("subject, subscribe and cancel", limit: 2750) { count in
    let subject = PassthroughSubject<Int, Never>()
    for _ in 0..<count { subject.sink { _ in }.cancel() }
    return count
  },
  Floor("compactMap", limit: 140) { count in
    total { add in Values(count).compactMap { $0 & 1 == 0 ? $0 : nil }.sink(receiveValue: add).cancel() }
  },
  Floor("scan", limit: 250) { count in
    total { add in Values(count).scan(0, &+).sink(receiveValue: add).cancel() }
  },
  Floor("removeDuplicates", limit: 250) { count in
    total { add in Values(count).removeDuplicates().sink(receiveValue: add).cancel() }
  },
  Floor("dropFirst, drop(while:), prefix(_:)", limit: 320) { count in
    total { add in Values(count).dropFirst(2).drop { $0 < 5 }.prefix(count).sink(receiveValue: add).cancel() }
  },
  Floor("reduce", limit: 80) { count in
    total { add in Values(count).reduce(0, &+).sink(receiveValue: add).cancel() }
  },
  Floor("collect(16)", limit: 310) { count in
    total { add in Values(count).collect(16).sink { add($0.count) }.cancel() }
  },
  Floor("merge of two subjects", limit: 430) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = a.merge(with: b).sink(receiveValue: add)
      for value in 0..<count / 2 {
        a.send(value)
        b.send(value)
      }
      sink.cancel()
    }
  },
  Floor("zip of two subjects", limit: 520) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = a.zip(b).sink { add($0 &+ $1) }
      for value in 0..<count / 2 {
        a.send(value)
        b.send(value)
      }
      sink.cancel()
    }
  },
  Floor("combineLatest of two subjects", limit: 460) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = a.combineLatest(b).sink { add($0 &+ $1) }
      for value in 0..<count / 2 {
        a.send(value)
        b.send(value)
      }
      sink.cancel()
    }
  },
  // Deep types: if subscribing is not transparent, the optimiser specialises nothing from the third on.
  Floor("combineLatest and map, three of each", limit: 780) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(1))
      let sink = a.combineLatest(b).map { $0 &+ $1 }.combineLatest(b).map { $0 &+ $1 }
        .combineLatest(b).map { $0 &+ $1 }.sink(receiveValue: add)
      for value in 0..<count { a.send(value) }
      sink.cancel()
    }
  },
  Floor("merge of three and map, three of each", limit: 750) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = a.merge(with: b, b).map { $0 &+ 1 }.merge(with: b, b).map { $0 &+ 1 }
        .merge(with: b, b).map { $0 &+ 1 }.sink(receiveValue: add)
      for value in 0..<count { a.send(value) }
      sink.cancel()
    }
  },
  Floor("switchToLatest, 1,000 values a child", limit: 270) { count in
    total { add in
      Values(count / 1000).map { _ in Values(1000) }.switchToLatest().sink(receiveValue: add).cancel()
    }
  },
  Floor("retry", limit: 260) { count in
    total { add in Values(count).retry(3).sink(receiveValue: add).cancel() }
  },
  Floor("replaceError and replaceEmpty", limit: 270) { count in
    total { add in
      Values(count).setFailureType(to: Broken.self).replaceError(with: 0).replaceEmpty(with: 0)
        .sink(receiveValue: add).cancel()
    }
  },
  Floor("prefix(untilOutputFrom:)", limit: 260) { count in
    total { add in
      Values(count).prefix(untilOutputFrom: PassthroughSubject<Int, Never>()).sink(receiveValue: add).cancel()
    }
  },
  Floor("buffer", limit: 530) { count in
    total { add in
      Values(count).buffer(size: 16, prefetch: .keepFull, whenFull: .dropNewest).sink(receiveValue: add)
        .cancel()
    }
  },
]

/// A sequence's publisher under a type of its own: the operators that sequences do at once do not apply.
struct Values: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  init(_ count: Int) { self.count = count }

  @inline(__always)
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == Never {
    (0..<count).publisher.subscribe(subscriber)
  }
}

@MainActor
private final class Model {
  @Published var value = 0
}

/// What `run` adds up.
func total(_ run: (@escaping (Int) -> Void) -> Void) -> Int {
  var sum = 0
  run { sum &+= $0 }
  return sum
}

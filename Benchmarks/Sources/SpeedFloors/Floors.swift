import Streams

/// What a careful programmer would write by hand: three closures, called in a loop.
let reference = Floor("reference: three closures in a loop", ceiling: 1) { count in
  let triple = opaque { (value: Int) in value &* 3 }
  let isEven = opaque { (value: Int) in value & 1 == 0 }
  var sum = 0
  let add = opaqueSink { (value: Int) in sum &+= value }
  for value in 0..<count {
    let tripled = triple(value)
    if isEven(tripled) { add(tripled) }
  }
  return sum
}

private let triple = opaque { (value: Int) in value &* 3 }
private let isEven = opaque { (value: Int) in value & 1 == 0 }
private let always = opaque { (_: Int) in true }

let floors: [Floor] = [
  Floor("sequence → map → filter → sink", ceiling: 7) { count in
    var sum = 0
    (0..<count).publisher.map(triple).filter(isEven).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("erased sequence → map → filter → sink", ceiling: 8) { count in
    var sum = 0
    (0..<count).publisher.eraseToAnyPublisher().map(triple).filter(isEven).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subject → sink", ceiling: 7.5) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("subject → map → filter → sink", ceiling: 10) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.map(triple).filter(isEven).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("current value subject → map → filter → sink", ceiling: 12) { count in
    var sum = 0
    let subject = CurrentValueSubject<Int, Never>(0)
    let sink = subject.map(triple).filter(isEven).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("prefix(while:)", ceiling: 8) { count in
    var sum = 0
    (0..<count).publisher.prefix(while: always).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subject → 4 × prefix(while:)", ceiling: 36) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.prefix(while: always).prefix(while: always).prefix(while: always)
      .prefix(while: always).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("tryMap", ceiling: 8) { count in
    var sum = 0
    (0..<count).publisher.tryMap(triple).sink(receiveCompletion: { _ in }, receiveValue: { sum &+= $0 })
      .cancel()
    return sum
  },
  Floor("append", ceiling: 6) { count in
    var sum = 0
    (0..<count / 2).publisher.append(0..<count / 2).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("prepend", ceiling: 6) { count in
    var sum = 0
    (0..<count / 2).publisher.prepend(0..<count / 2).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("catch", ceiling: 6) { count in
    var sum = 0
    (0..<count).publisher.setFailureType(to: Broken.self).catch { _ in Just(0) }.sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("handleEvents", ceiling: 10) { count in
    var sum = 0
    (0..<count).publisher.handleEvents(receiveOutput: { sum &+= $0 }).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("mapError and setFailureType", ceiling: 6) { count in
    var sum = 0
    (0..<count).publisher.setFailureType(to: Broken.self).mapError { $0 as any Error }
      .sink(receiveCompletion: { _ in }, receiveValue: { sum &+= $0 }).cancel()
    return sum
  },
  Floor("flatMap, 1,000 values a child", ceiling: 6) { count in
    var sum = 0
    (0..<count / 1000).publisher.flatMap { base in (base..<base + 1000).publisher }.sink { sum &+= $0 }
      .cancel()
    return sum
  },
  Floor("share, 5 subscribers", ceiling: 32) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.map(triple).share()
    let sinks = (0..<5).map { _ in shared.sink { sum &+= $0 } }
    for value in 0..<count { subject.send(value) }
    for sink in sinks { sink.cancel() }
    return sum
  },
  Floor("receive(on: immediate)", ceiling: 14) { count in
    var sum = 0
    (0..<count).publisher.receive(on: ImmediateScheduler.shared).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subscribe(on: immediate)", ceiling: 6) { count in
    var sum = 0
    (0..<count).publisher.subscribe(on: ImmediateScheduler.shared).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("Just → map → sink, a subscription each", ceiling: 150) { count in
    var sum = 0
    for value in 0..<count { Just(value).map(triple).sink { sum &+= $0 }.cancel() }
    return sum
  },
  Floor("Future → sink, a subscription each", ceiling: 560) { count in
    var sum = 0
    for value in 0..<count { Future<Int, Never> { $0(.success(value)) }.sink { sum &+= $0 }.cancel() }
    return sum
  },
  Floor("subject, subscribe and cancel", ceiling: 700) { count in
    let subject = PassthroughSubject<Int, Never>()
    for _ in 0..<count { subject.sink { _ in }.cancel() }
    return count
  },
]

private struct Broken: Error {}

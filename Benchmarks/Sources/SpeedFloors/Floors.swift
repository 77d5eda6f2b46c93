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
  Floor("sequence → map → filter → sink", ceiling: 8) { count in
    var sum = 0
    (0..<count).publisher.map(triple).filter(isEven).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("erased sequence → map → filter → sink", ceiling: 10) { count in
    var sum = 0
    (0..<count).publisher.eraseToAnyPublisher().map(triple).filter(isEven).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subject → sink", ceiling: 14) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("subject → map → filter → sink", ceiling: 18) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.map(triple).filter(isEven).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("current value subject → map → filter → sink", ceiling: 24) { count in
    var sum = 0
    let subject = CurrentValueSubject<Int, Never>(0)
    let sink = subject.map(triple).filter(isEven).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
  Floor("prefix(while:)", ceiling: 12) { count in
    var sum = 0
    (0..<count).publisher.prefix(while: always).sink { sum &+= $0 }.cancel()
    return sum
  },
  Floor("subject → 4 × prefix(while:)", ceiling: 40) { count in
    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.prefix(while: always).prefix(while: always).prefix(while: always)
      .prefix(while: always).sink { sum &+= $0 }
    for value in 0..<count { subject.send(value) }
    sink.cancel()
    return sum
  },
]

import Streams
import StreamsExtras

/// What goes beyond Combine.
let beyondFloors: [Floor] = [
  Floor("withLatestFrom", limit: 450) { count in
    total { add in
      Values(count).withLatestFrom(Just(1)) { $0 &+ $1 }.sink(receiveValue: add).cancel()
    }
  },
  Floor("amb", limit: 340) { count in
    total { add in
      Values(count).amb(Empty<Int, Never>(completeImmediately: false)).sink(receiveValue: add).cancel()
    }
  },
  Floor("zip of a collection of two", limit: 1010) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = [a, b].zip().sink { add($0[0] &+ $0[1]) }
      for value in 0..<count / 2 {
        a.send(value)
        b.send(value)
      }
      sink.cancel()
    }
  },
  Floor("concatMap, 1,000 values a child", limit: 280) { count in
    total { add in Values(count / 1000).concatMap { _ in Values(1000) }.sink(receiveValue: add).cancel() }
  },
  Floor("concatMap, a child each", limit: 5420) { count in
    total { add in Values(count).concatMap { Just($0) }.sink(receiveValue: add).cancel() }
  },
  Floor("expand, one value a publisher", limit: 7570) { count in
    total { add in
      Just(1).expand(.depthFirst) { ($0 < count ? $0 + 1 : nil).publisher }.sink(receiveValue: add).cancel()
    }
  },
  Floor("zip of a subject and a sequence", limit: 1200) { count in
    total { add in
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.zip((0...).publisher).sink { add($0 &+ $1) }
      for value in 0..<count { subject.send(value) }
      sink.cancel()
    }
  },
  Floor("zip(prefetch:) of two subjects", limit: 880) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = a.zip(b, prefetch: 2).sink { add($0 &+ $1) }
      for value in 0..<count / 2 {
        a.send(value)
        b.send(value)
      }
      sink.cancel()
    }
  },
  Floor("flatMapSequential, 1,000 values a child", limit: 330) { count in
    total { add in
      Values(count / 1000).flatMapSequential { _ in Values(1000) }.sink(receiveValue: add).cancel()
    }
  },
  Floor("pairwise and enumerated", limit: 260) { count in
    total { add in
      MorePublishers.Pairwise(upstream: Values(count)).enumerated().sink { add($0.element.0 &+ $0.index) }
        .cancel()
    }
  },
  Floor("removeAllDuplicates", limit: 490) { count in
    total { add in Values(count).map { $0 & 255 }.removeAllDuplicates().sink(receiveValue: add).cancel() }
  },
  Floor("scan(into:)", limit: 600) { count in
    total { add in Values(count).scan(into: 0) { $0 &+= $1 }.sink(receiveValue: add).cancel() }
  },
  Floor("materialize and dematerialize", limit: 360) { count in
    total { add in Values(count).materialize().dematerialize().sink(receiveValue: add).cancel() }
  },
  Floor("replay subject → sink", limit: 600) { count in
    total { add in
      let subject = ReplaySubject<Int, Never>(bufferSize: 16)
      let sink = subject.sink(receiveValue: add)
      for value in 0..<count { subject.send(value) }
      sink.cancel()
    }
  },
  Floor("relay → sink", limit: 320) { count in
    total { add in
      let relay = PassthroughRelay<Int>()
      let sink = relay.sink(receiveValue: add)
      for value in 0..<count { relay.accept(value) }
      sink.cancel()
    }
  },
  Floor("create", limit: 930) { count in
    total { add in
      AnyPublisher<Int, Never>.create { subscriber in
        for value in 0..<count { subscriber.send(value) }
        subscriber.send(completion: .finished)
        return AnyCancellable {}
      }.sink(receiveValue: add).cancel()
    }
  },
  Floor("property, changed in one step", limit: 560) { count in
    total { add in
      let property = MutableProperty(0)
      let sink = property.publisher.sink(receiveValue: add)
      for _ in 0..<count { property.modify { $0 &+= 1 } }
      sink.cancel()
    }
  },
]

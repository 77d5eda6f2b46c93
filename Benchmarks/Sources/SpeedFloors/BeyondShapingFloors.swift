import Streams
import StreamsExtras

/// What goes beyond Combine, and cuts streams, gathers them, or gives them to many.
let beyondShapingFloors: [Floor] = [
  Floor("pairwise() and nwise(_:), erased", limit: 1290) { count in
    total { add in
      Values(count).pairwise().map { $0 &+ $1 }.nwise(2).sink { add($0[0]) }.cancel()
    }
  },
  Floor("prefix(while:behavior:)", limit: 290) { count in
    total { add in
      Values(count).prefix(while: { $0 >= 0 }, behavior: .inclusive).sink(receiveValue: add).cancel()
    }
  },
  Floor("suffix", limit: 620) { count in
    total { add in Values(count).suffix(16).sink(receiveValue: add).cancel() }
  },
  Floor("dropLast", limit: 490) { count in
    total { add in Values(count).dropLast(16).sink(receiveValue: add).cancel() }
  },
  Floor("collect(until:)", limit: 470) { count in
    total { add in Values(count).collect { $0 & 15 == 15 }.sink { add($0.count) }.cancel() }
  },
  Floor("collect(by:)", limit: 650) { count in
    total { add in
      let (source, signal) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
      let sink = source.collect(by: signal).sink { add($0.count) }
      for value in 0..<count {
        source.send(value)
        if value & 15 == 15 { signal.send() }
      }
      sink.cancel()
    }
  },
  Floor("window(count:), 16 values each", limit: 3480) { count in
    total { add in Values(count).window(count: 16).concatMap { $0 }.sink(receiveValue: add).cancel() }
  },
  Floor("window(by:)", limit: 1150) { count in
    total { add in
      Values(count).window(by: Empty<Void, Never>(completeImmediately: false)).concatMap { $0 }
        .sink(receiveValue: add).cancel()
    }
  },
  Floor("groupBy, 4 groups", limit: 2750) { count in
    total { add in
      Values(count).groupBy(maxGroups: 4) { $0 & 3 }.flatMap(maxConcurrent: 4) { $0 }
        .sink(receiveValue: add).cancel()
    }
  },
  Floor("share(replay:), 5 subscribers", limit: 2010) { count in
    total { add in
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share(replay: 1)
      let sinks = (0..<5).map { _ in shared.sink(receiveValue: add) }
      for value in 0..<count { subject.send(value) }
      for sink in sinks { sink.cancel() }
    }
  },
  Floor("share(replay:scope:)", limit: 670) { count in
    total { add in
      Values(count).share(replay: 1, scope: .whileConnected).sink(receiveValue: add).cancel()
    }
  },
  Floor("refCount", limit: 2730) { count in
    total { add in
      Values(count).multicast { PassthroughSubject() }.refCount().sink(receiveValue: add).cancel()
    }
  },
  Floor("refCount that waits", limit: 2730) { count in
    total { add in
      Values(count).multicast { PassthroughSubject() }
        .refCount(disconnectAfter: 0, scheduler: ImmediateScheduler.shared)
        .sink(receiveValue: add).cancel()
    }
  },
  Floor("partition", limit: 540) { count in
    total { add in
      let (even, odd) = Values(count).partition { $0 & 1 == 0 }
      let first = even.sink(receiveValue: add)
      odd.sink(receiveValue: add).cancel()
      first.cancel()
    }
  },
  Floor("current value relay → sink", limit: 350) { count in
    total { add in
      let relay = CurrentValueRelay(0)
      let sink = relay.sink(receiveValue: add)
      for value in 0..<count { relay.accept(value) }
      sink.cancel()
    }
  },
  Floor("replay relay → sink", limit: 600) { count in
    total { add in
      let relay = ReplayRelay<Int>(bufferSize: 16)
      let sink = relay.sink(receiveValue: add)
      for value in 0..<count { relay.accept(value) }
      sink.cancel()
    }
  },
  Floor("replay subject, subscribe and cancel", limit: 8850) { count in
    let subject = ReplaySubject<Int, Never>(bufferSize: 1)
    subject.send(1)
    for _ in 0..<count { subject.sink { _ in }.cancel() }
    return count
  },
  Floor("Create", limit: 870) { count in
    total { add in
      MorePublishers.Create<Int, Never> { subscriber in
        for value in 0..<count { subscriber.send(value) }
        subscriber.send(completion: .finished)
        return AnyCancellable {}
      }.sink(receiveValue: add).cancel()
    }
  },
]

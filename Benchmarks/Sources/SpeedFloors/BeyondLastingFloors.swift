import Streams
import StreamsExtras

/// What goes beyond Combine, and subscribes again, is shared, or watches a clock: the cost of a value meanwhile.
let beyondLastingFloors: [Floor] = [
  Floor("concat", limit: 270) { count in
    total { add in [Values(count / 2), Values(count / 2)].concat().sink(receiveValue: add).cancel() }
  },
  Floor("switchIfEmpty", limit: 250) { count in
    total { add in Values(count).switchIfEmpty(to: Just(1)).sink(receiveValue: add).cancel() }
  },
  Floor("catch of many", limit: 270) { count in
    total { add in Values(count).catch([Just(1)]).sink(receiveValue: add).cancel() }
  },
  Floor("combineLatest of a collection of two", limit: 700) { count in
    total { add in
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = [a, b].combineLatest().sink { add($0[0] &+ $0[1]) }
      for value in 0..<count / 2 {
        a.send(value)
        b.send(value)
      }
      sink.cancel()
    }
  },
  Floor("flatMap(maxConcurrent:), 1,000 values a child", limit: 330) { count in
    total { add in
      Values(count / 1000).flatMap(maxConcurrent: 4) { _ in Values(1000) }.sink(receiveValue: add).cancel()
    }
  },
  Floor("flatMapFirst, a child each", limit: 5410) { count in
    total { add in Values(count).flatMapFirst { Just($0) }.sink(receiveValue: add).cancel() }
  },
  Floor("flatMapLatest, a child each", limit: 360) { count in
    total { add in Values(count).flatMapLatest { Just($0) }.sink(receiveValue: add).cancel() }
  },
  Floor("flatMapDelayingErrors, 1,000 values a child", limit: 330) { count in
    total { add in
      Values(count / 1000).flatMapDelayingErrors { _ in Values(1000) }.sink(receiveValue: add).cancel()
    }
  },
  Floor("sample", limit: 490) { count in
    total { add in
      let (source, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
      let sink = source.sample(trigger).sink(receiveValue: add)
      for value in 0..<count / 2 {
        source.send(value)
        trigger.send()
      }
      sink.cancel()
    }
  },
  Floor("retryWhen", limit: 270) { count in
    total { add in
      Values(count).setFailureType(to: CancellationError.self).retryWhen { $0.map { _ in } }
        .sink(receiveCompletion: { _ in }, receiveValue: add).cancel()
    }
  },
  Floor("retry later", limit: 310) { count in
    total { add in
      Values(count).retry(3, delay: .seconds(1), scheduler: Stopped()).sink(receiveValue: add).cancel()
    }
  },
  Floor("repeat, 1,000 values each time", limit: 280) { count in
    total { add in Values(1000).repeat(count / 1000).sink(receiveValue: add).cancel() }
  },
  Floor("repeatWhen", limit: 270) { count in
    total { add in Values(count).repeatWhen { $0.prefix { _ in false } }.sink(receiveValue: add).cancel() }
  },
  Floor("prefix(during:)", limit: 270) { count in
    total { add in
      let token = Lifetime.Token()
      Values(count).prefix(during: token.lifetime).sink(receiveValue: add).cancel()
      token.end()
    }
  },
  Floor("using and doFinally", limit: 320) { count in
    total { add in
      MorePublishers.Using {
        count
      } publisher: {
        Values($0)
      } release: { _ in
      }.doFinally { _ in }.sink(receiveValue: add).cancel()
    }
  },
  Floor("prefix(duration:) and drop(duration:)", limit: 730) { count in
    total { add in
      Values(count).drop(duration: 0, on: ImmediateScheduler.shared).prefix(duration: 1, on: Stopped())
        .sink(receiveValue: add).cancel()
    }
  },
  Floor("timeout(other:)", limit: 4750) { count in
    total { add in
      Values(count).timeout(1, scheduler: Stopped(), other: Just(1)).sink(receiveValue: add).cancel()
    }
  },
  Floor("debounce that flushes", limit: 4550) { count in
    total { add in
      Values(count).debounce(for: 1, scheduler: Stopped(), flushesOnCompletion: true)
        .sink(receiveValue: add).cancel()
    }
  },
  Floor("throttle(reducing:)", limit: 3400) { count in
    total { add in
      Values(count).throttle(for: 1, scheduler: Stopped()) { ($0 ?? 0) &+ $1 }.sink(receiveValue: add)
        .cancel()
    }
  },
]

/// A clock that stands still: what is to happen later does not.
private struct Stopped: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options _: Never?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after _: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: Never?,
    _: @escaping () -> Void
  ) {}

  func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: Never?, _: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}

import Streams

extension Explored {
  static var buffers: [Explored] {
    [
      Explored("buffer by request", .all, .countsDemand) {
        $0.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
      },
      Explored("buffer by request, newest", .some) {
        $0.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
      },
      Explored("buffer by request that fails", .some) {
        $0.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { Fault() })
      },
      Explored("buffer kept full", .all, .countsDemand) {
        $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
      },
      Explored("buffer kept full, newest", .some) {
        $0.buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest)
      },
    ]
  }

  static var shared: [Explored] {
    [
      Explored("share", .all, [.shares, .isForMany, .countsDemand]) { $0.share() },
      Explored(
        "multicast", .all, [.shares, .isForMany, .connects],
        building: { stand in
          let publisher = stand.source().multicast { PassthroughSubject() }
          stand.connect = { publisher.connect() }
          return publisher
        }),
      Explored(
        "multicast to a subject with a value", .some, [.shares, .isForMany, .connects],
        building: { stand in
          let publisher = stand.source().multicast(subject: CurrentValueSubject(Item(0)))
          stand.connect = { publisher.connect() }
          return publisher
        }),
      Explored("autoconnect", .all, [.shares, .isForMany, .countsDemand]) {
        $0.multicast { PassthroughSubject() }.autoconnect()
      },
      Explored(
        "makeConnectable", .all, [.shares, .isForMany, .connects],
        building: { stand in
          let publisher = stand.source().assertNoFailureHere().makeConnectable()
          stand.connect = { publisher.connect() }
          return publisher.setFailureType(to: Fault.self)
        }),
    ]
  }

  static var scheduled: [Explored] {
    [
      Explored("receive(on:)", .all, [.countsDemand, .deliversInJobs], workers: 1) { $0.receive(on: $1) },
      Explored("receive(on:) of two", .all, [.countsDemand, .deliversInJobs], workers: 2) {
        $0.receive(on: $1)
      },
      Explored("delay", .all, [.countsDemand, .isDelayed, .deliversInJobs], workers: 1) {
        $0.delay(for: 1, scheduler: $1)
      },
      Explored("subscribe(on:)", .all, .subscribesLater, workers: 1) { $0.subscribe(on: $1) },
      Explored("subscribe(on:) of two", .all, .subscribesLater, workers: 2) { $0.subscribe(on: $1) },
      Explored("debounce", .some, [.isDelayed, .deliversInJobs], workers: 1) {
        $0.debounce(for: 1, scheduler: $1)
      },
      Explored("throttle, the last", .some, .deliversInJobs, workers: 1) {
        $0.throttle(for: 1, scheduler: $1, latest: true)
      },
      Explored("throttle, the first", .some, .deliversInJobs, workers: 1) {
        $0.throttle(for: 1, scheduler: $1, latest: false)
      },
      Explored("timeout", .some, .deliversInJobs, workers: 1) { $0.timeout(1, scheduler: $1) },
      Explored("timeout that fails", .some, .deliversInJobs, workers: 1) {
        $0.timeout(1, scheduler: $1, customError: { Fault() })
      },
      Explored("collect by time", .others, .deliversInJobs, workers: 1) { upstream, jobs in
        upstream.collect(.byTime(jobs, 1)).map { $0[0] }
      },
      Explored("collect by time or count", .others, .deliversInJobs, workers: 1) { upstream, jobs in
        upstream.collect(.byTimeOrCount(jobs, 1, 2)).map { $0[0] }
      },
      Explored("collect by time or count, one", .all, [.countsDemand, .deliversInJobs], workers: 1) {
        upstream, jobs in
        upstream.collect(.byTimeOrCount(jobs, 1, 1)).map { $0[0] }
      },
      Explored("measureInterval", .others, workers: 1) { upstream, jobs in
        upstream.measureInterval(using: jobs).map { _ in Item(0) }
      },
    ]
  }
}

extension Source {
  /// The same, for operators that want upstreams that cannot fail: a failure is an end.
  fileprivate func assertNoFailureHere() -> some Publisher<Item, Never> {
    self.catch { _ in Empty<Item, Never>() }
  }
}

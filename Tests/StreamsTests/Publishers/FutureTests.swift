import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("`Future`", .leavesNothing)
struct FutureTests {
  private typealias Promise = Future<Int, Problem>.Promise

  @Test("`Future` runs its closure once, immediately, for all subscribers")
  func eager() {
    var starts = 0
    let future = Future<Int, Problem> { promise in
      starts += 1
      promise(.success(7))
    }
    let before = starts

    let recorders = (0..<3).map { _ in future.record() }

    #expect(before == 1)
    #expect(starts == 1)
    for recorder in recorders {
      #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
    }
  }

  @Test("`Future` keeps its first result")
  func firstResult() {
    let (future, promise) = pledge()

    promise(.success(1))
    promise(.success(2))
    promise(.failure(Problem(code: 3)))

    #expect(future.record().events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`Future` serves its subscribers in the order of subscription")
  func order() {
    let (future, promise) = pledge()
    let journal = Journal()
    let recorders = ["a", "b", "c"].map { Recorder<Int, Problem>(named: $0, in: journal) }
    for recorder in recorders { future.subscribe(recorder) }

    promise(.success(1))

    #expect(journal.lines.filter { $0.hasSuffix("value 1") } == ["a: value 1", "b: value 1", "c: value 1"])
  }

  @Test("`Future` still serves the other subscribers after some cancel")
  func detaches() {
    let (future, promise) = pledge()
    let recorders = (0..<5).map { _ in future.record() }

    for index in [0, 1, 3] { recorders[index].cancel() }
    promise(.success(1))

    #expect(recorders.map(\.values.count) == [0, 0, 1, 0, 1])
    #expect(recorders[0].events == [.subscription])
  }

  @Test("`Future` releases cancelled and served subscribers")
  func releases() {
    let (future, promise) = pledge()
    let leaked = Lifetimes.leaks { lifetimes in
      let cancelled = lifetimes.track(future.record(), as: "cancelled")
      _ = lifetimes.track(future.record(), as: "served")
      cancelled.cancel()
      promise(.success(1))
    }

    #expect(leaked.isEmpty)
    withExtendedLifetime(future) {}
  }

  @Test("`Future` releases its subscribers when its promise is released", arguments: [true, false])
  func abandoned(isAskedFor: Bool) {
    let leaked = Lifetimes.leaks { lifetimes in
      let future = Future<Int, Problem> { _ in }
      let recorder = lifetimes.track(future.record(demand: isAskedFor ? .unlimited : .none), as: "recorder")
      #expect(recorder.events == [.subscription])
    }

    #expect(leaked.isEmpty)
  }

  @Test("`Future` can be fulfilled by another thread")
  func elsewhereFulfilled() async {
    let (future, promise) = pledge()
    let recorder = future.record()

    elsewhere { promise(.success(1)) }

    #expect(await recorder.received(1) == [1])
  }

  @Test("`Future` can be fulfilled and subscribed to inside a delivery")
  func reentrant() {
    let (future, promise) = pledge()
    let second = Recorder<Int, Problem>()
    let first = future.record { recorder in
      recorder.onValue = { _, _ in
        future.subscribe(second)
        promise(.success(2))
      }
    }

    promise(.success(1))

    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  private func pledge() -> (Future<Int, Problem>, Promise) {
    var kept: Promise?
    let future = Future<Int, Problem> { kept = $0 }
    return (future, kept!)
  }
}

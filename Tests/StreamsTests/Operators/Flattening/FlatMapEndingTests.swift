import Streams
import StreamsTesting
import Testing

@Suite("`flatMap`: completion and cancellation", .leavesNothing)
struct FlatMapEndingTests {
  private typealias Stage = FlatMapTests.Stage

  @Test("`flatMap` does not subscribe to a new child if its closure cancels the stream")
  func cancelledByTheClosure() {
    let child = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>()
    let outer = Script(Int.self, failure: Never.self)
    outer.flatMap { [unowned recorder] _ in
      recorder.cancel()
      return child
    }.subscribe(recorder)

    outer.say(0)

    #expect(child.sessions.isEmpty)
    #expect(recorder.events == [.subscription])
  }

  @Test("`flatMap` ignores upstream signals after upstream has finished")
  func outerAfterTheEnd() {
    let stage = Stage()
    let recorder = stage.flat.record()
    stage.outer.say(0)

    stage.outer.end()
    stage.outer.say(1)
    stage.outer.end(.failure(Problem(code: 1)))
    stage.children[0].say(5)
    stage.children[0].end()

    #expect(stage.opened == [0])
    #expect(recorder.events == [.subscription, .value(5), .completion(.finished)])
  }

  @Test(
    "`flatMap` releases its closure and its subscriber at completion and cancellation",
    arguments: [true, false])
  func releases(isCancelled: Bool) {
    let lifetimes = Lifetimes()
    let (outer, child) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    var subscription: (any Subscription)?
    do {
      let probe = lifetimes.probe("closure")
      let recorder = lifetimes.track(
        outer.flatMap { _ in
          withExtendedLifetime(probe) {}
          return child
        }.record(demand: .none), as: "recorder")
      subscription = recorder.subscriptions[0]
      outer.say(0)
      child.say(1)
      recorder.forget()
    }
    let before = lifetimes.living

    if isCancelled {
      subscription?.cancel()
    } else {
      subscription?.request(.max(1))
      outer.end()
      child.end()
    }

    #expect(before == ["closure", "recorder"])
    #expect(lifetimes.living.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test("`flatMap` holds no lock while it releases the subscription of upstream")
  func releasesOutsideTheLock() {
    let outer = Script(Int.self, failure: Never.self)
    let child = Script(Int.self, failure: Never.self)
    outer.handsOverAtOnce = false
    let recorder = outer.flatMap { _ in child }.record()
    do {
      let subscription = LastWish { [unowned recorder] in recorder.cancel() }
      outer.session?.handOver(subscription)
    }
    outer.say(0)

    outer.end()

    #expect(child.cancellations == 1)
  }
}

@Suite("`flatMap`: threads", .leavesNothing)
struct FlatMapThreadTests {
  @Test("`flatMap` keeps the order of a child's values from two threads")
  func keepsOrder() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = [first, second].publisher.flatMap { $0 }.record { recorder in
      recorder.onValue = { _, value in
        guard value == 1 else { return }
        elsewhere { second.send(2) }
        second.send(3)
        elsewhere { second.send(4) }
        second.send(completion: .finished)
      }
    }

    first.send(1)
    first.send(completion: .finished)
    waitForDeliveries()

    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.finished])
  }
}

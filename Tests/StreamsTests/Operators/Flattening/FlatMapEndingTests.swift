import Streams
import StreamsTesting
import Testing

@Suite("`flatMap`: completion and cancellation", .leavesNothing)
struct FlatMapEndingTests {
  private typealias Stage = FlatMapTests.Stage

  @Test(
    "`flatMap` finishes when upstream and all children have finished, in any order", arguments: [true, false])
  func finishes(isOuterFirst: Bool) {
    let stage = Stage()
    let recorder = stage.flat.record()
    stage.outer.say(0, 1)

    if isOuterFirst { stage.outer.end() }
    stage.children[0].end()
    stage.children[0].end()
    stage.children[1].say(5)
    let before = recorder.completions
    stage.children[1].end()
    if !isOuterFirst { stage.outer.end() }

    #expect(before.isEmpty)
    #expect(recorder.completions == [.finished])
    #expect(recorder.values == [5])
  }

  @Test("`flatMap` finishes only after its buffered values are delivered")
  func waits() {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .none)
    stage.outer.say(0)
    stage.children[0].say(5)
    stage.children[0].end()
    stage.outer.end()
    let before = recorder.completions

    recorder.request(.max(1))

    #expect(before.isEmpty)
    #expect(recorder.events == [.subscription, .value(5), .completion(.finished)])
  }

  @Test("`flatMap` of an empty upstream finishes at once, without demand")
  func empty() {
    let recorder = [Int]().publisher.flatMap { Just($0) }.record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test(
    "`flatMap` fails with the first failure, without demand, and drops buffered values",
    arguments: [true, false])
  func fails(isOuter: Bool) {
    let stage = Stage()
    let recorder = stage.flat.record(demand: .none)
    stage.outer.say(0, 1)
    stage.children[0].say(5)

    (isOuter ? stage.outer : stage.children[1]).end(.failure(Problem(code: 1)))
    stage.children[0].say(6)
    stage.children[0].end(.failure(Problem(code: 2)))
    stage.outer.end(.failure(Problem(code: 3)))

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect(stage.children.map(\.cancellations) == [1, isOuter ? 1 : 0, 0])
    #expect(stage.outer.cancellations == (isOuter ? 0 : 1))
  }

  @Test("Cancelling `flatMap` cancels the children first, then upstream, each once")
  func cancels() {
    let journal = Journal()
    let stage = Stage(journal: journal)
    stage.outer.onCancel = { _ in journal.note("outer: cancel") }
    let recorder = stage.flat.record()
    stage.outer.say(0, 1)

    recorder.cancel()
    recorder.cancel()
    stage.outer.say(2)
    stage.children[0].say(1)

    let cancellations = journal.lines.filter { $0.hasSuffix("cancel") }
    #expect(cancellations == ["child 0: cancel", "child 1: cancel", "outer: cancel"])
    #expect(recorder.events == [.subscription])
    #expect(stage.opened == [0, 1])
  }

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

  @Test("Cancelling `flatMap` inside a value stops a child that sends synchronously")
  func cancelsInside() {
    let recorder = [1].publisher.flatMap { _ in (0...).publisher }.record { recorder in
      recorder.onValue = { recorder, value in
        if value == 2 { recorder.cancel() }
      }
    }

    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2)])
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
  @Test("`flatMap` delivers another thread's value after the current delivery")
  func busy() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = [first, second].publisher.flatMap { $0 }.record { recorder in
      recorder.onValue = { recorder, value in
        guard value == 1 else { return }
        elsewhere { second.send(2) }
        #expect(recorder.values == [1])
      }
    }

    first.send(1)

    #expect(recorder.values == [1, 2])
  }

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

    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.finished])
  }

  @Test("`flatMap` can be cancelled by another thread during a delivery")
  func cancelledElsewhere() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = [first, second].publisher.flatMap { $0 }.record { recorder in
      recorder.onValue = { recorder, _ in
        elsewhere {
          second.send(2)
          recorder.cancel()
        }
      }
    }

    first.send(1)
    first.send(3)

    #expect(recorder.events == [.subscription, .value(1)])
  }
}

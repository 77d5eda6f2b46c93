import Streams
import StreamsTesting
import Testing

@Suite("flatMap's end", .leavesNothing)
struct FlatMapEndingTests {
  private typealias Stage = FlatMapTests.Stage

  @Test("comes when upstream and all publishers have finished, in whatever order", arguments: [true, false])
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

  @Test("waits until what waits has been delivered")
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

  @Test("comes at once if upstream is empty, without demand")
  func empty() {
    let recorder = [Int]().publisher.flatMap { Just($0) }.record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test("comes with the first failure, without demand; what waits is lost", arguments: [true, false])
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

  @Test("by cancellation cancels the publishers first, then upstream, each once")
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

  @Test("by cancellation inside the closure leaves the new publisher alone")
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

  @Test("by cancellation inside a value stops a publisher that sends many at once")
  func cancelsInside() {
    let recorder = [1].publisher.flatMap { _ in (0...).publisher }.record { recorder in
      recorder.onValue = { recorder, value in
        if value == 2 { recorder.cancel() }
      }
    }

    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2)])
  }

  @Test("is the only one: what upstream says after it has finished is ignored, though publishers are open")
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

  @Test("lets go of everything", arguments: [true, false])
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

  @Test("lets go of upstream's subscription without holding a lock")
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

@Suite("flatMap with several threads", .leavesNothing)
struct FlatMapThreadTests {
  @Test("delivers what comes elsewhere after the delivery that is under way")
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

  @Test("keeps the order of a publisher's values though they come from two threads, one after the other")
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

  @Test("is cancelled elsewhere in the middle of a delivery")
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

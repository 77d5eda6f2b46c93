import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`MainActorScheduler`", .leavesNothing)
struct MainActorSchedulerTests {
  @Test("`receive(on: MainActor.self)` delivers values in order and the completion last, from any thread")
  func delivers() async {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: MainActor.self)
      .map { value in
        MainActor.preconditionIsolated()
        return value
      }
      .record()

    elsewhere {
      for value in 0..<1000 { subject.send(value) }
      subject.send(completion: .finished)
    }

    #expect(await recorder.ended() == .finished)
    #expect(recorder.values == Array(0..<1000))
  }

  @Test("`receive(on: MainActor.self)` never delivers synchronously")
  @MainActor
  func hops() async {
    let recorder = Just(1).receive(on: MainActor.self).record()
    let atOnce = recorder.values

    _ = await recorder.ended()

    #expect(atOnce == [])
    #expect(recorder.values == [1])
  }

  @Test("`receive(on: MainActor.self)` calls a main-actor closure directly from its own job")
  @MainActor
  func direct() async {
    var seen: [Int] = []
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.receive(on: MainActor.self).sink { seen.append($0) }
    let recorder = subject.receive(on: MainActor.self).record()

    subject.send(1)
    _ = await recorder.received(1)

    #expect(seen == [1])
    sink.cancel()
  }

  @Test("`receive(on: MainActor.self)` delivers nothing after a cancellation")
  @MainActor
  func cancelled() async {
    let subject = PassthroughSubject<Int, Never>()
    let cancelled = subject.receive(on: MainActor.self).record()
    let recorder = subject.receive(on: MainActor.self).record()

    subject.send(1)
    cancelled.cancel()
    _ = await recorder.received(1)

    #expect(cancelled.values == [])
  }

  @Test("`MainActorScheduler` runs due actions without waiting for later ones")
  func dates() async {
    let scheduler = MainActorScheduler.shared
    let start = scheduler.now
    let recorder = Recorder<String, Never>()

    let farAway = scheduler.schedule(after: start.advanced(by: .seconds(3600)), interval: 1) {
      _ = recorder.receive("far away")
    }
    scheduler.schedule(after: start.advanced(by: .milliseconds(20))) { _ = recorder.receive("later") }
    scheduler.schedule(after: start.advanced(by: .seconds(-1))) { _ = recorder.receive("at once") }
    _ = await recorder.received(2)

    // On a busy machine both are due when the main actor comes to them, and their order is open.
    #expect(Set(recorder.values) == ["at once", "later"])
    #expect(start.distance(to: scheduler.now) >= .milliseconds(20))
    farAway.cancel()
  }

  @Test("`MainActorScheduler` repeats an action on the main actor until it is cancelled")
  @MainActor
  func repeats() async {
    let scheduler = MainActorScheduler.shared
    let recorder = Recorder<Int, Never>()
    let fence = Recorder<Int, Never>()
    let held = Guarded<(any Cancellable)?>(nil)

    let repetition = scheduler.schedule(after: scheduler.now, interval: .microseconds(100)) {
      MainActor.preconditionIsolated()
      _ = recorder.receive(1)
      if recorder.values.count == 3 { held.withLock { $0 }?.cancel() }
    }
    held.withLock { $0 = repetition }
    _ = await recorder.received(3)
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1))) { _ = fence.receive(1) }
    _ = await fence.received(1)

    #expect(recorder.values.count == 3)
  }

  @Test("`MainActorScheduler` releases an action after running it")
  func releases() async {
    let lifetimes = Lifetimes()
    let fence = Recorder<Int, Never>()
    do {
      let probe = lifetimes.probe("an action")
      MainActorScheduler.shared.schedule { _ = probe }
    }

    MainActorScheduler.shared.schedule { MainActorScheduler.shared.schedule { _ = fence.receive(1) } }
    _ = await fence.received(1)

    #expect(lifetimes.living.isEmpty)
  }

  @Test("Times of `MainActorScheduler` count nanoseconds, and saturate on overflow")
  func times() {
    typealias Stride = MainActorScheduler.SchedulerTimeType.Stride
    let time = MainActorScheduler.SchedulerTimeType(uptimeNanoseconds: 5)

    #expect(Stride.seconds(2) == 2 && Stride.seconds(1.5) == 1.5 && Stride.milliseconds(1500) == 1.5)
    #expect(Stride.microseconds(3).magnitude == 3000 && Stride.nanoseconds(3).magnitude == 3)
    #expect(Stride.seconds(.max).magnitude == .max && Stride.seconds(-.infinity).magnitude == .min)
    #expect(Stride.seconds(.nan) == 0 && Stride(exactly: 7)?.magnitude == 7)
    #expect(Stride.seconds(2) * 3 == 6 && -Stride.seconds(1) == -1)
    #expect(Stride.seconds(3) - 1 == 2 && Stride.seconds(.max) + 1 == .seconds(.max))
    #expect(time.advanced(by: .nanoseconds(-7)).uptimeNanoseconds == -2)
    #expect(time.advanced(by: .seconds(.max)).distance(to: time) < 0)
    #expect(time.advanced(by: .seconds(.max)).uptimeNanoseconds == .max)
  }

  @Test("The product of strides of `MainActorScheduler` keeps its last nanoseconds", arguments: [1, -1])
  func products(sign: Int) {
    let long = MainActorScheduler.SchedulerTimeType.Stride.nanoseconds(sign * 9_007_199_254_740_993)

    #expect(long * 1 == long)
  }
}

import Streams
import StreamsTesting
import Testing

@Suite("`sink`: signals inside its closures", .leavesNothing)
struct SinkInsideTests {
  private typealias Sink = Subscribers.Sink<Int, Never>

  @Test(
    "A sink that is cancelled inside a value keeps both closures until that returns",
    arguments: [false, true])
  func keepsClosures(_ isElsewhere: Bool) {
    let (lifetimes, script, living) = (Lifetimes(), Script(Int.self, failure: Never.self), Journal())
    var sink: Sink?
    do {
      let (value, completion) = (lifetimes.probe("value"), lifetimes.probe("completion"))
      let place = Guarded<Sink?>(nil)
      let new = Sink(
        receiveCompletion: { _ in withExtendedLifetime(completion) {} },
        receiveValue: { _ in
          let cancelled = Shared(place.withLock { $0.take() })
          if isElsewhere { elsewhere { cancelled.value?.cancel() } } else { cancelled.value?.cancel() }
          living.note(lifetimes.living.joined(separator: " "))
          withExtendedLifetime(value) {}
        })
      place.withLock { $0 = new }
      sink = new
      script.subscribe(new)
    }

    script.say(1)
    script.say(2)

    #expect(living.lines == ["value completion"])
    #expect(lifetimes.living.isEmpty)
    #expect(script.asks == [.request(.unlimited), .cancel])
    withExtendedLifetime(sink) {}
  }

  @Test("A sink takes no value and no completion after its cancellation inside a value of a gate")
  func underAGate() {
    let (upstream, journal) = (GatedSubscription(), Journal())
    var sink: Sink?
    let new = Sink(
      receiveCompletion: { journal.note("\($0)") },
      receiveValue: { value in
        journal.note("\(value)")
        if value == 2 { sink?.cancel() }
      })
    sink = new
    new.receive(subscription: upstream)

    upstream.gate.enclose { for value in 1...3 { _ = new.receive(value) } }
    upstream.gate.enclose { new.receive(completion: .finished) }
    sink = nil

    #expect(journal.lines == ["1", "2"])
    #expect(upstream.recorder.asks == [.request(.unlimited), .cancel])
  }

  @Test("A sink under a gate takes the values of any thread, and its completion")
  func besideTheGate() {
    let (upstream, journal) = (GatedSubscription(), Journal())
    let sink = Shared(
      Sink(receiveCompletion: { journal.note("\($0)") }, receiveValue: { journal.note("\($0)") }))
    sink.value.receive(subscription: upstream)

    upstream.gate.enclose {
      _ = sink.value.receive(1)
      elsewhere { _ = sink.value.receive(2) }
    }
    _ = sink.value.receive(3)
    sink.value.receive(completion: .finished)
    _ = sink.value.receive(4)

    #expect(journal.lines == ["1", "2", "3", "finished"])
  }

  @Test("An assignment under a gate takes no value after its cancellation inside one")
  func assigns() {
    final class Box {
      var assign: Subscribers.Assign<Box, Int>?
      var number = 0 {
        didSet { if number == 2 { assign?.cancel() } }
      }
    }
    let (upstream, box) = (GatedSubscription(), Box())
    let assign = Subscribers.Assign(object: box, keyPath: \.number)
    box.assign = assign
    _ = assign.receive(7)
    let early = box.number
    assign.receive(subscription: upstream)

    upstream.gate.enclose { for value in 1...3 { _ = assign.receive(value) } }
    _ = assign.receive(4)
    box.assign = nil

    #expect(early == 0)
    #expect(box.number == 2)
    #expect(upstream.recorder.asks == [.request(.unlimited), .cancel])
  }

  @Test("A sink that ends inside a value takes no other")
  func endsInside() {
    let (script, journal) = (Script(Int.self, failure: Never.self), Journal())
    let cancellable = script.sink(
      receiveCompletion: { journal.note("\($0)") },
      receiveValue: { value in
        journal.note("\(value)")
        script.end()
        script.say(2)
        script.end()
      })

    script.say(1)

    #expect(journal.lines == ["1", "finished"])
    #expect(script.cancellations == 0)
    withExtendedLifetime(cancellable) {}
  }

  @Test("A sink that is asked for its closures after its end answers with ones that do nothing")
  func afterTheEnd() {
    let (journal, script) = (Journal(), Script(Int.self, failure: Never.self))
    let sink = Sink(receiveCompletion: { journal.note("\($0)") }, receiveValue: { journal.note("\($0)") })
    script.subscribe(sink)

    sink.receiveValue(1)
    script.end()
    sink.receiveValue(2)
    sink.receiveCompletion(.finished)

    #expect(journal.lines == ["1", "finished"])
  }

  @Test("Asking a sink for its closures does not keep it from being released")
  func looksInside() {
    let (lifetimes, script) = (Lifetimes(), Script(Int.self, failure: Never.self))
    let sink: Sink
    do {
      let probe = lifetimes.probe("closure")
      sink = Sink(
        receiveCompletion: { _ in withExtendedLifetime(probe) {} },
        receiveValue: { _ in withExtendedLifetime(probe) {} })
    }
    script.subscribe(sink)
    do {
      let (value, completion) = (sink.receiveValue, sink.receiveCompletion)
      value(1)
      completion(.finished)
    }

    sink.cancel()

    #expect(lifetimes.living.isEmpty)
  }

  @Test(
    "A sink releases its upstream's subscription at the end and at the cancellation",
    arguments: [false, true])
  func releasesUpstream(_ isCancelled: Bool) {
    let sink = Sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let leaked = Lifetimes.leaks { lifetimes in
      sink.receive(subscription: lifetimes.track(SubscriptionRecorder(), as: "subscription"))
      #expect(lifetimes.living == ["subscription"])
      if isCancelled { sink.cancel() } else { sink.receive(completion: .finished) }
    }

    #expect(leaked.isEmpty)
  }
}

/// A subscription whose deliveries a gate encloses.
private final class GatedSubscription: Subscription {
  let gate = SerialGate()
  let recorder = SubscriptionRecorder()

  var _gate: AnyObject? { gate }

  func request(_ demand: Subscribers.Demand) { recorder.request(demand) }
  func cancel() { recorder.cancel() }
}

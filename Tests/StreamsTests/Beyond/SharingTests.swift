import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`share(replay:)`", .leavesNothing)
struct ShareReplayTests {
  @Test("`share(replay:)` subscribes once, and sends late subscribers the last values")
  func late() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share(replay: 1)
    let first = shared.record()
    script.say(1, 2)

    let second = shared.record()
    script.say(3)

    #expect(script.sessions.count == 1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [2, 3])
  }

  @Test("`share(replay:)` loses no value of a source that sends synchronously")
  func atOnce() {
    let shared = [1, 2, 3].publisher.share(replay: 2)

    let (first, second) = (shared.record(), shared.record())

    #expect(first.values == [1, 2, 3])
    #expect(second.events == [.subscription, .value(2), .value(3), .completion(.finished)])
  }

  @Test("`share(replay:)` keeps values for ever, or only while connected, depending on its scope")
  func scopes() {
    let (script, other) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let (forever, connected) = (
      script.share(replay: 1, scope: .forever), other.share(replay: 1, scope: .whileConnected)
    )
    let sinks = [forever.record(), connected.record()]
    script.say(1)
    other.say(1)
    for sink in sinks { sink.cancel() }
    let cancellations = [script.cancellations, other.cancellations]

    let again = [forever.record(), connected.record()]
    other.end()
    let afterTheEnd = connected.record()

    #expect(cancellations == [1, 1])
    #expect(again.map(\.values) == [[1], []])
    #expect(again[1].completions == [.finished])
    #expect(afterTheEnd.completions.isEmpty)
    #expect(other.sessions.count == 3)
  }

  @Test("`share(replay:)` starts anew for a subscriber that joins during the completion")
  func restart() {
    let script = Script(Int.self, failure: Never.self)
    let shared = script.share(replay: 0, scope: .whileConnected)
    let next = Recorder<Int, Never>()
    let recorder = shared.record { $0.onCompletion = { _, _ in shared.subscribe(next) } }

    script.end()
    script.say(1)

    #expect(recorder.completions == [.finished])
    #expect(next.values == [1])
  }
}

@Suite("`refCount`", .leavesNothing)
struct RefCountTests {
  @Test("`refCount` connects at its minimum of subscribers, and disconnects after the grace period")
  func grace() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    let counted = script.multicast { PassthroughSubject() }
      .refCount(minSubscribers: 2, disconnectAfter: .seconds(5), scheduler: scheduler)

    let first = counted.record()
    let early = script.sessions.count
    let second = counted.record()
    for recorder in [first, second] { recorder.cancel() }
    scheduler.advance(by: .seconds(4))
    let third = counted.record()
    scheduler.advance(by: .seconds(10))
    let kept = script.cancellations
    third.cancel()
    scheduler.advance(by: .seconds(5))

    #expect(early == 0)
    #expect(script.sessions.count == 1)
    #expect(kept == 0)
    #expect(script.cancellations == 1)
  }

  @Test("`refCount` disconnects after the grace period if nothing retains the publisher any more")
  func released() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    script.multicast { PassthroughSubject() }
      .refCount(disconnectAfter: .seconds(5), scheduler: scheduler)
      .record().cancel()
    let early = script.cancellations
    scheduler.advance(by: .seconds(5))

    #expect(early == 0)
    #expect(script.cancellations == 1)
    #expect(scheduler.pending == 0)
  }

  @Test("`refCount` and `autoconnect` do not connect a stream whose subject has ended")
  func ended() {
    let script = Script(Int.self, failure: Never.self)
    let subject = PassthroughSubject<Int, Never>()
    subject.send(completion: .finished)

    let counted = script.multicast(subject: subject).refCount().record()
    let connected = script.multicast(subject: subject).autoconnect().record()

    #expect([counted, connected].map(\.completions) == [[.finished], [.finished]])
    #expect(script.sessions.isEmpty)
  }
}

@Suite("Relays", .leavesNothing)
struct RelayTests {
  @Test("A relay forwards accepted values, and finishes when it is deallocated")
  func finishes() {
    var passing: PassthroughRelay<Int>? = PassthroughRelay()
    var lasting: CurrentValueRelay<Int>? = CurrentValueRelay(0)
    var replaying: ReplayRelay<Int>? = ReplayRelay(bufferSize: 1)
    replaying?.accept(8)
    let recorders = [passing?.record(), lasting?.record(), replaying?.record()].compactMap { $0 }

    passing?.accept(1)
    lasting?.accept(1)
    replaying?.accept(1)
    let value = lasting?.value
    (passing, lasting, replaying) = (nil, nil, nil)

    #expect(value == 1)
    #expect(recorders.map(\.values) == [[1], [0, 1], [8, 1]])
    #expect(recorders.map(\.completions.count) == [1, 1, 1])
  }

  @Test("A relay forwards a publisher's values, but not its completion")
  func subscribes() {
    let relay = PassthroughRelay<Int>()
    let recorder = relay.record()

    let first = relay.subscribe([1, 2].publisher)
    let second = [3].publisher.subscribe(relay)

    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3)])
    withExtendedLifetime((first, second)) {}
  }

  @Test("A relay of `Void` accepts without an argument")
  func voids() {
    let (relay, replaying) = (PassthroughRelay<Void>(), ReplayRelay<Void>(bufferSize: 2))
    let recorder = relay.record()

    relay.accept()
    relay.accept()
    replaying.accept()

    #expect(recorder.values.count == 2)
    #expect(replaying.record().values.count == 1)
  }

  @Test("A relay requests from its upstream only once it has demand, so no value is lost")
  func feedsLate() {
    let (input, output) = (CurrentValueRelay("initial"), PassthroughRelay<String>())
    let feeding = [input.subscribe(output), output.subscribe(["ignored"].publisher.dropFirst())]

    let recorder = output.record()
    for value in ["1", "2"] { input.accept(value) }

    #expect(recorder.values == ["initial", "1", "2"])
    withExtendedLifetime(feeding) {}
  }

  @Test("A user-defined relay receives the values of its upstream at once")
  func feedsOwn() {
    final class Own: Relay {
      typealias Output = Int
      typealias Failure = Never
      var values: [Int] = []
      func accept(_ value: Int) { values.append(value) }
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {}
    }
    let own = Own()

    let feeding = [1, 2].publisher.subscribe(own)

    #expect(own.values == [1, 2])
    withExtendedLifetime(feeding) {}
  }

  @Test("A relay of any kind can forward its values to another relay")
  func feedsAnotherRelay() {
    let (passing, current, replaying) = (
      PassthroughRelay<Int>(), CurrentValueRelay(1), ReplayRelay<Int>(bufferSize: 1)
    )
    let (output, held) = (PassthroughRelay<Int>(), CurrentValueRelay(0))
    let recorder = output.record()

    let subscriptions = [
      passing.subscribe(output), current.subscribe(output), replaying.subscribe(output),
      current.subscribe(held),
    ]
    passing.accept(2)
    current.accept(3)
    replaying.accept(4)
    output.accept(5)

    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect([current.value, held.value] == [3, 3])
    withExtendedLifetime(subscriptions) {}
  }
}

@Suite("`Property` and `MutableProperty`", .leavesNothing)
struct PropertyTests {
  @Test("A property sends its value and each change, and finishes when it is deallocated")
  func changes() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let (all, changes) = (property?.publisher.record(), property?.changes.record())

    property?.value = 2
    let old = property?.swap(3)
    property?.modify { $0 += 1 }
    let value = property?.value
    property = nil

    #expect(old == 2)
    #expect(value == 4)
    #expect(all?.values == [1, 2, 3, 4])
    #expect(changes?.values == [2, 3, 4])
    #expect(all?.completions == [.finished])
  }

  @Test("An operator on properties returns a property")
  func operators() {
    let (a, b) = (MutableProperty(1), MutableProperty(10))
    let (isOpen, isFree) = (MutableProperty(true), MutableProperty(false))
    let sum = a.combineLatest(b).map { $0 + $1 }
    let chosen = isOpen.flatMapLatest { $0 ? a : b }
    let recorder = sum.removeDuplicates().publisher.record()

    a.value = 2
    b.value = 9
    b.value = 9
    isOpen.value = false

    #expect(sum.value == 11)
    #expect(recorder.values == [11, 12, 11])
    #expect(chosen.value == 9)
    #expect(isOpen.and(isFree).value == false)
    #expect(isOpen.or(isFree.negate()).value)
    #expect(Property(a).value == 2)
    #expect(Property(value: 7).publisher.record().values == [7])
    #expect(MutableProperty("four").count.value == 4)
  }

  @Test(
    "`flatMapLatest` sends the values of a property that its closure creates, and finishes with its source")
  func createdByTransform() {
    var source: MutableProperty<Int>? = MutableProperty(1)
    var created: [WeakProperty] = []
    let recorder = source?.flatMapLatest {
      let property = MutableProperty($0 * 10)
      created.append(WeakProperty(property))
      return property
    }.publisher.record()

    source?.value = 2
    created[1].property?.value = 21
    let isFirstReleased = created[0].property == nil
    source = nil

    #expect(isFirstReleased)
    #expect(recorder?.values == [10, 20, 21])
    #expect(recorder?.completions == [.finished])
  }

  @Test("A property stores the latest value of its publisher")
  func follows() {
    let subject = PassthroughSubject<Int, Never>()
    let property = Property(initial: 0, then: subject)

    subject.send(5)

    #expect(property.value == 5)
  }

  @Test("A property changes atomically in concurrent calls of `modify`, and sends the changes in order")
  func threads() {
    let property = MutableProperty(0)
    let recorder = property.publisher.record()
    let change: @Sendable () -> Void = { for _ in 0..<250 { property.modify { $0 += 1 } } }

    race(change, change, change, change)

    #expect(property.value == 1000)
    #expect(recorder.values == Array(0...1000))
  }

  @Test("A property calls the closure of `modify` once, also if other threads set it")
  func once() {
    let property = MutableProperty(0)
    let recorder = property.publisher.record()
    let calls = Guarded(0)
    let change: @Sendable () -> Void = {
      for _ in 0..<500 {
        property.modify { value in
          calls.withLock { $0 += 1 }
          value += 1
        }
      }
    }

    race(change, { for _ in 0..<500 { property.value = 0 } })

    #expect(calls.withLock { $0 } == 500)
    #expect(recorder.values.count == 1001)
    #expect(recorder.values.last == property.value)
  }

  @Test("A subscriber of a property may change it inside a delivery of `modify`")
  func feedback() {
    let property = MutableProperty(0)
    let recorder = property.publisher.record {
      $0.onValue = { _, value in if value == 1 { property.modify { $0 += 1 } } }
    }

    property.modify { $0 = 1 }

    #expect(property.value == 2)
    #expect(recorder.values == [0, 1, 2])
  }

  @Test(
    "The value of `flatMapLatest` is the one that it publishes, and its closure is called once for each value"
  )
  func agrees() {
    let source = MutableProperty(1)
    var created: [MutableProperty<Int>] = []
    let property = source.flatMapLatest { value in
      let property = MutableProperty(value * 10)
      created.append(property)
      return property
    }
    let recorders = [property.publisher.record(), property.publisher.record()]

    created[0].value = 99
    let first = property.value
    source.value = 2
    created[1].value = 21

    #expect(first == 99)
    #expect(property.value == 21)
    #expect(recorders.map(\.values) == [[10, 99, 20, 21], [10, 99, 20, 21]])
    #expect(created.count == 2)
  }

  @Test("A property keeps its value if the closure of `modify` throws")
  func throwing() {
    let property = MutableProperty(1)

    #expect(throws: Problem(code: 1)) {
      try property.modify { (value: inout Int) throws(Problem) in
        value = 2
        throw Problem(code: 1)
      }
    }
    #expect(property.withValue { $0 } == 1)
  }
}

private struct WeakProperty {
  weak var property: MutableProperty<Int>?

  init(_ property: MutableProperty<Int>) { self.property = property }
}

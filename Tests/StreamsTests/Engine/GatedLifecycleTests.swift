import Streams
import StreamsTesting
import Testing

@Suite("`LifecycleState`", .leavesNothing)
struct GatedLifecycleTests {
  @Test("A value of the thread inside the gate does not count as a thread inside the operator")
  func covers() {
    let (gate, owner) = (SerialGate(), Owner())
    owner.attach(under: gate)

    let outside = owner.lifecycle.isCovered
    _ = gate.enter()
    let inside = owner.lifecycle.isCovered
    let place = Place()
    elsewhere { place.note(owner.lifecycle.isCovered) }
    _ = gate.leave()

    #expect(!outside)
    #expect(inside)
    #expect(place.notes == [false])
  }

  @Test("An operator that is cancelled while its gate is free is released at once")
  func releasesAtOnce() {
    let owner = Owner()
    owner.attach(under: SerialGate())

    owner.cancel()

    #expect(owner.releases == 1)
  }

  @Test(
    "An operator that is cancelled from inside its gate is released when the thread leaves, and not before")
  func releasesAfterTheDelivery() {
    let (gate, owner) = (SerialGate(), Owner())
    owner.attach(under: gate)

    gate.enclose {
      owner.cancel()
      owner.noteReleases()
    }

    #expect(owner.noted == [0])
    #expect(owner.releases == 1)
  }

  @Test("An operator that another thread cancels is released by the thread inside its gate when that leaves")
  func releasesByTheThreadInside() {
    let (gate, owner) = (SerialGate(), Owner())
    owner.attach(under: gate)

    gate.enclose {
      elsewhere { owner.cancel() }
      owner.noteReleases()
    }

    #expect(owner.noted == [0])
    #expect(owner.releases == 1)
  }

  @Test("A caller that is inside keeps what is over from being released, whether the gate is free or not")
  func countsCallers() {
    let owner = Owner()
    owner.attach(under: SerialGate())

    _ = owner.lifecycle.enter()
    owner.cancel()
    owner.noteReleases()
    owner.leave()

    #expect(owner.noted == [0])
    #expect(owner.releases == 1)
  }

  @Test("An upstream that arrives after the cancellation is not attached, and its gate is not waited for")
  func arrivesLate() {
    let (gate, owner) = (SerialGate(), Owner())

    gate.enclose {
      _ = owner.lifecycle.enterClaiming()
      owner.cancel()
      owner.noteAttachment(owner.lifecycle.attach(under: gate))
      owner.leave()
      owner.noteReleases()
    }

    #expect(owner.attachments == [false])
    #expect(owner.noted == [1])
    #expect(owner.releases == 1)
  }

  @Test("An operator is released once, whichever of the threads that cancel, deliver and leave is the last")
  func releasesOnce() {
    for _ in 0..<200 {
      let (gate, owner) = (SerialGate(), Owner())
      owner.attach(under: gate)

      race(
        { for _ in 0..<5 { gate.enclose { _ = owner.lifecycle.isCovered } } }, { owner.cancel() },
        {
          _ = owner.lifecycle.enter()
          owner.cancel()
          owner.leave()
        })

      #expect(owner.releases == 1)
    }
  }
}

@Suite("Chains that share a gate", .leavesNothing)
struct SharedGateTests {
  @Test(
    "All subscriptions of a chain name the gate of its subject, and those of foreign publishers name none")
  func names() {
    let subject = PassthroughSubject<Int, Never>()
    let (direct, staged, foreign) = (
      Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, Never>()
    )

    subject.subscribe(direct)
    subject.map { $0 + 1 }.scan(0, +).removeDuplicates().eraseToAnyPublisher().subscribe(staged)
    Script(Int.self, failure: Never.self).scan(0, +).subscribe(foreign)

    #expect(direct.subscriptions.first?._gate is SerialGate)
    #expect(staged.subscriptions.first?._gate === direct.subscriptions.first?._gate)
    #expect(foreign.subscriptions.first?._gate == nil)
  }

  @Test(
    "An operator with a gate of its own is still inside it after a nested value, and not after the delivery",
    arguments: GatedOperator.all)
  func staysInside(_ row: GatedOperator) {
    let script = Script(Int.self, failure: Never.self), inside = Guarded([Bool]())
    let recorder = row.make(script).record {
      $0.onValue = { recorder, value in
        let gate = recorder.subscriptions[0]._gate as? SerialGate
        if value == 1 { script.say(2) }
        inside.withLock { $0.append(gate?.isInside ?? false) }
      }
    }

    script.say(1)

    #expect(inside.withLock { $0 } == Array(repeating: true, count: recorder.values.count))
    #expect(recorder.values.first == 1)
    #expect((recorder.subscriptions[0]._gate as? SerialGate)?.isInside == false)
    recorder.cancel()
  }

  @Test(
    "A closure of a sink that another thread cancels during its call lives until the call returns, and no longer"
  )
  func closures() {
    let subject = PassthroughSubject<Int, Never>()
    let watch = Watch()
    watch.begin(on: subject)

    subject.send(1)

    #expect(watch.wasAlive == true)
    #expect(!watch.isAlive)
  }

  @Test("A sink that is kept after its cancellation keeps neither its subject nor the subject's last value")
  func keepsNothing() {
    let sink = Subscribers.Sink<Content, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    weak var last: Content?
    do {
      let content = Content()
      last = content
      CurrentValueSubject<Content, Never>(content).subscribe(sink)
    }

    sink.cancel()

    #expect(last == nil)
    withExtendedLifetime(sink) {}
  }

  @Test("A sink under a sequence is released when it has received the last value")
  func sequences() {
    weak var content: Content?
    let cancellable: AnyCancellable
    do {
      let held = Content()
      content = held
      cancellable = [1, 2].publisher.scan(0, +).removeDuplicates().sink { _ in _ = held }
    }

    #expect(content == nil)
    withExtendedLifetime(cancellable) {}
  }
}

/// What an operator has of a lifecycle.
private final class Owner: LifecycleOwner, @unchecked Sendable {  // all that varies is atomic or guarded
  let lifecycle = LifecycleState()
  private let counts = Guarded((releases: 0, noted: [Int](), attachments: [Bool]()))

  var releases: Int { counts.withLock { $0.releases } }
  var noted: [Int] { counts.withLock { $0.noted } }
  var attachments: [Bool] { counts.withLock { $0.attachments } }

  func noteReleases() { counts.withLock { $0.noted.append($0.releases) } }
  func noteAttachment(_ isAttached: Bool) { counts.withLock { $0.attachments.append(isAttached) } }

  func attach(under gate: SerialGate) {
    _ = lifecycle.enterClaiming()
    noteAttachment(lifecycle.attach(under: gate))
    leave()
  }

  func cancel() {
    if lifecycle.cancel(for: self, {}) { release() }
  }

  func leave() {
    if lifecycle.leave() { release() }
  }

  private func release() { counts.withLock { $0.releases += 1 } }
}

private final class Content: Sendable {}

private final class Place: Sendable {
  private let list = Guarded<[Bool]>([])

  var notes: [Bool] { list.withLock { $0 } }
  func note(_ note: Bool) { list.withLock { $0.append(note) } }
}

/// Cancels a sink from another thread while its closure runs.
private final class Watch: @unchecked Sendable {  // one thread at a time
  private var cancellable: AnyCancellable?
  private weak var content: Content?
  private(set) var wasAlive: Bool?
  var isAlive: Bool { content != nil }

  func begin(on subject: PassthroughSubject<Int, Never>) {
    let held = Content()
    content = held
    cancellable = subject.scan(0, +).sink { [unowned self, held] _ in
      elsewhere { self.cancel() }
      wasAlive = content === held
    }
  }

  private func cancel() {
    cancellable?.cancel()
    cancellable = nil
  }
}

/// An operator that delivers inside a gate of its own.
struct GatedOperator: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable (Script<Int, Never>) -> AnyPublisher<Int, Never>

  init<Operator: Publisher<Int, Never>>(
    _ name: String, _ make: @escaping @Sendable (Script<Int, Never>) -> Operator
  ) where Operator: SendableMetatype {
    testDescription = name
    self.make = { make($0).eraseToAnyPublisher() }
  }

  static let all = [
    Self("buffer") { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest) },
    Self("combineLatest") { $0.combineLatest(Just(0)).map { $0.0 } },
    Self("flatMap") { $0.flatMap { [$0].publisher } },
    Self("merge") { $0.merge(with: Empty(completeImmediately: false)) },
    Self("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: Empty<Int, Never>()) },
    Self("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    Self("switchToLatest") { $0.map { [$0].publisher }.switchToLatest() },
    Self("zip") { $0.zip([0, 0].publisher).map { $0.0 } },
  ]
}

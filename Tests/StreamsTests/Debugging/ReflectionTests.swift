import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// Debuggers, `dump` and test libraries look at any object.
@Suite("Mirrors", .leavesNothing)
struct ReflectionTests {
  @Test("Every publisher, subscriber and subscription of every operator can be dumped")
  func everything() async {
    // In a process of its own: an introspection sees the streams of all tests that run at the same time.
    await #expect(processExitsWith: .success) {
      let dumper = Dumper()
      dumper.enable()
      for operatorCase in OperatorCase.all {
        let run = operatorCase.candidate.run(.max(2))
        run.drive(finishing: false)
        dumper.again()
        run.recorder.request(.unlimited)
        run.drive()
        dumper.again()
        dumper.forget()
        // Recorders and subscriptions refer to each other until the end, which not all of these reach.
        run.recorder.cancel()
        run.recorder.forget()
      }
      #expect(dumper.count > 1_000)
    }
  }

  @Test("Subjects, relays and publishers with a live sink can be dumped")
  func live() {
    let passthrough = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(1)
    let relay = PassthroughRelay<Int>()
    let shared = passthrough.share()
    let connectable = passthrough.multicast { PassthroughSubject() }
    let autoconnected = connectable.autoconnect()
    let holder = Holder()
    let sinks = [
      passthrough.sink { _ in }, current.sink { _ in }, relay.sink { _ in }, shared.sink { _ in },
      connectable.sink { _ in }, autoconnected.sink { _ in }, holder.$value.sink { _ in },
    ]

    let texts = [
      text(passthrough), text(current), text(relay), text(shared), text(connectable), text(autoconnected),
      text(holder), text(sinks), text(Future<Int, Never> { _ in }), text(CancelBag()),
    ]

    #expect(texts.allSatisfy { !$0.isEmpty })
    #expect(texts[1].contains("value: 1"))
  }

  @Test("The mirror of a subscription has the children that Combine shows")
  func children() throws {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorders = (
      subject.tryScan(3, +).record(), subject.collect(5).record(), subject.catch { _ in Just(1) }.record()
    )
    let (scan, group) = (recorders.0.subscriptions[0], recorders.1.subscriptions[0])
    let caught = recorders.2.subscriptions[0]
    subject.send(4)

    #expect(labels(scan) == ["downstream", "status", "result"])
    #expect(child("result", of: scan) as? Int == 7)
    #expect("\(child("result", of: scan) ?? "none")" == "7")
    #expect(labels(group) == ["downstream", "upstreamSubscription", "buffer", "count"])
    #expect(child("buffer", of: group) as? [Int] == [4])
    #expect(labels(caught) == ["downstream", "demand"])
    #expect(subscription(of: subject, labels) == ["parent", "downstream", "demand", "subject"])
    #expect(subscription(of: (1...3).publisher, labels) == ["sequence"])
    #expect(subscription(of: Just(1)) { Mirror(reflecting: $0).children.first?.value } as? Int == 1)
    // Recorders and subscriptions refer to each other until the end.
    subject.send(completion: .finished)
  }

  @Test("A cancellable shows whether it was cancelled")
  func cancellables() {
    let sink = PassthroughSubject<Int, Never>().sink { _ in }

    let before = text(sink)
    sink.cancel()

    #expect(before.contains("isCancelled: false"))
    #expect(text(sink).contains("isCancelled: true"))
  }

  @Test("The mirror of a debounce subscription shows the waiting value")
  func debounce() {
    let scheduler = VirtualScheduler.virtual
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.debounce(for: 1, scheduler: scheduler).record()
    let subscription = recorder.subscriptions[0]

    let before = "\(child("currentValue", of: subscription) ?? "none")"
    subject.send(4)
    let meanwhile = "\(child("currentValue", of: subscription) ?? "none")"
    scheduler.run()
    let after = "\(child("currentValue", of: subscription) ?? "none")"

    #expect(labels(subscription) == ["downstream", "downstreamDemand", "currentValue"])
    #expect([before, meanwhile, after] == ["nil", "4", "nil"])
    recorder.cancel()
  }

  @Test("The descriptions of subscribers have Combine's names")
  func names() {
    #expect(subscriber { $0.map(\.description) } == "ValueForKey")
    #expect(subscriber { $0.map(\.description, \.hashValue) } == "ValueForKeys")
    #expect(subscriber { $0.assertNoFailure() } == "AssertNoFailure")
    #expect(subscriber { $0.catch { _ in Just(1) } } == "Catch")
    #expect(subscriber { $0.share() } == "Share")
    let record = Record<Int, Never>(output: [1, 2], completion: .finished)
    #expect(subscription(of: record) { "\($0)" } == "[1, 2]")
  }

  private func text(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  private func labels(_ value: Any) -> [String?] { Mirror(reflecting: value).children.map(\.label) }

  private func child(_ label: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == label }?.value
  }

  /// The name of the subscriber that upstream sees.
  private func subscriber<P: Publisher>(_ build: (Entry) -> P) -> String {
    let entry = Entry()
    _ = build(entry).record()
    return entry.subscriber
  }

  /// Calls a closure with a subscription, and cancels it.
  private func subscription<P: Publisher, Seen>(of publisher: P, _ look: (any Subscription) -> Seen) -> Seen {
    let recorder = publisher.record(demand: .none)
    defer { recorder.cancel() }
    return look(recorder.subscriptions[0])
  }
}

/// Notes its subscriber's name.
private final class Entry: Publisher {
  typealias Output = Int
  typealias Failure = TestFailure

  private(set) var subscriber = ""

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == TestFailure {
    self.subscriber = "\(subscriber)"
  }
}

private final class Holder: ObservableObject {
  @Published var value = 1
  let subject = PassthroughSubject<Int, Never>()
}

/// Dumps whatever passes, on whichever thread.
private final class Dumper: _Introspection {
  private let state = Guarded((parts: [Any](), count: 0))

  var count: Int { state.withLock { $0.count } }

  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {
    show(publisher)
    show(subscriber)
  }

  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    show(subscriber)
    show(subscription)
  }

  func again() { for part in state.withLock({ $0.parts }) { write(part) } }

  func forget() {
    let parts = state.withLock { state in
      defer { state.parts = [] }
      return state.parts
    }
    withExtendedLifetime(parts) {}
  }

  private func show(_ part: Any) {
    state.withLock { $0.parts.append(part) }
    write(part)
  }

  private func write(_ part: Any) {
    state.withLock { $0.count += 1 }
    var text = ""
    dump(part, to: &text, maxDepth: 6)
    _ = "\(part)"
  }
}

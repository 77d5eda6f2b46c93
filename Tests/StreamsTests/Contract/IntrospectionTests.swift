import Streams
import StreamsTesting
import Testing

/// One after another: who is enabled is known to the whole process.
@Suite("Introspection", .serialized, .leavesNothing)
struct IntrospectionTests {
  @Test("An introspection receives every event between the stages of a chain, in order")
  func chain() {
    let tracer = Tracer()
    let subject = PassthroughSubject<Int, Never>()

    let lines = tracer.trace {
      let subscription = subject.map { $0 * 10 }.prefix { $0 < 50 }.sink { _ in }
      subject.send(1)
      subject.send(completion: .finished)
      subscription.cancel()
    }

    #expect(
      lines == [
        "will attach Sink to PrefixWhile", "will attach PrefixWhile to Map",
        "will attach Map to PassthroughSubject",
        "will hand PassthroughSubject to Map", "will hand PassthroughSubject to PrefixWhile",
        "will hand PrefixWhile to Sink",
        "will ask PrefixWhile for unlimited", "will ask PassthroughSubject for unlimited",
        "will ask PassthroughSubject for unlimited",
        "did ask PassthroughSubject for unlimited", "did ask PassthroughSubject for unlimited",
        "did ask PrefixWhile for unlimited",
        "did hand PrefixWhile", "did hand PassthroughSubject", "did hand PassthroughSubject",
        "did attach Map", "did attach PrefixWhile", "did attach Sink",
        "will give 1 to Map", "will give 10 to PrefixWhile", "will give 10 to Sink",
        "did give 10, max(0) more", "did give 10, max(0) more", "did give 1, max(0) more",
        "will end Map with finished", "will end PrefixWhile with finished", "will end Sink with finished",
        "did end Sink", "did end PrefixWhile", "did end Map",
      ])
  }

  @Test("An introspection receives the demand returned for a value, and the failure")
  func answers() {
    let tracer = Tracer()
    let script = Script(Int.self, failure: TestFailure.self)

    let lines = tracer.trace {
      script.subscribe(Recorder(demand: .max(1), answering: { .max($0) }))
      script.say(3)
      script.end(.failure(.scripted))
    }

    #expect(
      lines.suffix(4) == [
        "will give 3 to Recorder", "did give 3, max(3) more",
        "will end Recorder with failure(StreamsTesting.TestFailure.scripted)", "did end Recorder",
      ])
  }

  @Test("An introspection receives requests and cancellations")
  func upwards() {
    let tracer = Tracer()
    let script = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>(demand: .none)

    let lines = tracer.trace {
      script.subscribe(recorder)
      recorder.request(.max(2))
      recorder.cancel()
    }

    #expect(
      lines.suffix(4) == [
        "will ask Script for max(2)", "did ask Script for max(2)", "will cancel Script", "did cancel Script",
      ])
    #expect(script.asks == [.request(.max(2)), .cancel])
  }

  @Test("An introspection leaves a subscription's identifier and description unchanged")
  func appearance() {
    let tracer = Tracer()
    let script = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>()

    _ = tracer.trace { script.map { $0 }.subscribe(recorder) }

    #expect(recorder.subscriptions.map { "\($0)" } == ["Script"])
    #expect(
      recorder.subscriptions.map(\.combineIdentifier) == script.sessions.map(\.subscription.combineIdentifier)
    )
  }

  @Test("An introspection also covers single-value publishers that otherwise need no subscription")
  func constants() {
    let tracer = Tracer()

    let lines = tracer.trace {
      _ = Just(1).sink { _ in }
      _ = [2].publisher.flatMap { Just($0) }.sink { _ in }
      _ = [3].publisher.map { Optional($0).publisher }.switchToLatest().sink { _ in }
      _ = Fail<Int, TestFailure>(error: .thrown).catch { _ in Just(4) }.sink { _ in }
      _ = Future<Int, Never> { $0(.success(5)) }.sink { _ in }
    }

    let attached = lines.filter { $0.hasPrefix("will attach") }
    #expect(attached.count { $0.hasSuffix(" to Just") } == 3)
    #expect(attached.count { $0.hasSuffix(" to Publisher") } == 1)
    #expect(attached.count { $0.hasSuffix(" to Future") } == 1)
  }

  @Test("A disabled introspection receives nothing, even from streams it observed before")
  func disabled() {
    let tracer = Tracer()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()

    let lines = tracer.trace {
      #expect(tracer.isEnabled)
      subject.subscribe(recorder)
    }
    subject.send(1)
    recorder.cancel()
    Just(1).subscribe(Recorder())

    #expect(tracer.lines == lines)
    #expect(recorder.values == [1])
    #expect(!tracer.isEnabled)
  }

  @Test("An introspection receives nothing from streams subscribed before it was enabled")
  func late() async {
    // In a process of its own: a stream that another introspection sees is seen by those that are enabled later, too.
    await #expect(processExitsWith: .success) {
      let tracer = Tracer()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = subject.record()

      let lines = tracer.trace { subject.send(1) }

      #expect(lines == [])
      #expect(recorder.values == [1])
    }
  }

  @Test("Introspections receive events in the order of enabling, and once if enabled twice")
  func several() {
    let journal = Journal()
    let (first, second) = (Tracer("first ", journal: journal), Tracer("second ", journal: journal))

    let lines = first.trace {
      _ = second.trace {
        first.enable()
        Empty<Int, Never>().subscribe(Recorder())
      }
    }

    #expect(
      lines.prefix(2) == ["first will attach Recorder to Empty", "second will attach Recorder to Empty"])
    #expect(Set(lines).count == lines.count)
  }

  @Test("An introspection may disable itself and the next inside a hook")
  func disablesInside() {
    let (first, second) = (Tracer(), Tracer())
    first.onHook = { [unowned first, unowned second] in
      first.disable()
      second.disable()
    }
    let recorder = Recorder<Int, Never>()

    _ = first.trace { _ = second.trace { Just(1).subscribe(recorder) } }

    #expect(first.lines == ["will attach Recorder to Just"])
    #expect(second.lines == [])
    #expect(recorder.values == [1])
  }

  @Test("An introspection is released when disabled, and retains no finished stream")
  func lifetimes() {
    let leaked = Lifetimes.leaks { lifetimes in
      let tracer = lifetimes.track(Tracer())
      let recorder = lifetimes.track(Recorder<Int, Never>())
      _ = tracer.trace { [1, 2].publisher.prefix { $0 < 2 }.map { $0 }.subscribe(recorder) }
    }

    #expect(leaked.isEmpty)
  }

  @Test("Operators keep their laws while an introspection is enabled", arguments: Self.underLaw)
  func laws(_ trial: Trial) {
    let tracer = Tracer()
    tracer.enable()
    defer { tracer.disable() }

    let violations = trial.violations()

    #expect(violations.isEmpty, "\(trial.law.sentence)")
  }

  private static let underLaw = Trial.all(
    of: OperatorCase.all.filter { operatorCase in
      ["map", "prefix(while:)", "flatMap", "zip", "share", "receive(on:)", "catch", "PassthroughSubject"]
        .contains(operatorCase.name)
    }
  ).filter { $0.deviation == nil }
}

@Suite("Tracer of the documentation", .leavesNothing)
struct ShortTracerTests {
  // In a process of its own: it is told of what all tests that run do.
  @Test("The documentation's tracer records each received value with its subscriber")
  func example() async {
    await #expect(processExitsWith: .success) {
      let tracer = ShortTracer()
      let numbers = PassthroughSubject<Int, Never>()

      tracer.enable()
      let subscription = numbers.map { $0 * 10 }.sink { _ in }
      numbers.send(1)
      numbers.send(2)
      tracer.disable()
      subscription.cancel()

      precondition(tracer.lines == ["Map gets 1", "Sink gets 10", "Map gets 2", "Sink gets 20"])
    }
  }
}

private final class ShortTracer: _Introspection {
  var lines: [String] = []

  func willReceive<S: Subscriber>(subscriber: S, input: S.Input) {
    lines.append("\(subscriber) gets \(input)")
  }
}

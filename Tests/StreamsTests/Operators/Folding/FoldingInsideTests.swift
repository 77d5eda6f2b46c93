import Streams
import StreamsTesting
import Testing

@Suite("Operators with a single result: signals inside others", .leavesNothing)
struct FoldingInsideTests {
  private typealias Source = Script<Int, Problem>

  @Test("A completion or failure after the result is known does not end the stream before the request")
  func afterTheResult() {
    let sources = [Source(), Source()]
    let recorders = sources.map { $0.first().record(demand: .none) }
    for source in sources { source.say(1) }

    sources[0].end()
    sources[1].end(.failure(Problem(code: 1)))
    for source in sources { source.say(2) }
    let early = recorders.map(\.events)
    for recorder in recorders { recorder.request(.max(1)) }

    #expect(early == [[.subscription], [.subscription]])
    for recorder in recorders {
      #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
    }
  }

  @Test("A closure that sends a value itself folds that first, and keeps what it returns last")
  func sendsInside() {
    let source = Source()
    let recorder = source.reduce(0) { sum, value in
      if value == 1 { source.say(10) }
      return sum + value
    }.record()

    source.say(1, 2)
    source.end()

    #expect(recorder.values == [3])
  }

  @Test("A closure that ends the stream itself adds nothing to the result that is known then")
  func endsInside() {
    let source = Source()
    let recorder = source.reduce(0) { sum, value in
      if value == 2 { source.end() }
      return sum + value
    }.record(demand: .none)

    source.say(1, 2)
    recorder.request(.max(1))

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("A closure that sends the value looked for leads to one result, and cancels upstream once")
  func findsInside() {
    let source = Source()
    let recorder = source.first { value in
      if value == 1 { source.say(2) }
      return true
    }.record()

    source.say(1)

    #expect(recorder.events == [.subscription, .value(2), .completion(.finished)])
    #expect(source.cancellations == 1)
  }

  @Test("A closure that cancels and then throws leads to no failure, and cancels upstream once")
  func throwsAfterCancelling() {
    let source = Source()
    let recorder = Recorder<Int, any Error>()
    source.tryFirst { [unowned recorder] _ in
      recorder.cancel()
      throw Problem(code: 1)
    }.subscribe(recorder)

    source.say(1)

    #expect(recorder.values.isEmpty)
    #expect(recorder.completions.isEmpty)
    #expect(source.cancellations == 1)
  }

  @Test(
    "A mirror shows the result so far, except to a closure that is about to change it",
    arguments: [false, true])
  func mirrors(_ isGated: Bool) {
    let (source, subject) = (Source(), PassthroughSubject<Int, Problem>())
    let upstream = isGated ? subject.eraseToAnyPublisher() : source.eraseToAnyPublisher()
    var shown: [String] = []
    let recorder = Recorder<Int, Problem>(demand: .none)
    func look() {
      let mirror = Mirror(reflecting: recorder.subscriptions[0])
      shown.append(mirror.children.map { "\($0.value)" }.dropFirst().joined(separator: " "))
    }
    upstream.reduce(5) { sum, value in
      look()
      return sum + value
    }.subscribe(recorder)

    look()
    if isGated { subject.send(1) } else { source.say(1) }
    look()
    recorder.cancel()
    look()

    #expect(
      shown == [
        "Optional(5) Optional(5) subscribed", "nil Optional(5) subscribed",
        "Optional(6) Optional(5) subscribed", "",
      ])
  }

  @Test("A mirror of a cancelled subscription keeps nothing of it")
  func releases() {
    let source = Source()
    let leaked = Lifetimes.leaks { lifetimes in
      let recorder = lifetimes.track(source.count().record(demand: .none), as: "downstream")
      _ = Mirror(reflecting: recorder.subscriptions[0])
      recorder.cancel()
      _ = Mirror(reflecting: recorder.subscriptions[0])
      recorder.forget()
    }

    #expect(leaked.isEmpty)
  }

  @Test(
    "The closure is released when the stream is over, whether the result is requested early, late or never",
    arguments: 0...2)
  func releasesClosures(_ way: Int) {
    let source = Source()
    var subscription: (any Subscription)?
    let leaked = Lifetimes.leaks { lifetimes in
      let probe = lifetimes.probe("closure")
      let recorder = lifetimes.track(
        source.reduce(0) { sum, value in sum + value + probe.name.count }
          .record(demand: way == 0 ? .max(1) : .none), as: "downstream")
      subscription = recorder.subscriptions.first
      source.say(1)
      source.end()
      if way == 1 { recorder.request(.max(1)) }
      if way == 2 { recorder.cancel() }
      recorder.forget()
    }

    #expect(leaked.isEmpty)
    withExtendedLifetime(subscription) {}
  }
}

import Streams
import StreamsTesting
import Testing

/// Tasks run at once: each has come to its wait, or to its end, when the next line of a test is reached.
@Suite("`values`: tasks that wait", .leavesNothing)
struct WaitingValuesTests {
  private let script = Script(Int.self, failure: Problem.self)
  private let notes = Recorder<String, Never>()

  @Test("A subscription that arrives late is asked for the prefetched values and for those that tasks await")
  func lateSubscription() throws {
    script.handsOverAtOnce = false
    let iteration = AsyncIteration(script, .prefetching(2))
    for _ in 0..<2 { follow(iteration) }

    let session = try #require(script.session)
    session.handOver(session.subscription)
    session.say(1)
    session.say(2)

    #expect(script.demands == [.max(4)])
    #expect(notes.values == ["1", "2"])
  }

  @Test("A late subscription is asked for nothing as long as no task awaits a value")
  func lateWithoutTasks() throws {
    script.handsOverAtOnce = false
    let iteration = AsyncIteration(script, .prefetching(0))

    let session = try #require(script.session)
    session.handOver(session.subscription)
    let early = script.demands
    follow(iteration)
    session.say(1)

    #expect(early == [])
    #expect(script.demands == [.max(1)])
    #expect(notes.values == ["1"])
  }

  @Test("A failure is thrown to the task that waits longest, and ends the others and later ones")
  func failure() {
    let iteration = AsyncIteration(script, .prefetching(0))
    for _ in 0..<3 { follow(iteration) }

    script.end(.failure(Problem(code: 7)))
    let ended = notes.values
    follow(iteration)

    #expect(ended == ["failure 7", "end", "end"])
    #expect(notes.values == ["failure 7", "end", "end", "end"])
  }

  @Test(
    "A cancelled task ends each task that waits for the same iteration, and cancels the subscription once")
  func cancellation() {
    let iteration = AsyncIteration(script, .prefetching(0))
    for _ in 0..<3 { follow(iteration) }

    for _ in 0..<2 { follow(iteration, isCancelled: true) }
    script.say(1)

    #expect(notes.values == ["end", "end", "end", "end", "end"])
    #expect(script.cancellations == 1)
  }

  @Test("A value before the subscription is dropped, and ends the tasks that wait for one")
  func valueBeforeSubscription() throws {
    script.handsOverAtOnce = false
    let iteration = AsyncIteration(script, .prefetching(0))
    for _ in 0..<2 { follow(iteration) }

    let session = try #require(script.session)
    session.say(1)
    let ended = notes.values
    session.handOver(session.subscription)
    follow(iteration)
    session.say(2)

    #expect(ended == ["end", "end"])
    #expect(notes.values == ["end", "end", "2"])
  }

  @Test("A second subscription is cancelled without a request, and the first one goes on")
  func secondSubscription() throws {
    let iteration = AsyncIteration(script, .prefetching(1))
    let second = SubscriptionRecorder(name: "second")

    try #require(script.session).handOver(second)
    follow(iteration)
    script.say(1)

    #expect(second.cancellations == 1)
    #expect(second.demands == [])
    #expect(script.cancellations == 0)
    #expect(notes.values == ["1"])
  }

  @Test("A subscription that arrives after the iteration was released is cancelled without a request")
  func subscriptionAfterRelease() throws {
    script.handsOverAtOnce = false
    do { _ = AsyncIteration(script, .unbounded) }

    let session = try #require(script.session)
    session.handOver(session.subscription)

    #expect(script.cancellations == 1)
    #expect(script.demands == [])
  }

  @Test("A task waits for a publisher that never sends until the iteration is cancelled")
  func silent() {
    let silent = Empty<Int, Problem>(completeImmediately: false)
    let iteration = AsyncIteration(silent, .prefetching(0))
    follow(iteration)
    let early = notes.values

    follow(iteration, isCancelled: true)

    #expect(early == [])
    #expect(notes.values == ["end", "end"])
  }

  @Test("A buffer of one value keeps the newest or the oldest, and releases the other at once")
  func oneValue() {
    for (buffering, kept) in [
      (.bufferingNewest(1), "second"), (.bufferingOldest(1), "first"),
    ] as [(Publishers.AsyncBuffering, String)] {
      let lifetimes = Lifetimes()
      let subject = PassthroughSubject<Probe, Never>()
      let iteration = AsyncIteration(subject, buffering)

      for name in ["first", "second"] { subject.send(lifetimes.probe(name)) }

      #expect(lifetimes.living == [kept])
      withExtendedLifetime(iteration) {}
    }
  }

  /// Notes what a task receives that begins to wait now.
  ///
  /// - Parameter isCancelled: Whether it is cancelled before, as it would run inside of its handler later.
  private func follow(_ iteration: AsyncIteration<Int, Problem>, isCancelled: Bool = false) {
    Task(executorPreference: AtOnce()) { [notes] in
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      let text =
        switch await iteration.next(isolation: nil) {
        case .value(let value): "\(value)"
        case .end(let failure?): "failure \(failure.code)"
        case .end(nil): "end"
        }
      _ = notes.receive(text)
    }
  }
}

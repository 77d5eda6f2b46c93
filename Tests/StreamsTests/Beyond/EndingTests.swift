import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Ends of what holds streams", .leavesNothing)
struct EndingTests {
  @Test(
    "A bag cancels its contents when released, and stays open after `cancelAll()`, and closed after `cancel()`"
  )
  func bag() {
    let scripts = (0..<8).map { _ in Script(Int.self, failure: Never.self) }
    let bag = CancelBag()
    func fill(_ range: Range<Int>) { for script in scripts[range] { script.sink { _ in }.store(in: bag) } }
    func cancelled() -> [Int] { scripts.map(\.cancellations) }

    fill(0..<3)
    #expect(bag.count == 3)
    bag.cancelAll()
    #expect(cancelled() == [1, 1, 1, 0, 0, 0, 0, 0])
    fill(3..<6)
    #expect(cancelled() == [1, 1, 1, 0, 0, 0, 0, 0] && bag.count == 3)
    bag.cancel()
    #expect(cancelled() == [1, 1, 1, 1, 1, 1, 0, 0] && bag.count == 0)
    fill(6..<7)
    bag.cancelAll()
    fill(7..<8)
    #expect(cancelled() == Array(repeating: 1, count: 8) && bag.count == 0)
    let last = Script(Int.self, failure: Never.self)
    do { last.sink { _ in }.store(in: CancelBag()) }
    #expect(last.cancellations == 1)
  }

  @Test("A bag gives back what it held, without a cancellation, and nothing that it did not hold")
  func removal() {
    let script = Script(Int.self, failure: Never.self)
    let bag = CancelBag()
    let (held, other) = (script.sink { _ in }, AnyCancellable {})
    bag.insert(held)

    #expect(bag.remove(other) == nil)
    #expect(bag.remove(held) === held)
    #expect(bag.count == 0 && bag.remove(held) == nil)
    #expect(script.cancellations == 0)
  }

  @Test("A `SerialCancellable` cancels what it holds when it is released, and can be emptied")
  func serial() {
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Never.self) }
    var holder: SerialCancellable? = SerialCancellable()
    holder?.replace(with: scripts[0].sink { _ in })
    holder?.replace(with: nil)
    let emptied = scripts.map(\.cancellations)
    holder?.replace(with: scripts[1].sink { _ in })
    holder = nil
    let released = scripts.map(\.cancellations)

    #expect(emptied == [1, 0, 0])
    #expect(released == [1, 1, 0])
  }

  @Test("A lifetime ends once, with `end()` or with its token, and whatever comes later ends at once")
  func lifetimes() {
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }
    var tokens: [Lifetime.Token] = [Lifetime.Token(), Lifetime.Token()]
    let lifetimes = tokens.map(\.lifetime)
    let recorders = scripts.prefix(2).enumerated().map { $1.prefix(during: lifetimes[$0]).record() }
    var (ran, told) = (0, 0)
    lifetimes[0].add(AnyCancellable { told += 1 })
    let entry = lifetimes[0].onEnd { ran += 1 }
    scripts[0].say(1)
    tokens[0].end()
    tokens[0].end()
    let first = recorders.map(\.completions)
    tokens = []
    let late = scripts[2].take(during: lifetimes[1]).record()
    let lateEntry = lifetimes[1].onEnd { ran += 10 }

    #expect(first == [[.finished], []])
    #expect(recorders.map(\.completions) == [[.finished], [.finished]])
    #expect(recorders[0].values == [1])
    #expect(late.completions == [.finished])
    #expect(scripts.prefix(2).map(\.cancellations) == [1, 1])
    #expect([ran, told] == [11, 1])
    withExtendedLifetime((entry, lateEntry)) {}
  }

  @Test("A subscription that is taken back from a lifetime, or has failed before, does not end with it")
  func takenBack() {
    let token = Lifetime.Token()
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.prefix(during: token.lifetime).record()
    var ran = 0
    let entry = token.lifetime.onEnd { ran += 1 }
    script.end(.failure(Problem(code: 1)))
    entry.cancel()
    token.end()

    #expect(recorder.completions == [.failure(Problem(code: 1))])
    #expect(ran == 0)
  }

  @Test("`Using` releases before the completion by default, and creates nothing after a cancellation")
  func using() {
    let journal = Journal()
    func publisher(_ script: Script<Int, Problem>) -> MorePublishers.Using<Int, Script<Int, Problem>> {
      MorePublishers.Using { () throws(Problem) in
        journal.note("created")
        return 1
      } publisher: { _ in
        script
      } release: { _ in
        journal.note("released")
      }
    }
    let scripts = (0..<2).map { _ in Script(Int.self, failure: Problem.self) }
    let ended = publisher(scripts[0]).record { $0.onCompletion = { _, _ in journal.note("completed") } }
    scripts[0].end()
    let cancelled = publisher(scripts[1]).record { $0.onSubscription = { $0.cancel() } }

    #expect(journal.lines == ["created", "released", "completed"])
    #expect(scripts[1].sessions.isEmpty)
    withExtendedLifetime((ended, cancelled)) {}
  }

  @Test("A property calls the closure of `modify` once, and sends what the closure sets before its result")
  func nestedChange() {
    let property = MutableProperty(1)
    let recorder = property.publisher.record()
    var calls = 0
    let result = property.modify { value -> Int in
      calls += 1
      property.value = 10
      property.modify { $0 += 1 }
      value += property.value
      return calls
    }

    #expect(property.value == 12)
    #expect(recorder.values == [1, 10, 11, 12])
    #expect([calls, result] == [1, 1])
    #expect(property.swap(5) == 12 && property.value == 5)
  }

  @Test("The conjunction and the disjunction of two properties have the values of `&&` and `||`")
  func booleans() {
    for left in [true, false] {
      for right in [true, false] {
        let (one, other) = (MutableProperty(left), MutableProperty(right))
        #expect(one.and(other).value == (left && right))
        #expect(one.or(other).value == (left || right))
        #expect(one.and(other).publisher.record().values == [left && right])
        #expect(one.or(other).publisher.record().values == [left || right])
      }
    }
  }

  @Test("A replayed value is kept up to its maximum age, and one that is older is left out")
  func age() {
    let scheduler = VirtualScheduler.virtual
    let subject = ReplaySubject<Int, Never>(bufferSize: 3, maxAge: .seconds(5), scheduler: scheduler)
    for value in 1...4 {
      subject.send(value)
      scheduler.advance(by: .seconds(1))
    }
    // They are three, two and one seconds old now.
    scheduler.advance(by: .seconds(2))
    let all = subject.record().values
    scheduler.advance(by: .nanoseconds(1))
    let younger = subject.record().values
    scheduler.advance(by: .seconds(2))

    #expect([all, younger, subject.record().values] == [[2, 3, 4], [3, 4], []])
  }

  @Test("The subscribers of a `ReplaySubject` are independent, and only its first completion counts")
  func readers() {
    let subject = ReplaySubject<Int, Problem>(bufferSize: 2)
    let recorders = (0..<3).map { _ in subject.record(demand: .max(1)) }
    subject.send(1)
    recorders[1].cancel()
    subject.send(2)
    subject.send(3)
    subject.send(completion: .finished)
    subject.send(completion: .failure(Problem(code: 1)))
    subject.send(4)
    let before = recorders.map(\.completions.count)
    recorders[0].request(.unlimited)
    let late = subject.record(demand: .max(1))
    let unended = late.completions.count
    late.request(.max(1))

    #expect(before == [0, 0, 0] && unended == 0)
    #expect(recorders.map(\.values) == [[1, 2, 3], [1], [1]])
    #expect(recorders.map(\.completions) == [[.finished], [], []])
    #expect(late.events == [.subscription, .value(2), .value(3), .completion(.finished)])
  }

  @Test("A `ReplaySubject` without a bound keeps everything, and cancels its upstream when it is released")
  func released() {
    let upstream = SubscriptionRecorder()
    var subject: ReplaySubject<Int, Never>? = ReplaySubject()
    subject?.send(subscription: upstream)
    for value in 1...300 { subject?.send(value) }
    let kept = subject?.record().values.count
    let before = upstream.cancellations
    subject = nil

    #expect(kept == 300)
    #expect(upstream.demands == [.unlimited])
    #expect([before, upstream.cancellations] == [0, 1])
  }

  @Test("A subject cancels each upstream as often as it was given, in the order of arrival")
  func repeatedly() {
    var order: [Int] = []
    let upstreams = [SubscriptionRecorder(), SubscriptionRecorder()]
    for (number, upstream) in upstreams.enumerated() { upstream.onCancel = { order.append(number) } }
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    for number in [1, 0, 1] { subject?.send(subscription: upstreams[number]) }
    subject = nil

    #expect(upstreams.map(\.cancellations) == [1, 2])
    #expect(order.first == 1)
  }

  @Test("Values are repeated as often as said, and unfolded again by each iteration")
  func generated() async {
    #expect(Publishers.repeating(7, count: 0).record().events == [.subscription, .completion(.finished)])
    #expect(Publishers.repeating(7, count: 1).record().values == [7])
    #expect(Publishers.repeating(7, count: -1).record().values.isEmpty)

    let awaited = Publishers.unfold(0) { (number: inout Int) async -> Int? in
      number += 1
      return number < 3 ? number : nil
    }
    for _ in 0..<2 {
      var iterator = awaited.elements.makeAsyncIterator()
      #expect(await iterator.next() == 1)
      #expect(await iterator.next(isolation: nil) == 2)
      #expect(await iterator.next() == nil)
    }
  }

  @Test("`AsyncCall` calls its closure once, when a value is requested, and cancels the task with the stream")
  func asyncCall() async {
    let (calls, (ends, end)) = (Guarded(0), AsyncStream.makeStream(of: Void.self))
    let call = MorePublishers.AsyncCall<Int, Problem> {
      calls.withLock { $0 += 1 }
      while !Task.isCancelled { await Task.yield() }
      end.yield()
      return 1
    }.record(demand: .none)
    for _ in 0..<100 { await Task.yield() }
    let before = calls.withLock { $0 }
    call.request(.max(1))
    call.request(.max(1))
    while calls.withLock({ $0 }) == 0 { await Task.yield() }
    call.cancel()
    for await _ in ends { break }
    let failing = MorePublishers.AsyncCall<Int, Problem> { () throws(Problem) in throw Problem(code: 2) }
      .record()

    #expect(before == 0)
    #expect(calls.withLock { $0 } == 1)
    #expect(call.events == [.subscription])
    #expect(await failing.ended() == .failure(Problem(code: 2)))
  }

  @Test("A sleep on a scheduler throws in a task that is cancelled, before or meanwhile, and leaves no job")
  func sleeping() async {
    let scheduler = VirtualScheduler.virtual
    let task = Task { try await scheduler.sleep(for: .seconds(5)) }
    while scheduler.pending == 0 { await Task.yield() }
    task.cancel()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let late = Task {
      for await _ in ends {}
      try await scheduler.sleep(until: VirtualTime(.seconds(5)))
    }
    late.cancel()
    end.finish()

    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(scheduler.pending == 0)
  }

  @Test("A tick of a timer that nobody waits for is kept, and the ones before it are not")
  func ticks() async {
    let scheduler = VirtualScheduler.virtual
    let timer = scheduler.timer(interval: .seconds(1))
    await scheduler.advance(by: .seconds(3))
    var iterator = timer.makeAsyncIterator()
    let first = await iterator.next()
    await scheduler.advance(by: .seconds(1))

    #expect(first?.elapsed == .seconds(3))
    #expect(await iterator.next()?.elapsed == .seconds(4))
  }
}

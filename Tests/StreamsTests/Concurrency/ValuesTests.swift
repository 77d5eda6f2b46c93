import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

private enum Broken: Error { case once }

@Suite("`values`", .leavesNothing)
struct ValuesTests {
  @Test("`values` iterates over every value, then ends")
  func all() async {
    var seen: [Int] = []

    for await value in (1...5).publisher.values { seen.append(value) }

    #expect(seen == [1, 2, 3, 4, 5])
  }

  @Test("`values` throws a failure once, after the values, and a typed one on request")
  func failure() async {
    let publisher = [1, 2].publisher.setFailureType(to: Broken.self).append(Fail(error: .once))
    #expect(await taken(of: publisher.values) == ["1", "2", "once", "nil"])
    var iterator = publisher.values(throwing: Broken.self).makeAsyncIterator()
    var seen: [Int] = []
    var failures: [Broken] = []

    for _ in 0..<5 {
      do throws(Broken) {
        if let value = try await iterator.next() { seen.append(value) }
      } catch {
        failures.append(error)
      }
    }

    #expect(seen == [1, 2])
    #expect(failures == [.once])
  }

  @Test("`values(throwing:)` throws nothing if the publisher never fails")
  func typedNever() async {
    var seen: [Int] = []

    for await value in (1...3).publisher.values(throwing: Never.self) { seen.append(value) }

    #expect(seen == [1, 2, 3])
  }

  @Test("`values` works with rethrowing helpers, `try?`, `do` blocks and other sequences")
  func rethrowing() async {
    let script = Script(Int.self, failure: Broken.self)
    script.onRequest = { session, _ in session.say(3) }
    var (throwing, safe) = (script.values.makeAsyncIterator(), Just(5).values.makeAsyncIterator())

    let pulled = try? await throwing.pull()
    let found = try? await script.values(buffering: .unbounded).map { $0 * 10 }.first { $0 > 20 }

    #expect(pulled == 3)
    #expect(found == 30)
    #expect(await safe.pull() == 5)
    do {
      #expect(try await script.values.prefix(2).reduce(0) { $0 + $1 } == 6)
      #expect(try await throwing.pull() == 3)
    } catch {
      Issue.record(error)
    }
  }

  @Test("`values` requests one value for each awaited element")
  func demand() async {
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, _ in session.say(7) }
    var iterator = script.values.makeAsyncIterator()

    #expect(script.demands.isEmpty)
    #expect(await iterator.next() == 7)
    #expect(await iterator.next() == 7)
    #expect(script.demands == [.max(1), .max(1)])
  }

  @Test("`values` cancels upstream when its iterator is released")
  func dropped() async {
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, _ in session.say(1) }
    do {
      var iterator = script.values.makeAsyncIterator()
      _ = await iterator.next()
    }

    #expect(script.cancellations == 1)
  }

  @Test("`values` ends when its task is cancelled")
  func cancelled() async {
    let requests = Atomic(0)
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, _ in
      if requests.wrappingAdd(1, ordering: .relaxed).newValue == 1 { session.say(7) } else { cancelTask() }
    }
    func cancelTask() { withUnsafeCurrentTask { $0?.cancel() } }

    let task = Task {
      var seen: [Int] = []
      for await value in script.values { seen.append(value) }
      return seen
    }

    #expect(await task.value == [7])
    #expect(script.cancellations == 1)
  }

  @Test("`values` ends on one of the values that a subject sent concurrently")
  func threads() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    var iterator = subject.values.makeAsyncIterator()
    let first = await iterator.next()

    let sender = Task.detached {
      for value in 1...1000 { subject.send(value) }
      subject.send(completion: .finished)
    }
    var rest: [Int] = []
    while let value = await iterator.next() { rest.append(value) }
    await sender.value

    #expect(first == 0)
    #expect(rest.allSatisfy { 1...1000 ~= $0 })
    #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 < $1 })
    #expect(await iterator.next() == nil)
  }

  @Test("`values` ends when the publisher is deallocated without a completion")
  func abandoned() async {
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    var values = subject!.values.makeAsyncIterator()
    var unkept = Future<Int, Never> { _ in }.values.makeAsyncIterator()

    subject = nil

    #expect(await values.next() == nil)
    #expect(await unkept.next() == nil)
  }

  @Test("`values` waits for a silent publisher until its task is cancelled")
  func never() async {
    let task = Task {
      let values = Empty<Int, Never>(completeImmediately: false)
        .handleEvents(receiveSubscription: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        .values
      for await _ in values {}
      return Task.isCancelled
    }

    #expect(await task.value)
  }

  @Test("`values` delivers a different value to each of two concurrent waiters")
  func twoWaiters() async {
    let script = Script(Int.self, failure: Never.self)
    let requestCount = Atomic(0)  // the two may ask at the same time: one of them is second
    script.onRequest = { [unowned script] _, _ in
      let isSecond = requestCount.wrappingAdd(1, ordering: .relaxed).newValue == 2
      if isSecond { elsewhere { [unowned script] in script.say(1, 2) } }
    }
    let values = Shared(script.values.makeAsyncIterator())

    async let one = next(values)
    async let two = next(values)
    let both = await [one, two]

    #expect(Set(both) == [1, 2])
  }

  /// What an iteration brings until there is nothing more, and once again.
  private func taken<Values: AsyncSequence>(of values: Values) async -> [String] {
    var iterator = values.makeAsyncIterator()
    var log: [String] = []
    while log.last != "nil" {
      do {
        log.append(try await iterator.next().map { "\($0)" } ?? "nil")
      } catch {
        log.append("\(error)")
      }
    }
    return log
  }

  private func next(_ values: Shared<AsyncPublisher<Script<Int, Never>>.Iterator>) async -> Int? {
    var iterator = values.value
    return await iterator.next()
  }
}

extension AsyncIteratorProtocol {
  /// As it is written for iterators that throw and such that do not.
  fileprivate mutating func pull() async rethrows -> Element? { try await next() }
}

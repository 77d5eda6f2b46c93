import Streams
import StreamsTesting
import Synchronization
import Testing

private enum Broken: Error { case once }

@Suite("values")
struct ValuesTests {
  @Test("brings every value, then the end")
  func all() async {
    var seen: [Int] = []

    for await value in (1...5).publisher.values { seen.append(value) }

    #expect(seen == [1, 2, 3, 4, 5])
  }

  @Test("throws a failure once, typed, after the values before it")
  func failure() async {
    let publisher = [1, 2].publisher.setFailureType(to: Broken.self).append(Fail(error: .once))
    var iterator = publisher.values.makeAsyncIterator()
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

  @Test("asks for one value each time one is awaited")
  func demand() async {
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, _ in session.say(7) }
    var iterator = script.values.makeAsyncIterator()

    #expect(script.demands.isEmpty)
    #expect(await iterator.next() == 7)
    #expect(await iterator.next() == 7)
    #expect(script.demands == [.max(1), .max(1)])
  }

  @Test("cancels when the iterator goes")
  func dropped() async {
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, _ in session.say(1) }
    do {
      var iterator = script.values.makeAsyncIterator()
      _ = await iterator.next()
    }

    #expect(script.cancellations == 1)
  }

  @Test("ends when the task is cancelled, waiting or not")
  func cancelled() async {
    let subject = PassthroughSubject<Int, Never>()
    let task = Task {
      var count = 0
      for await _ in subject.values { count += 1 }
      return count
    }

    task.cancel()

    #expect(await task.value == 0)
  }

  @Test("takes values of four threads, each once, within what it asks for")
  func threads() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    let task = Task {
      var last = 0
      for await value in subject.values { last = value }
      return last
    }

    for value in 1...1000 { subject.send(value) }
    subject.send(completion: .finished)

    #expect(0...1000 ~= (await task.value))
  }

  @Test("ends when the publisher lets go of it without a word")
  func abandoned() async {
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    var values = subject!.values.makeAsyncIterator()
    var unkept = Future<Int, Never> { _ in }.values.makeAsyncIterator()

    subject = nil

    #expect(await values.next() == nil)
    #expect(await unkept.next() == nil)
  }

  @Test("waits for a publisher that never sends, until the task is cancelled")
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

  @Test("gives each of two who wait at the same time a value of their own")
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

  private func next(_ values: Shared<AsyncPublisher<Script<Int, Never>>.Iterator>) async -> Int? {
    var iterator = values.value
    return await iterator.next()
  }
}

import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Creating publishers", .leavesNothing)
struct CreatingTests {
  @Test("`create` buffers values without demand, completes after them, and cleans up once")
  func keeps() {
    var cleanups = 0
    let publisher = AnyPublisher<Int, Problem>.create { subscriber in
      for value in 1...3 { subscriber.send(value) }
      subscriber.send(completion: .failure(Problem(code: 1)))
      subscriber.send(4)
      return AnyCancellable { cleanups += 1 }
    }
    let recorder = publisher.record(demand: .max(2))
    let before = (recorder.events, cleanups)

    recorder.request(.max(1))

    #expect(before.0 == [.subscription, .value(1), .value(2)])
    #expect(before.1 == 0)
    #expect(recorder.events.suffix(2) == [.value(3), .completion(.failure(Problem(code: 1)))])
    #expect(cleanups == 1)
  }

  // In a process of its own, since the code of the documentation prints.
  @Test("`create` runs its closure for each subscriber, and cleans up at completion and cancellation")
  func example() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let answers = AnyPublisher<Int, Never>.create { subscriber in
        subscriber.send(41)
        subscriber.send(42)
        subscriber.send(completion: .finished)
        return AnyCancellable { print("ended or cancelled") }
      }
      precondition(
        answers.record().events == [.subscription, .value(41), .value(42), .completion(.finished)])
      let one = answers.record(demand: .max(1))
      precondition(one.events == [.subscription, .value(41)])
      one.cancel()
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.split(separator: "\n").filter { $0.contains("ended or cancelled") }.count == 2)
  }

  @Test("`create` cleans up once when it is cancelled, and ignores later values")
  func cancels() {
    var cleanups = 0
    var sender: MorePublishers.Create<Int, Never>.Subscriber?
    let recorder = AnyPublisher<Int, Never> { subscriber in
      sender = subscriber
      return AnyCancellable { cleanups += 1 }
    }.record()

    sender?.send(1)
    recorder.cancel()
    sender?.send(2)
    recorder.cancel()

    #expect(recorder.values == [1])
    #expect(cleanups == 1)
    sender = nil
  }

  @Test("`create` drops values or fails when its buffer is full, as configured")
  func full() {
    func values(_ size: Int, _ whenFull: Publishers.BufferingStrategy<Problem>) -> Recorder<Int, Problem> {
      let recorder = MorePublishers.Create<Int, Problem>(bufferSize: size, whenFull: whenFull) { subscriber in
        for value in 1...4 { subscriber.send(value) }
        return AnyCancellable {}
      }.record(demand: .none)
      recorder.request(.unlimited)
      return recorder
    }

    #expect(values(2, .dropOldest).values == [3, 4])
    #expect(values(1, .dropOldest).values == [4])
    #expect(values(0, .dropOldest).values == [])
    #expect(values(2, .dropNewest).values == [1, 2])
    #expect(values(0, .dropNewest).values == [])
    #expect(
      values(2, .customError { Problem(code: 7) }).events
        == [.subscription, .value(1), .value(2), .completion(.failure(Problem(code: 7)))])
  }

  @Test("`create` keeps as many values as its buffer holds of those sent during a delivery")
  func fullDuringDelivery() {
    let sender = Guarded(MorePublishers.Create<Int, Never>.Subscriber?.none)
    let recorder = MorePublishers.Create<Int, Never>(bufferSize: 1, whenFull: .dropNewest) { subscriber in
      sender.withLock { $0 = subscriber }
      subscriber.send(1)
      return AnyCancellable {}
    }.record(demand: .none) {
      $0.onValue = { _, value in
        if value == 1 { for next in 2...3 { sender.withLock { $0 }?.send(next) } }
      }
    }

    recorder.request(.unlimited)
    sender.withLock { $0 = nil }

    #expect(recorder.values == [1, 2])
  }

  @Test("`create` keeps as many values as its buffer holds while another thread delivers, as configured")
  func floods() {
    func events(
      _ size: Int, _ whenFull: Publishers.BufferingStrategy<Problem>, completes: Bool = false
    ) -> [Recorder<Int, Problem>.Event] {
      let sender = Guarded(MorePublishers.Create<Int, Problem>.Subscriber?.none)
      let recorder = MorePublishers.Create<Int, Problem>(bufferSize: size, whenFull: whenFull) { subscriber in
        sender.withLock { $0 = subscriber }
        return AnyCancellable {}
      }.record {
        $0.onValue = { _, value in
          guard value == 0 else { return }
          elsewhere {
            let sender = sender.withLock { $0 }
            for value in 1...2000 { sender?.send(value) }
            if completes { sender?.send(completion: .finished) }
          }
        }
      }
      sender.withLock { $0 }?.send(0)
      sender.withLock { $0 = nil }
      waitForDeliveries()
      return Array(recorder.events.dropFirst(2))
    }

    #expect(events(2, .dropOldest) == [.value(1999), .value(2000)])
    #expect(events(0, .dropOldest) == [.value(2000)])
    #expect(events(2, .dropNewest, completes: true) == [.value(1), .value(2), .completion(.finished)])
    #expect(
      events(2, .customError { Problem(code: 7) }, completes: true)
        == [.value(1), .value(2), .completion(.failure(Problem(code: 7)))])
  }

  @Test("`create` keeps its full buffer when a value is sent after the completion")
  func fullAndOver() {
    let recorder = MorePublishers.Create<Int, Never>(bufferSize: 2, whenFull: .dropOldest) { subscriber in
      for value in 1...2 { subscriber.send(value) }
      subscriber.send(completion: .finished)
      subscriber.send(3)
      return AnyCancellable {}
    }.record(demand: .none)

    recorder.request(.unlimited)

    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`create` delivers all values that several threads send")
  func threads() async {
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    let publisher = AnyPublisher<Int, Never>.create { subscriber in
      let task = Task.detached {
        await withTaskGroup(of: Void.self) { group in
          for thread in 0..<4 {
            group.addTask { for value in 0..<250 { subscriber.send(thread * 1000 + value) } }
          }
        }
        subscriber.send(completion: .finished)
      }
      return AnyCancellable { task.cancel() }
    }

    publisher.subscribe(recorder)
    _ = await recorder.ended()

    #expect(Set(recorder.values).count == 1000)
  }

  @Test("`fromCallback` publishes each value that the callback receives")
  func callback() {
    var call: (@Sendable (Int) -> Void)?
    let recorder = AnyPublisher<Int, Never>.fromCallback { callback in
      call = callback
      return AnyCancellable {}
    }.record()

    call?(1)
    call?(2)

    #expect(recorder.values == [1, 2])
    recorder.cancel()
    call = nil
  }

  @Test("`unfold` starts anew for each subscription, and `repeating` and `range` generate their values")
  func generated() async {
    let powers = Publishers.unfold(1) { (number: inout Int) -> Int? in
      defer { number *= 2 }
      return number < 20 ? number : nil
    }
    let awaited = Publishers.unfold(0) { (number: inout Int) async -> Int? in
      number += 1
      return number < 4 ? number : nil
    }

    let expected = [
      (powers.record(), [1, 2, 4, 8, 16]), (powers.record(), [1, 2, 4, 8, 16]),
      (Publishers.repeating(7, count: 2).record(), [7, 7]),
      (Publishers.repeating(7).prefix(3).record(), [7, 7, 7]),
      (Publishers.range(1..<4).record(), [1, 2, 3]),
    ]

    for (recorder, values) in expected {
      #expect(recorder.values == values)
      #expect(recorder.completions == [.finished])
    }
    for _ in 0..<2 { #expect(await awaited.values.reduce(into: []) { $0.append($1) } == [1, 2, 3]) }
  }
}

@Suite("Asynchronous closures", .leavesNothing)
struct AsyncMapTests {
  @Test(
    "Serial, queued and ordered `asyncMap` keep the order of the values",
    arguments: [AsyncMapping.serial, .queue, .ordered(3)])
  func ordered(_ mapping: AsyncMapping) async {
    let values = (1...20).publisher.asyncMap(mapping) { value in
      await Task.yield()
      return value * 2
    }.values(buffering: .unbounded)

    #expect(await values.reduce(into: []) { $0.append($1) } == (1...20).map { $0 * 2 })
  }

  @Test("Concurrent `asyncMap` sends all results, in any order")
  func concurrent() async {
    let values = (1...20).publisher.asyncMap(.concurrent(4)) { $0 }.values(buffering: .unbounded)

    #expect(Set(await values.reduce(into: []) { $0.append($1) }) == Set(1...20))
  }

  @Test("`asyncMap(.latest)` sends only the last result, and `asyncMap(.first)` ignores values during a call")
  func latestAndFirst() async {
    let (subject, gate) = (PassthroughSubject<Int, Never>(), Turnpike())
    let latest = subject.asyncMap(.latest) { value in
      await gate.wait()
      return value
    }.record()
    let first = subject.asyncMap(.first) { value in
      await gate.wait()
      return value
    }.record()

    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    await gate.open()
    _ = await latest.ended()
    _ = await first.ended()

    #expect(latest.values == [3])
    #expect(first.values == [1])
  }

  @Test("An error thrown by an asynchronous closure ends the stream")
  func throwing() async {
    let typed = [1, 2].publisher.setFailureType(to: Problem.self).asyncMap { value async throws(Problem) in
      if value == 2 { throw Problem(code: 2) }
      return value
    }.record()
    let any = [1].publisher.tryAsyncMap { _ -> Int in throw Problem(code: 1) }.record()

    #expect(await typed.ended() == .failure(Problem(code: 2)))
    #expect(await any.ended()?.isFailure == true)
    #expect(typed.values == [1])
  }

  @Test("`asyncCompactMap` drops nil, `asyncFlatMap` flattens publishers, and `AsyncCall` sends its result")
  func others() async {
    let compact = (1...4).publisher.asyncCompactMap { $0 % 2 == 0 ? $0 : nil }.record()
    let flat = [1, 2].publisher.asyncFlatMap { value in [value, value * 10].publisher }.record()
    let call = MorePublishers.AsyncCall<Int, Never> { 5 }.record(demand: .none)

    call.request(.max(1))

    #expect(await compact.ended() == .finished)
    #expect(await flat.ended() == .finished)
    #expect(await call.ended() == .finished)
    #expect(compact.values == [2, 4])
    #expect(flat.values == [1, 10, 2, 20])
    #expect(call.values == [5])
  }

  @Test("`asyncSink` consumes values one after another")
  func sinks() async {
    let (seen, note) = AsyncStream.makeStream(of: Int.self)

    let sink = (1...5).publisher.asyncSink { completion in
      if !completion.isFailure { note.finish() }
    } receiveValue: { value in
      note.yield(value)
    }

    #expect(await seen.reduce(into: []) { $0.append($1) } == [1, 2, 3, 4, 5])
    withExtendedLifetime(sink) {}
  }

  @Test("`AsyncStream` and `AsyncThrowingStream` iterate over the values of a publisher")
  func streams() async throws {
    let failing = Record<Int, Problem>(output: [1], completion: .failure(Problem(code: 1)))
    var values: [Int] = []

    #expect(await AsyncStream([1, 2].publisher).reduce(into: []) { $0.append($1) } == [1, 2])
    await #expect(throws: Problem(code: 1)) {
      for try await value in AsyncThrowingStream(failing) { values.append(value) }
    }
    #expect(values == [1])
  }
}

/// Opens once, for all.
private actor Turnpike {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  func open() {
    isOpen = true
    for one in waiting { one.resume() }
    waiting = []
  }
}

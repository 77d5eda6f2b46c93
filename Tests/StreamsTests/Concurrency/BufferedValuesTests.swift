import Streams
import StreamsExtras
import StreamsTesting
import Testing

private enum Broken: Error { case once }

@Suite("`values(buffering:)`", .leavesNothing)
struct BufferedValuesTests {
  @Test(
    "`values(buffering:)` keeps values that are not awaited yet, up to its limit",
    arguments: [
      (.unbounded, [1, 2, 3, 4]),
      (.bufferingNewest(2), [3, 4]),
      (.bufferingNewest(0), []),
      (.bufferingOldest(2), [1, 2]),
      (.bufferingOldest(0), []),
    ] as [(Publishers.AsyncBuffering, [Int])])
  func keeps(buffering: Publishers.AsyncBuffering, kept: [Int]) async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: buffering).makeAsyncIterator()
    var seen: [Int] = []

    for value in 1...4 { subject.send(value) }
    subject.send(completion: .finished)
    while let value = await iterator.next() { seen.append(value) }

    #expect(seen == kept)
  }

  @Test(
    "`values(buffering:)` requests unlimited demand, or its prefetch and one for each awaited value",
    arguments: [
      (.unbounded, [.unlimited]),
      (.bufferingNewest(2), [.unlimited]),
      (.bufferingOldest(2), [.unlimited]),
      (.prefetching(2), [.max(2), .max(1), .max(1)]),
      (.prefetching(0), [.max(1), .max(1)]),
    ] as [(Publishers.AsyncBuffering, [Subscribers.Demand])])
  func demand(buffering: Publishers.AsyncBuffering, demands: [Subscribers.Demand]) async {
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, demand in
      for value in 0..<(demand.max ?? 9) { session.say(value) }
    }
    var iterator = script.values(buffering: buffering).makeAsyncIterator()

    _ = await iterator.next()
    _ = await iterator.next()

    #expect(script.demands == demands)
  }

  @Test("`values(buffering:)` drops values beyond the demand of its prefetch")
  func overDelivery() async {
    let script = Script(Int.self, failure: Never.self)
    var iterator = script.values(buffering: .prefetching(2)).makeAsyncIterator()

    script.say(1, 2, 3)
    script.end()

    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == nil)
  }

  @Test("`values(buffering:)` throws a typed failure once, after the buffered values")
  func failure() async {
    let subject = PassthroughSubject<Int, Broken>()
    var iterator = subject.values(throwing: Broken.self, buffering: .unbounded).makeAsyncIterator()
    var log: [String] = []

    subject.send(1)
    subject.send(completion: .failure(.once))
    for _ in 0..<3 {
      do throws(Broken) {
        log.append(try await iterator.next().map { "\($0)" } ?? "nil")
      } catch {
        log.append("\(error)")
      }
    }

    #expect(log == ["1", "once", "nil"])
  }

  @Test("`values(buffering:)` ends at once when the task is cancelled, despite buffered values")
  func cancelled() async {
    let script = Script(Int.self, failure: Never.self)
    let values = Shared(script.values(buffering: .unbounded).makeAsyncIterator())
    script.say(1, 2)

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = values.value
      return await iterator.next()
    }

    #expect(await task.value == nil)
    #expect(script.cancellations == 1)
  }

  @Test("`values(buffering:)` releases its buffered values with the iterator")
  func dropped() {
    let leaked = Lifetimes.leaks { lifetimes in
      let subject = lifetimes.track(PassthroughSubject<Probe, Never>(), as: "subject")
      let iterator = subject.values(buffering: .bufferingNewest(1)).makeAsyncIterator()
      subject.send(lifetimes.probe("dropped for a newer one"))
      subject.send(lifetimes.probe("kept"))
      #expect(lifetimes.living == ["subject", "kept"])
      withExtendedLifetime(iterator) {}
    }

    #expect(leaked.isEmpty)
  }

  @Test("`values(buffering:)` delivers values that are not `Sendable` within one actor")
  @MainActor
  func notSendable() async {
    final class Picture { var size = 1 }
    let subject = PassthroughSubject<Picture, Never>()
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()

    subject.send(Picture())
    let picture = await iterator.next(isolation: #isolation)
    picture?.size = 2

    #expect(picture?.size == 2)
  }

  @Test("`values(buffering:)` delivers every value of four threads once")
  func threads() async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    let send: (Int) -> @Sendable () -> Void = { sender in
      { for value in 0..<250 { subject.send(sender * 250 + value) } }
    }
    var seen: Set<Int> = []

    race(send(0), send(1), send(2), send(3))
    subject.send(completion: .finished)
    while let value = await iterator.next() { seen.insert(value) }

    #expect(seen == Set(0..<1000))
  }

  @Test("`values(buffering:)` traps on a negative buffer size")
  func negative() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).values(buffering: .bufferingOldest(-1))
    }
    await #expect(processExitsWith: .failure) {
      _ = Fail(outputType: Int.self, failure: Problem(code: 1)).values(buffering: .bufferingNewest(-1))
    }
    await #expect(processExitsWith: .failure) {
      _ = Fail(outputType: Int.self, failure: Problem(code: 1))
        .values(throwing: Problem.self, buffering: .prefetching(-1))
    }
  }
}

import Observation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// The code of `Docs/concurrency.md`.
@Suite("Concurrency guide", .leavesNothing)
struct ConcurrencyGuideTests {
  @MainActor
  final class Library {
    var titles: [String] = []
    var latest = ""
    private var subscriptions: Set<AnyCancellable> = []

    func follow(_ added: PassthroughSubject<String, Never>) {
      added.sink { [weak self] title in self?.titles.append(title) }.store(in: &subscriptions)
      added.assign(to: \.latest, on: self).store(in: &subscriptions)
    }
  }

  actor Counter {
    private(set) var sum = 0

    func add(_ number: Int) { sum += number }
  }

  struct Store: Sendable {
    let changes: AnySendablePublisher<Int, Never>
    let names: any Publisher<String, Never> & Sendable
  }

  @Observable @MainActor
  final class Frame {
    var width = 2
    var height = 3
  }

  @Test("The concurrency guide's closures on an actor receive values sent from another thread")
  func actors() async {
    let added = PassthroughSubject<String, Never>()
    let numbers = PassthroughSubject<Int, Never>()
    let (library, counter) = (Library(), Counter())
    let (seen, fence) = (Recorder<Int, Never>(), numbers.receive(on: MainActor.self).record())
    await library.follow(added)

    let onActor = numbers.sink(on: counter) { counter, number in
      counter.add(number)
      _ = seen.receive(number)
    }
    elsewhere {
      added.send("Dandelions")
      numbers.send(7)
    }
    _ = await seen.received(1)
    _ = await fence.received(1)
    // Each of the two is on a way of its own to the main actor.
    while await library.latest.isEmpty { await Task.yield() }
    while await library.titles.isEmpty { await Task.yield() }

    #expect(await counter.sum == 7)
    #expect(await library.titles == ["Dandelions"])
    onActor.cancel()
    added.send(completion: .finished)
  }

  @Test("The concurrency guide's `sinkOnMain` delivers synchronously, and its `receive(on:)` later")
  @MainActor
  func mainActor() async {
    let numbers = PassthroughSubject<Int, Never>()
    var total = 0

    let sink =
      numbers
      .map { $0 * 2 }
      .receive(on: MainActor.self)
      .sink { total += $0 }
    let direct = numbers.sinkOnMain { total += $0 }
    let fence = numbers.receive(on: MainActor.self).record()
    numbers.send(1)
    let atOnce = total
    _ = await fence.received(1)

    #expect(atOnce == 1)
    #expect(total == 3)
    sink.cancel()
    direct.cancel()
  }

  @Test("The concurrency guide's loops over `values` receive all awaited or buffered values")
  func values() async throws {
    let subject = PassthroughSubject<Int, any Error>()
    let kept = subject.values(buffering: .bufferingNewest(2)).makeAsyncIterator()
    for number in 1...5 { subject.send(number) }
    subject.send(completion: .finished)
    var sum = 0

    var newest = kept
    while let number = try await newest.next() { sum += number }
    for await number in (1...3).publisher.values { sum += number }

    #expect(sum == 15)
  }

  @Test("The concurrency guide's bridges return a task's result and a sequence's elements")
  func bridges() async throws {
    func load() async throws -> Int { 5 }
    let (ticks, clock) = AsyncStream.makeStream(of: Int.self)

    let loaded = Future { try await load() }
    let doubled = ticks.publisher.map { $0 * 2 }
    let recorder = doubled.record()
    clock.yield(4)
    clock.finish()

    #expect(try await loaded.value == 5)
    #expect(await recorder.ended() == .finished)
    #expect(recorder.values == [8])
  }

  @Test("The concurrency guide's loops over failing publishers find a value, and throw a typed failure")
  func failing() async {
    let readings = Publishers.Sequence<[Int], Problem>(sequence: [12, 25, 37]).append(
      Fail(error: Problem(code: 7)))
    var (sum, codes) = (0, [Int]())

    let warm = try? await readings.values.map { $0 / 10 }.first { $0 > 2 }
    do throws(Problem) {
      for try await reading in readings.values(throwing: Problem.self) { sum += reading }
    } catch {
      codes.append(error.code)
    }

    #expect(warm == 3)
    #expect(sum == 74)
    #expect(codes == [7])
  }

  @Test("The concurrency guide's `Sendable` publishers work in a detached task")
  func sendable() async {
    let subject = CurrentValueSubject<Int, Never>(3)
    let store = Store(changes: subject.eraseToAnySendablePublisher(), names: Just("Ada"))

    let seen = await Task.detached { store.changes.map { $0 + 1 }.record().values }.value

    #expect(seen == [4])
    #expect(store.names.record().values == ["Ada"])
  }

  @Test("The concurrency guide's short calls of `sink(isolation:)` and `retry` compile and work")
  func shortCalls() async {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    let cancellable = subject.sink(isolation: .trust) { received.append($0) }
    subject.send(1)
    cancellable.cancel()

    let attempts = Script(Int.self, failure: Problem.self)
    let retried = attempts.retry(.constant(retries: 0, .zero)).record()
    attempts.end(.failure(Problem(code: 1)))
    _ = await retried.ended()

    #expect(received == [1])
    #expect(retried.completions == [.failure(Problem(code: 1))])
  }

  #if compiler(>=6.2)
    @Test("The concurrency guide's `observing` sends once for simultaneous changes, and `willSet` for each")
    @MainActor
    func observation() async {
      let frame = Frame()
      let areas = Publishers.observing { frame.width * frame.height }
      let changes = Publishers.observing(willSet: { (frame.width, frame.height) })
      let (area, change) = (areas.record(), changes.record())

      _ = await area.received(1)
      frame.width = 4
      frame.height = 5
      _ = await area.received(2)

      #expect(area.values == [6, 20])
      #expect(change.values.count == 2)
      area.cancel()
    }
  #endif
}

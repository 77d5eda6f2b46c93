import Streams
import StreamsExtras
import StreamsTesting
import Testing

private enum Trace {
  @TaskLocal static var id = "none"
}

/// What a closure saw: a value, and the context in which it was called.
private struct Sight: Equatable {
  let value: Int
  let trace: String
  let priority: TaskPriority
}

private typealias See = @Sendable (Int) -> Void

/// A way to hand values on in tasks, or to an actor.
private struct Passage: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Subscribes a closure, which must see both values.
  let follow: @Sendable (PassthroughSubject<Int, Never>, @escaping See) -> AnyCancellable

  init(
    _ name: String,
    _ follow: @escaping @Sendable (PassthroughSubject<Int, Never>, @escaping See) -> AnyCancellable
  ) {
    testDescription = name
    self.follow = follow
  }

  static let deliveries: [Passage] = [
    Passage("sink in an actor") { $0.sink(receiveValue: $1, isolation: Guesthouse()) },
    Passage("sink(on:)") { subject, see in subject.sink(on: Guesthouse()) { _, value in see(value) } },
    Passage("receive(on:)") { $0.receive(on: scheduler).sink(receiveValue: $1, isolation: nil) },
    Passage("receive(on:) of an erased scheduler") {
      $0.receive(on: scheduler.eraseToAnyScheduler()).sink(receiveValue: $1, isolation: nil)
    },
    Passage("delay") { $0.delay(for: 1, scheduler: scheduler).sink(receiveValue: $1, isolation: nil) },
  ]

  /// Those that call a closure of the user in a task for each value.
  static let calls: [Passage] = [
    Passage("asyncMap, queue") { subject, see in
      subject.asyncMap(.queue) { see($0) }.sink(receiveValue: {}, isolation: nil)
    },
    Passage("asyncMap, latest") { subject, see in
      subject.asyncMap(.latest) { see($0) }.sink(receiveValue: {}, isolation: nil)
    },
    Passage("asyncMap, concurrent") { subject, see in
      subject.asyncMap(.concurrent(2)) { see($0) }.sink(receiveValue: {}, isolation: nil)
    },
    Passage("asyncMap, ordered") { subject, see in
      subject.asyncMap(.ordered(2)) { see($0) }.sink(receiveValue: {}, isolation: nil)
    },
    Passage("tryAsyncMap, queue") { subject, see in
      subject.tryAsyncMap(.queue) { see($0) }.replaceError(with: ()).sink(receiveValue: {}, isolation: nil)
    },
    Passage("asyncCompactMap, queue") { subject, see in
      subject.asyncCompactMap(.queue) { value -> Int? in
        see(value)
        return nil
      }
      .sink(receiveValue: { _ in }, isolation: nil)
    },
    Passage("asyncFlatMap, queue") { subject, see in
      subject.asyncFlatMap(.queue) { value in
        see(value)
        return Just(value)
      }
      .sink(receiveValue: { _ in }, isolation: nil)
    },
  ]

  /// Those that begin when they are requested, with the priority of the request.
  static let requests: [Passage] = [
    Passage("a sequence for each") { subject, see in
      subject.concatMap { [$0].async.publisher }.sink(receiveValue: see, isolation: nil)
    },
    Passage("asyncMap, serial, after a buffer") { subject, see in
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).asyncMap { see($0) }
        .sink(receiveValue: {}, isolation: nil)
    },
    Passage("AsyncCall, one after another") { subject, see in
      subject.concatMap { value in MorePublishers.AsyncCall { see(value) } }
        .sink(receiveValue: {}, isolation: nil)
    },
    Passage("Future, one after another") { subject, see in
      subject.concatMap { value in Future(operation: { see(value) }) }.sink(receiveValue: {}, isolation: nil)
    },
    Passage("results of asyncMap") { subject, see in
      subject.asyncMap(.queue) { $0 }.sink(receiveValue: see, isolation: nil)
    },
    Passage("results of AsyncCall") { subject, see in
      subject.concatMap { value in MorePublishers.AsyncCall { value } }.sink(
        receiveValue: see, isolation: nil)
    },
    Passage("results of Future") { subject, see in
      subject.concatMap { value in Future(operation: { value }) }.sink(receiveValue: see, isolation: nil)
    },
  ]

  private static var scheduler: ClockScheduler<JumpingClock> { ClockScheduler(clock: JumpingClock()) }
}

@Suite("Context of other senders", .leavesNothing)
struct ContextTests {
  @Test(
    "A value that waits for a task has its own sender's task-local values or none, whoever started the task",
    arguments: Passage.deliveries + Passage.calls + Passage.requests)
  fileprivate func taskLocals(hop: Passage) {
    let sights = sights(of: hop) { subject in
      Trace.$id.withValue("1") { subject.send(1) }
      Trace.$id.withValue("2") { subject.send(2) }
    }

    #expect(sights.map(\.value).contains(2))
    #expect(sights.allSatisfy { [String($0.value), "none"].contains($0.trace) }, "\(sights)")
  }

  @Test("A call of `asyncMap` that begins when its value arrives has the sender's task-local values")
  func own() {
    let hop = Passage("") { subject, see in
      subject.asyncMap(.concurrent(2)) { see($0) }.sink(receiveValue: {}, isolation: nil)
    }

    let sights = sights(of: hop) { subject in
      Trace.$id.withValue("1") { subject.send(1) }
      Trace.$id.withValue("2") { subject.send(2) }
    }

    #expect(sights.map(\.trace) == ["1", "2"])
  }

  @Test(
    "A value is delivered with its sender's priority, and an urgent one raises what delivers it",
    arguments: Passage.deliveries + Passage.calls)
  fileprivate func priorities(hop: Passage) {
    let calm = sights(of: hop) { subject in at(.background) { subject.send(1) } }
    let both = sights(of: hop) { subject in
      at(.background) { subject.send(1) }
      at(.userInitiated) { subject.send(2) }
    }

    #expect(calm.map(\.priority) == [.background])
    #expect(both.last { $0.value == 2 }?.priority == .userInitiated)
  }

  @Test("The task of a future has its maker's task-local values and priority")
  func future() {
    let seen = Guarded<[Sight]>([])

    Turns.whileRunning {
      at(.utility) {
        Trace.$id.withValue("maker") { _ = Future(operation: { seen.note(1) }) }
      }
    }

    #expect(seen.withLock { $0 } == [Sight(value: 1, trace: "maker", priority: .utility)])
  }

  @Test("An urgent value goes before other work of its actor, and calm ones after it wait their turn")
  func order() {
    let (home, log) = (Guesthouse(), Guarded<[Int]>([]))
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.sink(receiveValue: { value in log.withLock { $0.append(value) } }, isolation: home)

    Turns.whileRunning {
      at(.background) { subject.send(1) }
      Task(executorPreference: DetachedTask.executor, priority: .medium) {
        await home.perform { log.withLock { $0.append(0) } }
        at(.background) { subject.send(3) }
        Task(executorPreference: DetachedTask.executor, priority: .utility) {
          await home.perform { log.withLock { $0.append(-1) } }
        }
      }
      at(.userInitiated) { subject.send(2) }
    }

    #expect(log.withLock { $0 } == [1, 2, 0, -1, 3])
    sink.cancel()
  }

  private func sights(of hop: Passage, sending: (PassthroughSubject<Int, Never>) -> Void) -> [Sight] {
    let seen = Guarded<[Sight]>([])
    let subject = PassthroughSubject<Int, Never>()
    Turns.whileRunning {
      let subscription = Trace.$id.withValue("subscriber") { hop.follow(subject) { seen.note($0) } }
      sending(subject)
      Turns.current?.run()
      subscription.cancel()
    }
    return seen.withLock { $0 }
  }
}

extension Guarded<[Sight]> {
  fileprivate func note(_ value: Int) {
    let sight = Sight(value: value, trace: Trace.id, priority: Task.currentPriority)
    withLock { $0.append(sight) }
  }
}

private actor Guesthouse {
  func perform(_ body: @Sendable () -> Void) { body() }
}

/// Runs `body` here, as a task of this priority would.
private func at(_ priority: TaskPriority, _ body: @escaping @Sendable () -> Void) {
  Task(executorPreference: AtOnce(), priority: priority) { body() }
}

/// Keeps jobs until they are run, the most urgent first.
private final class Turns: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func run() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { jobs in
      guard let highest = jobs.map(\.priority.rawValue).max() else { return nil }
      return jobs.firstIndex { $0.priority.rawValue == highest }.map { jobs.remove(at: $0) }
    }
  }

  static var current: Turns? { DetachedTask.executor as? Turns }

  static func whileRunning(_ body: () -> Void) {
    let turns = Turns()
    DetachedTask.$executor.withValue(turns, operation: body)
    turns.run()
  }
}

/// A clock whose time is always that to which somebody sleeps.
private final class JumpingClock: Clock {
  private let time = Guarded(ContinuousClock.now)

  var now: ContinuousClock.Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance _: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}

extension Array where Element: Sendable {
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}

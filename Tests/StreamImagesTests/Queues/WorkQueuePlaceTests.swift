import Dispatch
import StreamImages
import StreamsTesting
import Testing

@Suite("`WorkQueue`: places", .timeLimit(.minutes(20)))
struct WorkQueuePlaceTests {
  /// Takes places by name, and notes who has received one.
  private final class Line: Sendable {
    let queue: WorkQueue
    let journal = Journal()
    private let places = Shared<[String: WorkQueue.Place]>([:])
    private let runs = Shared<[String: StepRun]>([:])

    init(_ queue: WorkQueue) { self.queue = queue }

    @discardableResult
    func enter(_ name: String, _ priority: DynamicPriority = DynamicPriority(.normal), weight: Int? = nil)
      -> StepRun
    {
      let run = StepRun()
      runs.change { $0[name] = run }
      let step = weight.map { queue.place(priority, weight: $0) } ?? queue.place(priority)
      step.begin(run) { [journal, places] outcome in
        guard case .success(let place) = outcome else { return unexpected(outcome) }
        journal.note(name)
        places.change { $0[name] = place }
      }
      return run
    }

    func leave(_ name: String) { places.value[name]?.leave() }

    /// Releases a place, outside the lock: the next one may be delivered at once.
    func release(_ name: String) {
      var gone: WorkQueue.Place?
      places.change { gone = $0.removeValue(forKey: name) }
      withExtendedLifetime(gone) {}
    }

    func releaseRuns() {
      var gone: [String: StepRun] = [:]
      runs.change { swap(&$0, &gone) }
    }
  }

  @Test("A place is delivered at once if there is one, and is free once it is left or released")
  func leaving() {
    let line = Line(WorkQueue("test", width: 1))
    for name in ["a", "b", "c", "d"] { line.enter(name) }
    #expect(line.journal.lines == ["a"] && line.queue.counts == (3, 1))

    line.leave("a")
    #expect(line.journal.lines == ["a", "b"])
    // A second time, there is nothing to leave.
    line.leave("a")
    #expect(line.queue.counts == (2, 1))
    line.release("a")
    line.release("b")
    #expect(line.journal.lines == ["a", "b", "c"])
    line.release("c")
    line.release("d")
    #expect(line.journal.lines == ["a", "b", "c", "d"] && line.queue.counts == (0, 0))
  }

  @Test("Places are delivered by priority, which may change, and its observers are gone afterwards")
  func priorities() {
    let line = Line(WorkQueue("test", width: 1))
    let priorities = (0..<3).map { _ in DynamicPriority(.low) }
    line.enter("first", priorities[0])
    for (name, priority) in zip(["a", "b", "c"], priorities) { line.enter(name, priority) }
    #expect(line.queue.waitingPriorities == [.low, .low, .low])

    priorities[1].set(.high)
    #expect(line.queue.waitingPriorities.sorted() == [.low, .low, .high])
    let cancelled = line.enter("d", priorities[2])
    cancelled.cancel()
    #expect(priorities.map(\.counts.observers) == [1, 1, 1])
    for name in ["first", "b", "a", "c"] { line.leave(name) }

    #expect(line.journal.lines == ["first", "b", "a", "c"])
  }

  @Test("No observer of a priority is left once work has ended, was cancelled, or its place was released")
  func observers() async throws {
    let (queue, priority) = (WorkQueue("test", width: 1), DynamicPriority(.normal))
    let line = Line(queue)
    line.enter("first")
    line.enter("second", priority)
    let waiting = Task { try? await queue.run(priority) { _ in } }
    let cancelled = Task { try? await queue.hold(priority) { () throws(ImagePipeline.Error) in } }
    await until { queue.counts.waiting == 3 }
    #expect(priority.counts == (0, 3))

    cancelled.cancel()
    await cancelled.value
    line.leave("first")
    line.leave("second")
    await waiting.value
    line.releaseRuns()

    #expect(priority.counts == (0, 0) && queue.counts == (0, 0))
  }

  @Test("Work without a weight runs together whatever the capacity")
  func noWeight() async throws {
    let queue = WorkQueue("test", width: 6, capacity: 0)
    let line = Line(queue)
    let (entered, end) = (Latch(4), DispatchSemaphore(value: 0))
    for name in ["a", "b"] { line.enter(name) }
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<2 {
      tasks.append(
        Task {
          try? await queue.hold(DynamicPriority(.normal)) { () throws(ImagePipeline.Error) in
            entered.open()
            await entered.wait()
          }
        })
      tasks.append(
        Task {
          try? await queue.run(DynamicPriority(.normal)) { _ throws(ImagePipeline.Error) in
            entered.open()
            end.wait()
          }
        })
    }

    await entered.wait()
    for _ in 0..<2 { end.signal() }
    for task in tasks { await task.value }
    for name in ["a", "b"] { line.leave(name) }

    #expect(line.journal.lines == ["a", "b"] && queue.counts == (0, 0))
  }

  @Test("Waiting work begins if it fits exactly, and a lighter one once the heavier is cancelled")
  func weights() {
    let line = Line(WorkQueue("test", width: 4, capacity: 10))
    line.enter("whole", weight: 10)
    for (name, weight) in [("4", 4), ("6", 6), ("1", 1)] { line.enter(name, weight: weight) }
    line.leave("whole")
    #expect(line.journal.lines == ["whole", "4", "6"] && line.queue.counts == (1, 2))
    line.leave("6")
    #expect(line.journal.lines == ["whole", "4", "6", "1"])

    let heavy = line.enter("heavy", weight: 11)
    line.enter("5", weight: 5)
    #expect(line.queue.counts == (2, 2))
    heavy.cancel()
    #expect(line.journal.lines.last == "5" && line.queue.counts == (0, 3))
    line.enter("heavy again", weight: 11)
    for name in ["4", "1", "5"] { line.leave(name) }
    #expect(line.journal.lines.last == "heavy again" && line.queue.counts == (0, 1))
  }

  @Test("A queue of no width runs one at a time, and a narrowed one no more than its width")
  func widths() {
    for width in [-1, 0, 1] {
      let line = Line(WorkQueue("test", width: width))
      for name in ["a", "b"] { line.enter(name) }
      #expect(line.queue.width == 1 && line.queue.counts == (1, 1))
    }
    let line = Line(WorkQueue("test", width: 3))
    line.queue.width = 2
    for name in ["a", "b", "c"] { line.enter(name) }
    #expect(line.queue.counts == (1, 2))
  }

  @Test("Each computation of a queue that was widened several times has a thread of its own")
  func lanes() async {
    let queue = WorkQueue("test", width: 1)
    for width in [1, 2, 2, 4, 4] {
      queue.width = width
      let (entered, end) = (Latch(width), DispatchSemaphore(value: 0))
      let tasks = (0..<width).map { _ in
        Task {
          try? await queue.run(DynamicPriority(.normal)) { _ in
            entered.open()
            end.wait()
          }
        }
      }
      await entered.wait()
      for _ in 0..<width { end.signal() }
      for task in tasks { await task.value }
    }
    #expect(queue.counts == (0, 0))
  }

  @Test("No place is lost when threads enter and leave at the same moment")
  func threads() async {
    let queue = WorkQueue("test", width: 1)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
          let isOver = DispatchSemaphore(value: 0)
          for _ in 0..<10_000 {
            let run = StepRun()
            queue.place(DynamicPriority(.normal)).begin(run) { outcome in
              if case .success(let place) = outcome { place.leave() }
              isOver.signal()
            }
            isOver.wait()
          }
        }
        continuation.resume()
      }
    }
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<5_000 {
            try? await queue.hold(DynamicPriority(.normal)) { () throws(ImagePipeline.Error) in }
          }
        }
      }
    }
    #expect(queue.counts == (0, 0))
  }
}

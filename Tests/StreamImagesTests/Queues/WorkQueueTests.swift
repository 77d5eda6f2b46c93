import Dispatch
import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`WorkQueue`", .timeLimit(.minutes(20)))
struct WorkQueueTests {
  /// A queue of width 1 whose only place is taken until the latch is opened.
  private final class Blocked: Sendable {
    let queue: WorkQueue
    let journal = Journal()
    private let latch = Latch()
    private let holder: Task<Void, Never>

    init(width: Int = 1) async {
      let (queue, latch) = (WorkQueue("test", width: width), latch)
      self.queue = queue
      let entered = Latch()
      holder = Task {
        try? await queue.hold(DynamicPriority(.normal)) { () throws(ImagePipeline.Error) in
          entered.open()
          await latch.wait()
        }
      }
      await entered.wait()
    }

    /// Work that writes its name down; returns once it stands in the line.
    func add(_ name: String, _ priority: DynamicPriority) async -> Task<ImagePipeline.Error?, Never> {
      let before = queue.counts.waiting
      let task = Task { [queue, journal] in
        await imageFailure { () throws(ImagePipeline.Error) in
          try await queue.run(priority) { _ throws(ImagePipeline.Error) in journal.note(name) }
        }
      }
      while queue.counts.waiting == before { await Task.yield() }
      return task
    }

    func release() async {
      latch.open()
      await holder.value
    }
  }

  @Test("A work queue runs by priority, and in order of arrival within a priority")
  func order() async {
    let blocked = await Blocked()
    var tasks: [Task<ImagePipeline.Error?, Never>] = []
    for (name, priority) in [
      ("low 1", .low), ("normal 1", .normal), ("high 1", .high), ("low 2", .low), ("high 2", .high),
      ("normal 2", .normal),
    ] as [(String, ImageRequest.Priority)] {
      tasks.append(await blocked.add(name, DynamicPriority(priority)))
    }

    await blocked.release()
    for task in tasks { _ = await task.value }

    #expect(blocked.journal.lines == ["high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2"])
  }

  @Test("A suspended work queue begins nothing, and continues by priority when resumed")
  func suspended() async throws {
    let blocked = await Blocked()
    blocked.queue.isSuspended = true
    let tasks = [
      await blocked.add("low", DynamicPriority(.low)), await blocked.add("gone", DynamicPriority(.high)),
    ]
    await blocked.release()
    let last = await blocked.add("high", DynamicPriority(.high))
    tasks[1].cancel()
    guard case .cancelled = await tasks[1].value else { return unexpected("ran") }
    #expect(blocked.queue.counts == (2, 0))
    #expect(blocked.journal.lines.isEmpty)

    blocked.queue.isSuspended = false
    for task in [tasks[0], last] { _ = await task.value }

    #expect(blocked.journal.lines == ["high", "low"])
    #expect(blocked.queue.counts == (0, 0))
  }

  @Test("A widened work queue begins more work at once, and a narrowed one shrinks gradually")
  func width() async throws {
    let queue = WorkQueue("test", width: 1)
    let (latches, running) = ((0..<8).map { _ in Latch() }, Shared(0))
    let most = Shared(0)
    let tasks = latches.map { latch in
      Task {
        try? await queue.hold(DynamicPriority(.normal)) { () throws(ImagePipeline.Error) in
          running.change { $0 += 1 }
          most.change { $0 = max($0, running.value) }
          await latch.wait()
          running.change { $0 -= 1 }
        }
      }
    }
    await until { queue.counts == (7, 1) }

    queue.width = 4
    await until { running.value == 4 }
    #expect(queue.counts == (4, 4))
    queue.width = 0
    #expect(queue.width == 1)
    most.change { $0 = 0 }
    for latch in latches { latch.open() }
    for task in tasks { await task.value }

    #expect(most.value == 1)
    #expect(queue.counts == (0, 0))
    let names = Set(
      await withTaskGroup(of: Int?.self) { group in
        queue.width = 3
        for number in 0..<20 {
          group.addTask { try? await queue.run(DynamicPriority(.normal)) { _ in number } }
        }
        return await group.reduce(into: []) { $0.append($1) }
      })
    #expect(names == Set(0..<20))
  }

  @Test("Raised work follows work of its new priority, and lowered work precedes it")
  func moving() async {
    let blocked = await Blocked()
    let (raised, lowered) = (DynamicPriority(.low), DynamicPriority(.high))
    let tasks = [
      await blocked.add("raised", raised), await blocked.add("normal", DynamicPriority(.normal)),
      await blocked.add("lowered", lowered),
    ]

    raised.set(.normal)
    lowered.set(.normal)
    await blocked.release()
    for task in tasks { _ = await task.value }

    #expect(blocked.journal.lines == ["lowered", "normal", "raised"])
  }

  @Test("Setting the same priority does not move waiting work")
  func staying() async {
    let blocked = await Blocked()
    let same = DynamicPriority(.normal)
    let tasks = [await blocked.add("first", DynamicPriority(.normal)), await blocked.add("same", same)]

    same.set(.normal)
    await blocked.release()
    for task in tasks { _ = await task.value }

    #expect(blocked.journal.lines == ["first", "same"])
  }

  @Test("Work that is cancelled while it waits never begins")
  func cancelledWaiting() async {
    let blocked = await Blocked()
    let cancelled = await blocked.add("cancelled", DynamicPriority(.high))
    let other = await blocked.add("other", DynamicPriority(.low))

    cancelled.cancel()
    guard case .cancelled = await cancelled.value else { return unexpected("ran") }
    #expect(blocked.queue.counts == (1, 1))
    await blocked.release()
    _ = await other.value

    #expect(blocked.journal.lines == ["other"])
    #expect(blocked.queue.counts == (0, 0))
  }

  @Test("Work in a task that is already cancelled never begins")
  func cancelledBefore() async {
    let queue = WorkQueue("test", width: 1)
    let journal = Journal()

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await imageFailure { () throws(ImagePipeline.Error) in
        try await queue.run(DynamicPriority(.normal)) { _ throws(ImagePipeline.Error) in journal.note("ran") }
      }
    }

    guard case .cancelled = await task.value else { return unexpected("ran") }
    #expect(journal.lines.isEmpty)
    #expect(queue.counts == (0, 0))
  }

  @Test("Work in a task that is already cancelled does not wait")
  func cancelledBeforeWaiting() async {
    let blocked = await Blocked()

    let task = Task { [queue = blocked.queue] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await imageFailure { () throws(ImagePipeline.Error) in
        try await queue.run(DynamicPriority(.normal)) { _ in }
      }
    }

    guard case .cancelled = await task.value else { return unexpected("ran") }
    #expect(blocked.queue.counts == (0, 1))
    await blocked.release()
  }

  @Test("Running work is notified of its cancellation")
  func cancelledRunning() async {
    let queue = WorkQueue("test", width: 1)
    let started = Latch()

    let task = Task {
      await imageFailure { () throws(ImagePipeline.Error) in
        try await queue.run(DynamicPriority(.normal)) { isCancelled throws(ImagePipeline.Error) in
          started.open()
          while !isCancelled() { sched_yield() }
          throw .cancelled
        }
      }
    }
    await started.wait()
    task.cancel()

    guard case .cancelled = await task.value else { return unexpected("went on") }
    #expect(queue.counts == (0, 0))
  }

  @Test("At most as many work items run at once as the width allows", arguments: [1, 3])
  func width(_ width: Int) async throws {
    let queue = WorkQueue("test", width: width)
    let state = Shared((now: 0, most: 0))

    try await withThrowingTaskGroup { group in
      for _ in 0..<40 {
        group.addTask {
          try await queue.run(DynamicPriority(.normal)) { _ throws(ImagePipeline.Error) in
            state.change { state in
              state.now += 1
              state.most = max(state.most, state.now)
            }
            for _ in 0..<20 { sched_yield() }
            state.change { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(state.value.most <= width)
    #expect(queue.counts == (0, 0))
  }

  @Test("Running work stays within the capacity, and heavier work runs alone")
  func capacity() async throws {
    let queue = WorkQueue("test", width: 4, capacity: 100)
    let state = Shared((now: 0, most: 0, alone: true))

    try await withThrowingTaskGroup { group in
      for index in 0..<40 {
        let weight = index % 10 == 0 ? 500 : 40
        group.addTask {
          try await queue.run(DynamicPriority(.normal), weight: weight) { _ throws(ImagePipeline.Error) in
            state.change { state in
              state.now += weight
              state.most = max(state.most, weight == 500 ? 0 : state.now)
              if weight == 500, state.now != 500 { state.alone = false }
            }
            for _ in 0..<20 { sched_yield() }
            state.change { $0.now -= weight }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(state.value.most <= 100)
    #expect(state.value.alone)
  }

  @Test("Work that weighs exactly the capacity runs together, and no more")
  func exactCapacity() async {
    let queue = WorkQueue("test", width: 3, capacity: 10)
    let end = Latch()
    var tasks: [Task<Void, Never>] = []
    for (weight, counts) in [(4, (0, 1)), (6, (0, 2)), (1, (1, 2))] {
      tasks.append(
        Task {
          try? await queue.hold(DynamicPriority(.normal), weight: weight) { () throws(ImagePipeline.Error) in
            await end.wait()
          }
        })
      await until { queue.counts.waiting + queue.counts.running == tasks.count }
      #expect(queue.counts == counts)
    }

    end.open()
    for task in tasks { await task.value }

    #expect(queue.counts == (0, 0))
  }

  @Test("Lighter work begins as soon as heavier work ahead of it is cancelled")
  func givingUpAhead() async {
    let queue = WorkQueue("test", width: 2, capacity: 100)
    let end = Latch()
    func hold(_ weight: Int) -> Task<ImagePipeline.Error?, Never> {
      Task {
        await imageFailure { () throws(ImagePipeline.Error) in
          try await queue.hold(DynamicPriority(.normal), weight: weight) { () throws(ImagePipeline.Error) in
            await end.wait()
          }
        }
      }
    }
    let first = hold(40)
    await until { queue.counts == (0, 1) }
    let heavy = hold(80)
    await until { queue.counts == (1, 1) }
    let light = hold(40)
    await until { queue.counts == (2, 1) }

    heavy.cancel()
    guard case .cancelled = await heavy.value else { return unexpected("ran") }
    #expect(queue.counts == (0, 2))
    end.open()

    for task in [first, light] { #expect(await task.value == nil) }
    #expect(queue.counts == (0, 0))
  }

  @Test("Failed work leaves its place to the next")
  func failure() async throws {
    let queue = WorkQueue("test", width: 1)

    let error = await imageFailure { () throws(ImagePipeline.Error) in
      try await queue.run(DynamicPriority(.normal)) { _ throws(ImagePipeline.Error) in throw .dataIsEmpty }
    }
    guard case .dataIsEmpty = error else { return unexpected(error) }

    #expect(try await queue.run(DynamicPriority(.normal)) { _ in 1 } == 1)
  }

  @Test("Blocked work does not prevent other tasks from running")
  func threads() async {
    let queue = WorkQueue("test", width: 16)
    let end = DispatchSemaphore(value: 0)
    let started = Latch(16)

    let busy = (0..<16).map { _ in
      Task {
        try? await queue.run(DynamicPriority(.normal)) { _ throws(ImagePipeline.Error) in
          started.open()
          end.wait()
        }
      }
    }
    await started.wait()
    let others = await withTaskGroup(of: Int.self) { group in
      for index in 0..<50 { group.addTask { index } }
      return await group.reduce(0, +)
    }
    for _ in 0..<16 { end.signal() }
    for task in busy { await task.value }

    #expect(others == 1_225)
  }
}

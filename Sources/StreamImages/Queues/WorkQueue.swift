internal import Dispatch
internal import Streams

/// Limits how much work runs at a time. Work starts in the order of a ``PriorityQueue``.
///
/// Computations run on the queue's own threads, never on the shared threads of Swift's tasks. Work whose task is
/// cancelled while it waits is never started.
package final class WorkQueue: Sendable {
  private let state: Guarded<WorkQueueState>
  private let label: String
  /// Serial queues: a concurrent queue would take its threads from the pool that tasks run on.
  private let lanes = Guarded<[DispatchQueue]>([])

  /// - Parameters:
  ///   - width: How much work runs at a time; at least 1.
  ///   - capacity: The largest total weight of running work. Heavier work runs alone.
  package init(_ label: String, width: Int, capacity: Int = .max) {
    self.label = label
    state = Guarded(WorkQueueState(width: max(1, width), capacity: max(0, capacity)))
  }

  /// How much work runs at a time; at least 1. Work that is running continues when this is lowered.
  package var width: Int {
    get { state.withLock { $0.width } }
    set { change { $0.width = max(1, newValue) } }
  }

  /// Whether no work is started. Running work continues.
  package var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set { change { $0.isSuspended = newValue } }
  }

  private func change(_ body: (inout WorkQueueState) -> Void) {
    let started = state.withLock { state in
      body(&state)
      return state.start()
    }
    started.forEach { $0.resume() }
  }

  private func lane(_ number: Int) -> DispatchQueue {
    lanes.withLock { lanes in
      while lanes.count <= number {
        lanes.append(DispatchQueue(label: "StreamImages.\(label).\(lanes.count)"))
      }
      return lanes[number]
    }
  }

  /// How much work is waiting and how much is running.
  package var counts: (waiting: Int, running: Int) { state.withLock { ($0.waiting.count, $0.running) } }

  /// The priorities of the waiting work, in no particular order.
  package var waitingPriorities: [ImageRequest.Priority] {
    state.withLock { $0.waiting.priorities }.compactMap { ImageRequest.Priority(rawValue: $0) }
  }

  /// Runs a computation on a thread of this queue.
  ///
  /// - Parameter work: Receives a closure that returns whether the task was cancelled.
  package func run<Value: Sendable>(
    _ priority: DynamicPriority, weight: Int = 0,
    _ work:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    let slot = try await enter(priority, weight)
    defer { leave(slot) }
    let flag = CancellationFlag()
    let lane = lane(slot.lane)
    let result = await withTaskCancellationHandler {
      await lane.perform { () -> Result<Value, ImagePipeline.Error> in
        if flag.isSet { return .failure(.cancelled) }
        return Result { () throws(ImagePipeline.Error) in try work { flag.isSet } }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }

  /// Runs `work` with a place in this queue. Use it for work that waits for something else.
  package func hold<Value>(
    _ priority: DynamicPriority, weight: Int = 0, _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    let slot = try await enter(priority, weight)
    defer { leave(slot) }
    return try await work()
  }

  /// Delivers a place in this queue once there is one. No task waits for it, so many can wait in little memory.
  package func place(_ priority: DynamicPriority, weight: Int = 0) -> FlowStep<Place> {
    FlowStep { [self] run, receive in
      run.hold {
        if let slot = state.withLock({ $0.startImmediately(weight: weight) }) {
          receive(.success(Place(slot, in: self)))
          return nil
        }
        let id = WaitingTaskID.next()
        let waiting = Waiting(id, in: self, follow(priority, id))
        let task = WaitingTask<WorkQueueState.Slot?, Int>(info: weight) { [self] slot in
          if let slot { receive(.success(Place(slot, in: self))) }
        }
        state.withLock { $0.waiting.append(task, id: id, priority: priority.current.rawValue) }
        change { _ in }
        return waiting
      }
    }
  }

  /// Work that waits for a place, or has received it.
  private final class Waiting: Cancellable, Sendable {
    private let id: UInt64
    private let queue: WorkQueue
    private let watch: DynamicPriority.Observation

    init(_ id: UInt64, in queue: WorkQueue, _ watch: DynamicPriority.Observation) {
      (self.id, self.queue, self.watch) = (id, queue, watch)
    }

    deinit { watch.cancel() }

    func cancel() {
      watch.cancel()
      let gone = queue.state.withLock { $0.waiting.remove(id) }
      // The next task may be light enough to start.
      if gone != nil { queue.change { _ in } }
    }
  }

  // MARK: Places

  /// A place in a queue, until it is left or released.
  package final class Place: Sendable {
    private let slot: Guarded<WorkQueueState.Slot?>
    private let queue: WorkQueue

    fileprivate init(_ slot: WorkQueueState.Slot, in queue: WorkQueue) {
      self.slot = Guarded(slot)
      self.queue = queue
    }

    deinit { leave() }

    package func leave() {
      if let slot = slot.withLock({ $0.take() }) { queue.leave(slot) }
    }
  }

  private func enter(_ priority: DynamicPriority, _ weight: Int) async throws(ImagePipeline.Error)
    -> WorkQueueState.Slot
  {
    if let slot = state.withLock({ $0.startImmediately(weight: weight) }) { return slot }
    let id = WaitingTaskID.next()
    let watch = follow(priority, id)
    defer { watch.cancel() }
    let slot = await state.wait(
      in: { $1(&$0.waiting) }, id: id, info: weight, priority: { priority.current.rawValue },
      ifCancelled: .some(nil),
      enqueued: { change { _ in } })
    guard let slot else {
      // The next task may be light enough to start.
      change { _ in }
      throw .cancelled
    }
    return slot
  }

  /// Moves a waiting task whenever its priority changes.
  private func follow(_ priority: DynamicPriority, _ id: UInt64) -> DynamicPriority.Observation {
    // `priority` calls this itself, so it exists then.
    priority.observe { [self, unowned priority] in
      // Read under the lock, so that the value written last is the latest.
      state.withLock { $0.waiting.move(id, to: priority.current.rawValue) }
    }
  }

  private func leave(_ slot: WorkQueueState.Slot) {
    change { $0.release(slot) }
  }
}

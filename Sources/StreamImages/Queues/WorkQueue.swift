package import Dispatch
internal import Streams
internal import Synchronization

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

  /// The queues of computations that have ended.
  package var idleLanes: [DispatchQueue] { state.withLock { $0.freeLanes }.map { lane($0) } }

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
    let place = try await enter(priority, weight)
    defer { place.leave() }
    let flag = CancellationFlag()
    let lane = lane(place.lane ?? 0)
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
    let place = try await enter(priority, weight)
    defer { place.leave() }
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
        let task = WaitingTask<WorkQueueState.Slot, Int>(info: weight) { [self] slot in
          receive(.success(Place(slot, in: self)))
        }
        // Read inside of the lock, as in `update`: a change before that finds no task in the queue.
        state.withLock { $0.waiting.append(task, id: id, priority: priority.current.rawValue) }
        change { _ in }
        return waiting
      }
    }
  }

  /// Counts weight that work leaves behind, until the place is left or released. It takes no lane, and waits for nothing.
  package func occupy(weight: Int) -> Place { Place(state.withLock { $0.occupy(weight) }, in: self) }

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
    fileprivate let lane: Int?
    private let slot: Guarded<WorkQueueState.Slot?>
    private let queue: WorkQueue

    fileprivate init(_ slot: WorkQueueState.Slot, in queue: WorkQueue) {
      lane = slot.lane
      self.slot = Guarded(slot)
      self.queue = queue
    }

    deinit { leave() }

    package func leave() {
      if let slot = slot.withLock({ $0.take() }) { queue.change { $0.release(slot) } }
    }
  }

  private func enter(_ priority: DynamicPriority, _ weight: Int) async throws(ImagePipeline.Error) -> Place {
    if let slot = state.withLock({ $0.startImmediately(weight: weight) }) { return Place(slot, in: self) }
    return try await value(of: place(priority, weight: weight))
  }

  /// Moves a waiting task whenever its priority changes.
  private func follow(_ priority: DynamicPriority, _ id: UInt64) -> DynamicPriority.Observation {
    // `priority` calls this itself, so it exists then.
    priority.observe { [self, unowned priority] in update(priority, id) }
  }

  /// The priority is read inside of the lock, so that an older one is never set after a newer one.
  private func update(_ priority: DynamicPriority, _ id: UInt64) {
    state.withLock { $0.waiting.move(id, to: priority.current.rawValue) }
  }
}

/// The state of a ``WorkQueue``: the tasks that wait for a place, and the places that are free.
struct WorkQueueState {
  /// A place in the queue: a lane, unless the work has ended, and the weight of the work on it.
  struct Slot: Sendable {
    let lane: Int?
    let weight: Int
  }

  /// A task whose turn has come.
  struct Start {
    let slot: Slot
    let task: WaitingTask<Slot, Int>

    func resume() { task.resume(returning: slot) }
  }

  private let capacity: Int
  private(set) var freeLanes: [Int] = []
  /// Lanes are added when they are needed, and never removed, because an idle lane costs nothing.
  private var laneCount = 0
  /// How much work may run at a time. Running work continues when it is lowered.
  var width: Int
  /// Whether no task is started.
  var isSuspended = false
  private var weight = 0
  private(set) var running = 0
  /// The waiting tasks, with their weights.
  var waiting = WaitingTasks<Slot, Int>()

  init(width: Int, capacity: Int) {
    (self.width, self.capacity) = (width, capacity)
  }

  mutating func release(_ slot: Slot) {
    weight -= slot.weight
    guard let lane = slot.lane else { return }
    freeLanes.append(lane)
    running -= 1
  }

  mutating func occupy(_ weight: Int) -> Slot {
    self.weight += weight
    return Slot(lane: nil, weight: weight)
  }

  /// Takes the tasks whose turn has come. None overtakes the first one, even if that one is too heavy for now.
  mutating func start() -> [Start] {
    var started: [Start] = []
    while hasPlace {
      let (isAlone, room) = (isAlone, capacity - weight)
      guard let task = waiting.popFirst(where: { isAlone || $0.info <= room }) else { break }
      started.append(Start(slot: take(weight: task.info), task: task))
    }
    return started
  }

  /// Takes a place without waiting, if no task waits and there is room.
  mutating func startImmediately(weight: Int) -> Slot? {
    guard waiting.isEmpty, hasPlace, isAlone || weight <= capacity - self.weight else { return nil }
    return take(weight: weight)
  }

  private var hasPlace: Bool { !isSuspended && running < width }

  /// Whether nothing runs, and nothing is left of what has run.
  private var isAlone: Bool { running == 0 && weight == 0 }

  private mutating func take(weight: Int) -> Slot {
    self.weight += weight
    running += 1
    if freeLanes.isEmpty {
      freeLanes.append(laneCount)
      laneCount += 1
    }
    return Slot(lane: freeLanes.removeLast(), weight: weight)
  }
}

extension DispatchQueue {
  /// Runs `work` on this queue without blocking the caller's thread.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: work()) }
    }
  }
}

/// Signals work on another thread that its result is not needed any more.
final class CancellationFlag: Sendable, Reflected {
  private let isCancelled = Atomic(false)

  var isSet: Bool { isCancelled.load(ordering: .relaxed) }

  func set() { isCancelled.store(true, ordering: .relaxed) }
}

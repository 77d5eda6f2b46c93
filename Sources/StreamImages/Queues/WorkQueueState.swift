internal import Streams

/// The state of a ``WorkQueue``: the tasks that wait for a place, and the places that are free.
struct WorkQueueState {
  /// A place in the queue: a lane, and the weight of the work on it.
  struct Slot: Sendable {
    let lane: Int
    let weight: Int
  }

  /// A task whose turn has come.
  struct Start {
    let slot: Slot
    let task: WaitingTask<Slot?, Int>

    func resume() { task.resume(returning: slot) }
  }

  private let capacity: Int
  private var freeLanes: [Int] = []
  /// Lanes are added when they are needed, and never removed, because an idle lane costs nothing.
  private var laneCount = 0
  /// How much work may run at a time. Running work continues when it is lowered.
  var width: Int
  /// Whether no task is started.
  var isSuspended = false
  private var weight = 0
  private(set) var running = 0
  /// The waiting tasks, with their weights. A task that is cancelled is resumed with `nil`.
  var waiting = WaitingTasks<Slot?, Int>()

  init(width: Int, capacity: Int) {
    (self.width, self.capacity) = (width, capacity)
  }

  mutating func release(_ slot: Slot) {
    freeLanes.append(slot.lane)
    weight -= slot.weight
    running -= 1
  }

  /// Takes the tasks whose turn has come. None overtakes the first one, even if that one is too heavy for now.
  mutating func start() -> [Start] {
    var started: [Start] = []
    while hasPlace {
      let (running, room) = (running, capacity - weight)
      guard let task = waiting.popFirst(where: { running == 0 || $0.info <= room }) else { break }
      started.append(Start(slot: take(weight: task.info), task: task))
    }
    return started
  }

  /// Takes a place without waiting, if no task waits and there is room.
  mutating func startImmediately(weight: Int) -> Slot? {
    guard waiting.isEmpty, hasPlace, running == 0 || weight <= capacity - self.weight else { return nil }
    return take(weight: weight)
  }

  private var hasPlace: Bool { !isSuspended && running < width }

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

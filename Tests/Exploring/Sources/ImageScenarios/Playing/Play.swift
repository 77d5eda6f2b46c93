internal import Interleavings
@testable internal import StreamImages

/// The threads and tasks of one schedule of a scenario.
package final class Play {
  private var bodies: [() -> Void] = []
  private var judge: (() -> String?)?

  /// A thread, which runs as one of the fibers.
  func thread(_ body: @escaping () -> Void) { bodies.append(body) }

  /// A task, with a fiber of its own. It can be cancelled before it begins.
  @discardableResult
  func task(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let fiber = bodies.count
    let task = Task(on: fiber, operation)
    bodies.append { TaskFibers.shared.serve(fiber) { task.isOver } }
    return task
  }

  /// Plays one schedule. What went wrong is in the explorer.
  package static func once(_ scenario: ImageScenario) {
    let explorer = Explorer.shared
    TaskFibers.shared.begin(servants: scenario.servants)
    // A counter of the whole process, which must not be made for the first time in the middle of a search.
    _ = WaitingTaskID.next()
    let play = Play()
    play.judge = scenario.make(play)
    let servants = (0..<scenario.servants).map { number in { TaskFibers.shared.serve(servant: number) } }
    explorer.run(play.bodies, servants: servants, expectedSteps: 60)
    if explorer.violation == nil, let words = play.judge!() { explorer.fail(words) }
    if explorer.violation != nil {
      // A fiber may have been left in the middle of something: letting go might find a lock that nobody gives back.
      _ = Unmanaged.passRetained(play)
      return TaskFibers.shared.abandon()
    }
    play.bodies = []
    play.judge = nil
  }
}

/// What tasks and threads do with one part of StreamImages, and how it must end.
package struct ImageScenario {
  package let name: String
  /// How many fibers there are for the tasks and queues that the sources create.
  package let servants: Int
  /// Adds threads and tasks. The result says at the end what was wrong.
  let make: (Play) -> () -> String?

  init(_ name: String, servants: Int = 0, _ make: @escaping (Play) -> () -> String?) {
    (self.name, self.servants, self.make) = (name, servants, make)
  }
}

/// What happens in a schedule, in order.
final class Log<Entry>: @unchecked Sendable {  // fibers share one thread
  private(set) var entries: [Entry] = []

  func add(_ entry: Entry) { entries.append(entry) }
}

/// Counts who is inside something, and how many there were at most.
final class Gauge: @unchecked Sendable {  // fibers share one thread
  private(set) var now = 0
  private(set) var most = 0
  private(set) var total = 0
  private let object = Explorer.shared.newObject()
  private let sample: Sample?

  /// - Parameter isExclusive: Whether those who are inside one after the other must be ordered.
  init(isExclusive: Bool = false) { sample = isExclusive ? Sample("what a place protects") : nil }

  func enter(_ weight: Int = 1) {
    sample?.write()
    now += weight
    total += 1
    most = max(most, now)
    Explorer.shared.point(object)
  }

  func leave(_ weight: Int = 1) {
    sample?.write()
    now -= weight
  }
}

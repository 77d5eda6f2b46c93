internal import CJobs
internal import Interleavings

/// Runs jobs of Swift's concurrency runtime, and work of dispatch queues, on the explorer's fibers.
///
/// Each task and each queue has a fiber, on which all its jobs run, in order. So a task behaves like a thread: it is
/// interleaved with others at each lock, atomic and continuation, and while it is suspended its fiber waits.
package final class TaskFibers: TaskExecutor, @unchecked Sendable {  // fibers share one thread
  package static let shared = TaskFibers()

  private struct Errand {
    let run: () -> Void
    /// What enqueued it happens before it.
    let past = Explorer.shared.publish()
  }

  private let explorer = Explorer.shared
  private var queues: [[Errand]] = []
  private var objects: [Int] = []
  /// The fiber of each task.
  private var fibers: [UnsafeMutableRawPointer: Int] = [:]
  /// The fiber of the task that is being created.
  private var nextFiber: Int?
  /// The servants are the last fibers.
  private var servants = 0
  private var assigned = 0
  /// The present time.
  package var nanoseconds = 0
  private var abandoned: [[[Errand]]] = []
  private static let mostFibers = 8

  private init() {
    cjobs_catch { job in TaskFibers.shared.take(job!) }
    explorer.useTasks()
  }

  /// To be called for each schedule, after ``Explorer/prepare(seed:exempting:)``. Tasks and queues that the sources
  /// create are shared out among the servants.
  package func begin(servants: Int) {
    queues = (0..<Self.mostFibers).map { _ in [] }
    objects = (0..<Self.mostFibers).map { _ in explorer.newObject() }
    fibers = [:]
    assigned = 0
    nanoseconds = 0
    self.servants = servants
    Transport.begin()
  }

  /// Leaves jobs as they are that will never run.
  package func abandon() {
    abandoned.append(queues)
    queues = []
  }

  // MARK: Tasks

  /// Creates a task whose jobs run on `fiber`, or on one of the servants.
  func create<Value>(on fiber: Int?, _ body: () -> Value) -> Value {
    nextFiber = fiber ?? assign()
    defer { nextFiber = nil }
    return body()
  }

  package var hasServants: Bool { servants > 0 }

  package func assign() -> Int {
    precondition(servants > 0, "The sources create a task or a queue, and the scenario has no servants.")
    defer { assigned += 1 }
    return Self.mostFibers - 1 - assigned % servants
  }

  private func take(_ job: UnsafeMutableRawPointer) {
    if let nextFiber {
      fibers[job] = nextFiber
      self.nextFiber = nil
    }
    guard let fiber = fibers[job] else { fatalError("A task was created behind the explorer's back.") }
    enqueue(on: fiber) { [self] in
      unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    take(unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self))
  }

  package func enqueue(on fiber: Int, _ work: @escaping () -> Void) {
    queues[fiber].append(Errand(run: work))
    explorer.touch(objects[fiber])
  }

  // MARK: Fibers

  /// The body of the servant of this number.
  package func serve(servant: Int) {
    serve(Self.mostFibers - 1 - servant) { [unowned self] in explorer.isOver }
  }

  /// The body of a fiber that runs jobs until `isOver`.
  package func serve(_ fiber: Int, until isOver: @escaping () -> Bool) {
    while true {
      explorer.wait(for: objects[fiber]) { [unowned self] in !queues[fiber].isEmpty || isOver() }
      if queues[fiber].isEmpty { return }
      let errand = queues[fiber].removeFirst()
      explorer.join(errand.past)
      errand.run()
    }
  }
}

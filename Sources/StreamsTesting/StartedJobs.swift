internal import CThreads
internal import Dispatch
internal import Streams
internal import Synchronization

/// The tasks that a test has started, and their jobs that have not ended: what the asynchronous calls of a ``TestScheduler``
/// wait for.
///
/// A task belongs here if it became ready in the test's own task, or in a job of a task that belongs here. ``JobHooks`` reports
/// each job that becomes ready, except those on the main actor.
final class StartedJobs: TaskExecutor {
  private struct State {
    var open = 0
    var ended = 0
    var waiting: [(end: Int, resumption: Resumption)] = []
  }

  /// What belongs where. A task that is gone may have left its address to another, which is then waited for in vain, until it
  /// rests.
  private struct Owners {
    var byTask: [UInt: Owner] = [:]
    /// By the thread that runs a job.
    var byThread: [UInt: StartedJobs] = [:]
  }

  private final class Owner: @unchecked Sendable {  // set once, and read under the lock
    weak var jobs: StartedJobs?
  }

  private static let owners = Guarded(Owners())
  /// Whether the main queue has not answered in time.
  private static let isMainQueueSilent = Atomic(false)
  private let state = Guarded(State())
  private let owner = Owner()
  /// The task of the test; zero if it is not known.
  private let task: Guarded<UInt>

  /// Those that become ready on the main actor, in tasks that are not known, as such tasks start there. All tests wait for
  /// them.
  private static let ofMainActor = StartedJobs(task: 0)

  /// Those of the current task, or of the first task that waits.
  static func ofCurrentTask() -> StartedJobs {
    let task = currentTask
    if let jobs = owners.withLock({ $0.byTask[task]?.jobs }) { return jobs }
    let jobs = StartedJobs(task: task)
    JobHooks.install()
    jobs.register(task)
    return jobs
  }

  private init(task: UInt) {
    self.task = Guarded(task)
    owner.jobs = self
  }

  deinit {
    // One that is being released is not to be had any more.
    Self.owners.withLock { owners in owners.byTask = owners.byTask.filter { $0.value !== owner } }
  }

  private func register(_ task: UInt) {
    guard task != 0 else { return }
    Self.owners.withLock { $0.byTask[task] = owner }
  }

  // MARK: Waiting

  /// Waits until all jobs have ended, and those that they started; for about 10,000 of them at most, and for ten
  /// seconds, because a task may never rest.
  ///
  /// - Returns: False if this is not known: another task has waited before, or the hooks are missing.
  nonisolated(nonsending) func settle() async -> Bool {
    let current = Self.currentTask
    let before = task.withLock { task in
      defer { task = current }
      return task
    }
    guard before == current, JobHooks.install() else {
      register(current)
      return false
    }
    let deadline = DispatchTime.now() + 10
    let awaited = [self, Self.ofMainActor].map { (jobs: $0, limit: $0.ended + 10_000) }
    var quietRounds = 0
    repeat {
      for (jobs, limit) in awaited { await wait(until: deadline) { jobs.resume($0, atLatest: limit) } }
      let ended = awaited.map(\.jobs.ended)
      // Not reported are jobs of the main actor, and a task that yields after it has left an actor. They are ahead in these
      // queues.
      await passMainQueue(until: min(deadline, .now() + 5))
      await wait(until: deadline) { resumption in
        DispatchQueue.global().async { resumption.resume() }
        return true
      }
      let isQuiet = awaited.allSatisfy { $0.jobs.open == 0 } && awaited.map(\.jobs.ended) == ended
      quietRounds = isQuiet ? quietRounds + 1 : 0
    } while quietRounds < 2 && awaited.allSatisfy { $0.jobs.ended < $0.limit }
      && DispatchTime.now() < deadline
    return true
  }

  /// - Parameter start: Arranges that its argument is resumed. False if there is nothing to wait for.
  nonisolated(nonsending) private func wait(until deadline: DispatchTime, _ start: (Resumption) -> Bool) async
  {
    let resumption = Resumption()
    guard start(resumption) else { return }
    DispatchQueue.global().asyncAfter(deadline: deadline) { resumption.resume() }
    await withCheckedContinuation { resumption.hold($0) }
  }

  /// Where the main thread is blocked, one call waits in vain.
  nonisolated(nonsending) private func passMainQueue(until deadline: DispatchTime) async {
    if Self.isMainQueueSilent.load(ordering: .relaxed) { return }
    let hasPassed = Guarded(false)
    await wait(until: deadline) { resumption in
      DispatchQueue.main.async {
        hasPassed.withLock { $0 = true }
        Self.isMainQueueSilent.store(false, ordering: .relaxed)
        resumption.resume()
      }
      return true
    }
    if !hasPassed.withLock({ $0 }) { Self.isMainQueueSilent.store(true, ordering: .relaxed) }
  }

  /// Resumes its argument when no job is open, or `limit` have ended. False if no job is open now.
  private func resume(_ resumption: Resumption, atLatest limit: Int) -> Bool {
    state.withLock { state in
      if state.open > 0 { state.waiting.append((limit, resumption)) }
      return state.open > 0
    }
  }

  private var open: Int { state.withLock { $0.open } }
  private var ended: Int { state.withLock { $0.ended } }

  // MARK: Jobs

  /// The owner of a job that becomes ready now on this thread; `nil` if there is none, or the test's own task continues.
  static func owner(of job: UnownedJob) -> StartedJobs? {
    // A task is its own job.
    let (this, current, thread) = (unsafeBitCast(job, to: UInt.self), currentTask, UInt(cthreads_current()))
    let owner =
      owners.withLock { owners in
        owners.byTask[this]?.jobs ?? owners.byThread[thread] ?? owners.byTask[current]?.jobs
      } ?? (cthreads_is_on_main_actor() != 0 ? ofMainActor : nil)
    guard let owner, owner.task.withLock({ $0 }) != this else { return nil }
    owner.register(this)
    return owner
  }

  /// Runs a job as Swift's own executor would. A job that yields comes back here.
  func enqueue(_ job: UnownedJob) {
    begin()
    DispatchQueue.global(qos: job.priority.quality).async {
      self.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private func begin() { state.withLock { $0.open += 1 } }

  private func run(_ job: () -> Void) {
    let thread = UInt(cthreads_current())
    let before = Self.owners.withLock { $0.byThread.updateValue(self, forKey: thread) }
    job()
    Self.owners.withLock { $0.byThread[thread] = before }
    let ready = state.withLock { state -> [Resumption] in
      state.open -= 1
      state.ended += 1
      let (open, ended) = (state.open, state.ended)
      defer { state.waiting.removeAll { open == 0 || ended >= $0.end } }
      return state.waiting.filter { open == 0 || ended >= $0.end }.map(\.resumption)
    }
    for resumption in ready { resumption.resume() }
  }

  private static var currentTask: UInt {
    withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }
}

extension JobPriority {
  fileprivate var quality: DispatchQoS.QoSClass {
    switch rawValue {
    case ..<TaskPriority.utility.rawValue: .background
    case ..<TaskPriority.medium.rawValue: .utility
    case ..<TaskPriority.high.rawValue: .default
    default: .userInitiated
    }
  }
}

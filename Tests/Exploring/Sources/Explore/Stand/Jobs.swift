import Interleavings
import Streams

/// A scheduler whose workers are fibers. Time does not pass: it jumps to the job that is due next.
final class Jobs: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private struct Job {
    let due: SchedulerTimeType
    let number: Int
    let repetition: Repetition?
    let action: () -> Void
    /// Scheduling happens before the job.
    let past = Explorer.shared.publish()
  }

  private final class Repetition {
    let interval: SchedulerTimeType.Stride
    var isCancelled = false

    init(_ interval: SchedulerTimeType.Stride) { self.interval = interval }
  }

  private let explorer = Explorer.shared
  private let object = Explorer.shared.newObject()
  private var jobs: [Job] = []
  private var count = 0
  /// How often time still moves on.
  private var jumpsLeft = 2
  private(set) var now = VirtualTime()
  /// The fibers that run jobs.
  private var workers: Set<Int> = []

  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options _: Never?, _ action: @escaping () -> Void) { add(now, nil, action) }

  func schedule(
    after date: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) {
    add(date, nil, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(interval)
    add(date, repetition, action)
    return AnyCancellable { [weak self] in self?.callOff(repetition) }
  }

  private func add(_ due: SchedulerTimeType, _ repetition: Repetition?, _ action: @escaping () -> Void) {
    explorer.checkNoLockIsHeld("scheduling")
    explorer.point(object)
    count += 1
    let job = Job(due: due, number: count, repetition: repetition, action: action)
    jobs.insert(job, at: jobs.firstIndex { $0.due > due } ?? jobs.endIndex)
  }

  private func callOff(_ repetition: Repetition) {
    explorer.checkNoLockIsHeld("calling a job off")
    explorer.point(object)
    repetition.isCancelled = true
    let gone = jobs.filter { $0.repetition === repetition }
    jobs.removeAll { $0.repetition === repetition }
    withExtendedLifetime(gone) {}
  }

  // MARK: Workers

  /// The body of a worker.
  func work() {
    while true {
      explorer.wait(for: object) { [unowned self] in hasJob || explorer.isOver }
      guard hasJob else { return }
      runFirst()
    }
  }

  /// Does what is left, without workers.
  func drain() {
    jumpsLeft = 4
    while hasJob { runFirst() }
  }

  /// What repeats itself would do so for ever.
  private var hasJob: Bool { jobs.first.map { $0.due <= now || jumpsLeft > 0 } ?? false }

  func drop() { jobs = [] }

  private func runFirst() {
    let job = jobs.removeFirst()
    explorer.join(job.past)
    if job.due > now {
      now = job.due
      jumpsLeft -= 1
    }
    if let repetition = job.repetition, !repetition.isCancelled {
      add(job.due.advanced(by: repetition.interval), repetition, job.action)
    }
    workers.insert(explorer.runner)
    job.action()
    workers.remove(explorer.runner)
  }

  /// Whether the running fiber runs a job.
  var isAtWork: Bool { workers.contains(explorer.runner) }
}

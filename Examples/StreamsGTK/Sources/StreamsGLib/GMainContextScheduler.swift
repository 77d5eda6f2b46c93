public import CGLib
public import Dispatch
public import Streams
public import StreamsFoundation
internal import Synchronization

/// A scheduler that runs actions in a GLib main loop, on the thread that runs it.
///
/// ```swift
/// let terms = signals(of: entry, named: "search-changed")
///   .debounce(for: .milliseconds(250), scheduler: GMainContextScheduler.main)
/// ```
///
/// Actions run in the order of their times; those for the same time run in the order in which they were scheduled. An
/// action never runs inside `schedule`. Nothing runs while nobody runs the loop. Any thread may schedule.
///
/// What waits keeps the scheduler alive. If the context is freed, what waits is released and never runs, and so is what is
/// scheduled later.
///
/// Times are those of a dispatch queue: nanoseconds of uptime, which is GLib's monotonic clock. GLib wakes up at whole
/// milliseconds, so an action may run a millisecond late even in an idle loop, and never early.
public final class GMainContextScheduler: Scheduler, Sendable {
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  public typealias SchedulerOptions = Never

  /// The scheduler of the default context, which `g_application_run` runs.
  public static let main = GMainContextScheduler()

  private let source: TimedSource
  private let agenda = Mutex(Agenda())

  /// Creates a scheduler on a main context.
  ///
  /// - Parameters:
  ///   - context: `nil` for the default context. The scheduler does not keep it alive.
  ///   - priority: Sources of a lower number run first. GTK handles input at 0 and draws at 120.
  public init(context: OpaquePointer? = nil, priority: Int32 = G_PRIORITY_DEFAULT) {
    source = TimedSource(priority: priority)
    source.attach(to: context, of: self)
  }

  /// The present: nanoseconds of uptime.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// One millisecond, the unit in which GLib waits.
  public var minimumTolerance: SchedulerTimeType.Stride { .milliseconds(1) }

  /// Runs `action` when the loop comes to it.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(at: nil, Job(action))
  }

  /// Runs `action` at `date`, or as soon as the loop comes to it if that is past. The tolerance is not used.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    add(at: date.dispatchTime.uptimeNanoseconds, Job(action))
  }

  /// Runs `action` at `date`, and then every `interval`.
  ///
  /// Times that pass while the loop is busy are left out. An interval that is not positive means as often as the loop
  /// turns.
  ///
  /// - Returns: What stops it, when cancelled or when dropped. Once it was cancelled on the thread of the loop, `action`
  ///   does not run again; cancelled elsewhere, a run that has begun ends. `action` is released then.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let job = Job(action, every: UInt64(max(1, interval.magnitude)))
    add(at: date.dispatchTime.uptimeNanoseconds, job)
    return AnyCancellable(job)
  }

  private func add(at time: UInt64?, _ job: Job) {
    agenda.withLock { agenda in
      guard !agenda.isOver else { return }
      // The time is read under the lock: what is scheduled later is then never earlier.
      agenda.insert(job, at: time ?? DispatchTime.now().uptimeNanoseconds)
      agenda.keeper = self
      // GLib's own lock is taken inside this one, and calls nobody. Outside, an earlier time could be overwritten.
      source.wake(at: agenda.nextTime)
    }
  }

  /// Runs what is due, and was scheduled before this began.
  ///
  /// One at a time, so that a nested main loop goes on with the next one.
  func run() {
    let present = DispatchTime.now().uptimeNanoseconds
    let end = agenda.withLock { $0.nextNumber }
    while let due = agenda.withLock({ $0.popDue(at: present, before: end) }) {
      due.job.run()
      if let next = due.job.time(after: due.time, present: DispatchTime.now().uptimeNanoseconds) {
        add(at: next, due.job)
      }
    }
    let keeper = agenda.withLock { agenda -> GMainContextScheduler? in
      source.wake(at: agenda.nextTime)
      return agenda.nextTime == nil ? agenda.keeper.take() : nil
    }
    withExtendedLifetime(keeper) {}
  }

  /// The context is gone, and will never run anything.
  func drop() {
    let dropped = agenda.withLock { agenda in
      defer {
        agenda = Agenda()
        agenda.isOver = true
      }
      return agenda
    }
    withExtendedLifetime(dropped) {}
  }
}

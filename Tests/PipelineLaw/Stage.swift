import Foundation
import StreamImages

/// Where a schedule is played: it runs the jobs of all tasks on one thread, one at a time, and what the parts of a pipeline wait for is
/// an event, which ends when and how the schedule says.
final class Stage: TaskExecutor {
  struct Event: Sendable {
    /// Set when it is added.
    fileprivate var number = 0
    let label: String
    let outcomes: [String]
    /// Whether a thread of a queue is blocked until it ends.
    let isComputed: Bool
    let end: @Sendable (Int) -> Void
  }

  private struct State: Sendable {
    var events: [Event] = []
    var lastNumber = 0
    var ready: [UnownedJob] = []
    /// Those that became ready on other threads, in no certain order.
    var arrived: [UnownedJob] = []
  }

  private let state = Guarded(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let thread = pthread_self()

  // MARK: Events

  /// Waits until the schedule chooses one of some outcomes.
  func outcome(_ label: String, of outcomes: [String] = ["done"]) async -> String {
    let number = await withCheckedContinuation { continuation in
      add(Event(label: label, outcomes: outcomes, isComputed: false) { continuation.resume(returning: $0) })
    }
    return outcomes[number]
  }

  /// The same for a computation.
  func computedOutcome(_ label: String, of outcomes: [String]) -> String {
    let (number, hasEnded) = (Guarded(0), DispatchSemaphore(value: 0))
    add(
      Event(label: label, outcomes: outcomes, isComputed: true) { chosen in
        number.withLock { $0 = chosen }
        hasEnded.signal()
      })
    hasEnded.wait()
    return outcomes[number.withLock { $0 }]
  }

  /// Adds an event without alternatives.
  func add(_ label: String, _ action: @escaping @Sendable () -> Void) {
    add(Event(label: label, outcomes: ["done"], isComputed: false) { _ in action() })
  }

  private func add(_ event: Event) {
    state.withLock { state in
      state.lastNumber += 1
      var event = event
      event.number = state.lastNumber
      state.events.append(event)
    }
    arrivals.signal()
  }

  /// In an order that does not depend on which thread was first.
  var events: [Event] {
    state.withLock { $0.events }.sorted { ($0.label, $0.number) < ($1.label, $1.number) }
  }

  func end(_ event: Event, _ outcome: Int) {
    state.withLock { $0.events.removeAll { $0.number == event.number } }
    event.end(outcome)
  }

  // MARK: Jobs

  func enqueue(_ job: UnownedJob) {
    let isHere = pthread_equal(thread, pthread_self()) != 0
    state.withLock { if isHere { $0.ready.append(job) } else { $0.arrived.append(job) } }
    if !isHere { arrivals.signal() }
  }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  /// Runs the job that is ready first. False if there is none, also once all computations of a pipeline are events.
  func runJob(of pipeline: ImagePipeline) -> Bool {
    while true {
      let (job, computed) = state.withLock { state -> (UnownedJob?, Int) in
        let computed = state.events.count { $0.isComputed }
        if state.ready.isEmpty { swap(&state.ready, &state.arrived) }
        return (state.ready.isEmpty ? nil : state.ready.removeFirst(), computed)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
      }
      if pipeline.computations == computed {
        pipeline.settle()
        if state.withLock({ $0.arrived.isEmpty }) { return false }
        continue
      }
      // A computation begins or has ended on another thread.
      if arrivals.wait(timeout: .now() + 200) == .timedOut { preconditionFailure("A computation is lost") }
    }
  }
}

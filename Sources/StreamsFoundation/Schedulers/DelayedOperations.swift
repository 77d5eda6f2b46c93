internal import Dispatch
internal import Foundation
internal import Streams
internal import Synchronization

/// The delayed actions of all operation queues, in order, with one timer for the earliest.
///
/// An action joins its queue when it is due: a queue looks at all its operations whenever one of them changes. Until then, one
/// placeholder stands for all that wait for the queue. So the queue has not finished, and cancelling all its operations cancels
/// them.
final class DelayedOperations: Sendable {
  static let shared = DelayedOperations()

  private struct Entry {
    let queue: OperationQueue
    let leeway: TimeInterval
    let job: @Sendable () -> Void
  }

  private struct State {
    let timer: any DispatchSourceTimer
    var timetable = Timetable<Date, Entry>()
    /// How many entries a queue has, and what stands for them there.
    var waiting: [ObjectIdentifier: (count: Int, placeholder: Placeholder)] = [:]
    /// The date for which the timer is set.
    var alarm: Date?

    /// Notes that one less waits for `queue`. Returns the placeholder if none does.
    mutating func didRemove(from queue: OperationQueue) -> Placeholder? {
      let key = ObjectIdentifier(queue)
      guard var line = waiting[key] else { return nil }
      line.count -= 1
      waiting[key] = line.count > 0 ? line : nil
      return line.count > 0 ? nil : line.placeholder
    }
  }

  private let state: Guarded<State>

  private init() {
    // A queue of its own, so that blocked threads of other queues do not delay the timer.
    let timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "StreamsFoundation.OperationQueue.timers"))
    state = Guarded(State(timer: timer))
    timer.setEventHandler { Self.shared.addWhatIsDue() }
    timer.activate()
  }

  /// Adds an operation to `queue` at `date`, which is one of ``SteadyDates``.
  ///
  /// - Returns: A closure that takes it back while it waits here, and cancels one that was due at once.
  func add(
    to queue: OperationQueue, at date: Date, leeway: TimeInterval, _ job: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    if date <= SteadyDates.now {
      let operation = BlockOperation(block: job)
      queue.addOperation(operation)
      return { [weak operation] in operation?.cancel() }
    }
    let key = ObjectIdentifier(queue)
    let (number, newcomer) = state.withLock { state -> (Int, Placeholder?) in
      let number = state.timetable.add(Entry(queue: queue, leeway: leeway, job: job), at: date)
      let line = state.waiting[key]
      let placeholder =
        line?.placeholder
        ?? Placeholder { [weak queue] placeholder in
          if let queue { Self.shared.removeAll(of: queue, behind: placeholder) }
        }
      state.waiting[key] = ((line?.count ?? 0) + 1, placeholder)
      return (number, line == nil ? placeholder : nil)
    }
    if let newcomer { queue.addOperation(newcomer) }
    setAlarm()
    return { self.remove(number) }
  }

  private func remove(_ number: Int) {
    let (entry, placeholder) = state.withLock { state -> (Entry?, Placeholder?) in
      let entry = state.timetable.remove(number)
      return (entry, entry.flatMap { state.didRemove(from: $0.queue) })
    }
    withExtendedLifetime(entry) { placeholder?.finishWaiting() }
  }

  /// Removes what waits for `queue`, unless `placeholder` has nothing to stand for any more.
  private func removeAll(of queue: OperationQueue, behind placeholder: Placeholder) {
    let gone = state.withLock { state -> [Entry] in
      let key = ObjectIdentifier(queue)
      guard state.waiting[key]?.placeholder === placeholder else { return [] }
      state.waiting[key] = nil
      return state.timetable.removeAll { $0.queue === queue }
    }
    withExtendedLifetime(gone) {}
  }

  // MARK: The timer

  private func addWhatIsDue() {
    let present = SteadyDates.now
    state.withLock { $0.alarm = nil }
    while true {
      let (entry, placeholder) = state.withLock { state -> (Entry?, Placeholder?) in
        guard let (_, _, entry) = state.timetable.takeEarliest(until: present) else { return (nil, nil) }
        return (entry, state.didRemove(from: entry.queue))
      }
      guard let entry else { break }
      entry.queue.addOperation(BlockOperation(block: entry.job))
      placeholder?.finishWaiting()
    }
    setAlarm()
  }

  /// Sets the timer for the earliest date, if it is not set for that or an earlier one.
  private func setAlarm() {
    state.withLock { state in
      guard let date = state.timetable.earliest, state.alarm.map({ date < $0 }) ?? true else { return }
      state.alarm = date
      let leeway = state.timetable.first?.leeway ?? 0
      state.timer.schedule(
        deadline: .now() + max(0, date.timeIntervalSince(SteadyDates.now)).asDispatch,
        leeway: leeway.asDispatch)
    }
  }
}

/// An operation that becomes ready when it has nothing to stand for, or is cancelled.
private final class Placeholder: Operation, Reflected, @unchecked Sendable {  // what changes is atomic
  private let isDone = Atomic(false)
  private let onCancel: @Sendable (Placeholder) -> Void

  init(onCancel: @escaping @Sendable (Placeholder) -> Void) { self.onCancel = onCancel }

  override var isReady: Bool { super.isReady && (isDone.load(ordering: .acquiring) || isCancelled) }

  override func main() {}

  override func cancel() {
    super.cancel()
    onCancel(self)
  }

  func finishWaiting() {
    willChangeValue(for: \.isReady)
    isDone.store(true, ordering: .releasing)
    didChangeValue(for: \.isReady)
  }
}

extension TimeInterval {
  /// The same for Dispatch, whose range is shorter.
  var asDispatch: DispatchTimeInterval {
    DispatchQueue.SchedulerTimeType.Stride.seconds(self).timeInterval
  }
}

internal import Dispatch
internal import Streams

/// Lets so many pieces of work run at a time: the most urgent first, and of these the one that came first.
///
/// Work that computes runs on threads of this queue, never on those that tasks share. Work whose task is cancelled
/// while it waits is never begun.
package final class WorkQueue: Sendable {
  private let line: Guarded<WorkLine>
  private let label: String
  /// A serial queue each: a concurrent one would take its threads from the pool on which tasks run.
  private let lanes: Guarded<[DispatchQueue]>

  /// - Parameters:
  ///   - width: How many pieces run at a time. At least one.
  ///   - capacity: How much those that run may weigh together. One that is heavier runs alone.
  package init(_ label: String, width: Int, capacity: Int = .max) {
    let width = max(1, width)
    self.label = label
    line = Guarded(WorkLine(width: width, capacity: capacity))
    lanes = Guarded((0..<width).map { Self.lane(label, $0) })
  }

  /// How many pieces run at a time, at least one. More begin at once; if there are to be fewer, those that run go on.
  package var width: Int {
    get { line.withLock { $0.width } }
    set {
      let width = max(1, newValue)
      lanes.withLock { lanes in
        while lanes.count < width { lanes.append(Self.lane(label, lanes.count)) }
      }
      change { $0.setWidth(width) }
    }
  }

  /// Whether nothing is begun. What runs goes on.
  package var isSuspended: Bool {
    get { line.withLock { $0.isSuspended } }
    set { change { $0.isSuspended = newValue } }
  }

  private func change(_ body: (inout WorkLine) -> Void) {
    let started = line.withLock { line in
      body(&line)
      return line.start()
    }
    started.forEach { $0.resume() }
  }

  private static func lane(_ label: String, _ number: Int) -> DispatchQueue {
    DispatchQueue(label: "StreamImages.\(label).\(number)")
  }

  /// How many wait, and how many run.
  package var counts: (waiting: Int, running: Int) { line.withLock { ($0.waiting, $0.running) } }

  /// The priorities of those that wait, as the queue sorts them; in no order.
  package var waitingPriorities: [ImageRequest.Priority] { line.withLock { $0.waitingPriorities } }

  /// Computes on a thread of this queue.
  ///
  /// - Parameter work: Is given a closure that says whether the task was cancelled.
  package func run<Value: Sendable>(
    _ urgency: Urgency, weight: Int = 0,
    _ work:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    let slot = try await enter(urgency, weight)
    defer { leave(slot) }
    let flag = CancellationFlag()
    let lane = lanes.withLock { $0[slot.lane] }
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

  /// Keeps a place in this queue while `work` waits for something else.
  package func hold<Value>(
    _ urgency: Urgency, weight: Int = 0, _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    let slot = try await enter(urgency, weight)
    defer { leave(slot) }
    return try await work()
  }

  // MARK: Coming and going

  private func enter(_ urgency: Urgency, _ weight: Int) async throws(ImagePipeline.Error) -> WorkLine.Slot {
    let number = line.withLock { $0.takeNumber() }
    let watch = urgency.observe { [self] in
      // Read under the lock: what is written last is then the latest.
      line.withLock { $0.move(number, to: urgency.priority) }
    }
    defer { watch.cancel() }
    let slot = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<WorkLine.Slot?, Never>) in
        let started = line.withLock { line in
          line.append(number, urgency.priority, weight, continuation)
          return line.start()
        }
        started.forEach { $0.resume() }
        // If the task was cancelled before it stood in the line, nobody has thrown it out.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
    guard let slot else { throw .cancelled }
    return slot
  }

  private func leave(_ slot: WorkLine.Slot) {
    change { $0.release(slot) }
  }

  private func giveUp(_ number: UInt64) {
    let (gone, started) = line.withLock { line in (line.remove(number), line.start()) }
    gone?.resume(returning: nil)
    started.forEach { $0.resume() }
  }
}

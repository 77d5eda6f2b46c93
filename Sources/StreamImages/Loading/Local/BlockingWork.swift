import Dispatch
internal import Streams
internal import Synchronization

/// A few threads for calls that block, so that the threads of Swift's tasks never do.
///
/// Work of one lane runs in order. A task that is cancelled stops waiting at once; the call it waited for
/// ends on its own and its result is dropped.
final class BlockingWork: Sendable, Reflected {
  private let lanes: [DispatchQueue]
  private let nextLane = Atomic<UInt>(0)

  init(label: String, width: Int) {
    lanes = (0..<width).map { DispatchQueue(label: "\(label).\($0)") }
  }

  func lane() -> DispatchQueue {
    let turn = nextLane.wrappingAdd(1, ordering: .relaxed).oldValue
    return lanes[Int(turn % UInt(lanes.count))]
  }

  static func run<Value: Sendable>(
    on lane: DispatchQueue, _ work: @escaping @Sendable () -> Result<Value, DataLoadingError>
  ) async throws(DataLoadingError) -> Value {
    let answer = Answer<Value>()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        lane.async { answer.settle(answer.isSettled ? .failure(.cancelled) : work()) }
      }
    } onCancel: {
      answer.settle(.failure(.cancelled))
    }
    return try result.get()
  }
}

/// A result that the first to come settles.
private final class Answer<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, DataLoadingError>, Never>

  private enum State: Sendable {
    case open
    case awaited(Continuation)
    case settled(Result<Value, DataLoadingError>)
  }

  private let state = Guarded(State.open)

  var isSettled: Bool {
    state.withLock { state in
      if case .settled = state { true } else { false }
    }
  }

  func wait(_ continuation: Continuation) {
    let result: Result<Value, DataLoadingError>? = state.withLock { state in
      if case .settled(let result) = state { return result }
      state = .awaited(continuation)
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  func settle(_ result: Result<Value, DataLoadingError>) {
    let waiting: Continuation? = state.withLock { state in
      switch state {
      case .settled: return nil
      case .open:
        state = .settled(result)
        return nil
      case .awaited(let continuation):
        state = .settled(result)
        return continuation
      }
    }
    waiting?.resume(returning: result)
  }
}

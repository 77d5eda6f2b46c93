package import Dispatch
internal import Streams
internal import Synchronization

/// A few threads for blocking calls, so that the threads of Swift's tasks do not block.
///
/// Work on one lane runs in order. A task that is cancelled stops waiting at once. Its blocking call runs to its end,
/// and the result is dropped.
package final class BlockingWork: Sendable, Reflected {
  private let lanes: [DispatchQueue]
  private let nextLane = Atomic<UInt>(0)

  package init(label: String, width: Int) {
    lanes = (0..<width).map { DispatchQueue(label: "\(label).\($0)") }
  }

  package func lane() -> DispatchQueue {
    let turn = nextLane.wrappingAdd(1, ordering: .relaxed).oldValue
    return lanes[Int(turn % UInt(lanes.count))]
  }

  static func run<Value: Sendable>(
    on lane: DispatchQueue, _ work: @escaping @Sendable () -> Result<Value, DataLoadingError>
  ) async throws(DataLoadingError) -> Value {
    let promise = Promise<Result<Value, DataLoadingError>>()
    let result = await promise.value(ifCancelled: .failure(.cancelled)) {
      lane.async { promise.fulfil(promise.isFulfilled ? .failure(.cancelled) : work()) }
    }
    return try result.get()
  }
}

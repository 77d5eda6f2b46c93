public import Foundation
internal import Streams

/// A response whose head has arrived and whose body can be read.
public struct LoadedData: Sendable {
  /// The head of the response.
  public internal(set) var head: LoadedHead
  /// The body. Read it once, chunk by chunk. Releasing it cancels the load.
  public let body: any DataChunks

  /// Creates a response.
  public init(head: LoadedHead, body: any DataChunks) {
    self.head = head
    self.body = body
  }

  /// Reads the rest of the body into one value.
  ///
  /// - Complexity: Memory is proportional to the body.
  public func collect() async throws(DataLoadingError) -> Data {
    guard var whole = try await body.next() else { return Data() }
    while let chunk = try await body.next() { whole.append(chunk) }
    return whole
  }
}

/// The bytes of a body, for one consumer.
///
/// Releasing the last reference cancels the load.
public protocol DataChunks: AnyObject, Sendable {
  /// Waits for the next chunk. Returns `nil` after the last one, and in every later call.
  ///
  /// Bytes received before a failure are delivered before it is thrown. After a failure, each call throws it again.
  /// Cancelling the task cancels the whole load. Chunks are not empty.
  func next() async throws(DataLoadingError) -> Data?

  /// Stops the load and drops the bytes that were not read yet. Does nothing once the body has ended.
  func cancel()
}

/// A body that is already in memory, for example from a cache, a closure or a test.
public final class BufferedChunks: DataChunks {
  private enum State: Sendable {
    case holds(Data)
    case ended
    case cancelled
  }

  private let state: Guarded<State>

  /// Creates a body of these bytes, in one chunk.
  public init(_ data: Data) {
    state = Guarded(data.isEmpty ? .ended : .holds(data))
  }

  public func next() async throws(DataLoadingError) -> Data? {
    if Task.isCancelled { cancel() }
    let taken = state.withLock { state in
      defer { if case .holds = state { state = .ended } }
      return state
    }
    switch taken {
    case .holds(let data): return data
    case .ended: return nil
    case .cancelled: throw .cancelled
    }
  }

  public func cancel() {
    state.withLock { state in
      if case .holds = state { state = .cancelled }
    }
  }
}

package import Dispatch
package import Foundation
internal import Streams

package final class FileChunks: DataChunks {
  private enum State: Sendable {
    case reads(OpenFile, offset: Int)
    case ended(Result<Void, DataLoadingError>)
  }

  private let state: Guarded<State>
  private let lane: DispatchQueue
  private let chunkByteCount: Int

  package init(of file: OpenFile, lane: DispatchQueue, chunkByteCount: Int) {
    state = Guarded(.reads(file, offset: 0))
    self.lane = lane
    self.chunkByteCount = chunkByteCount
  }

  package func next() async throws(DataLoadingError) -> Data? {
    if Task.isCancelled { cancel() }
    let (file, offset): (OpenFile, Int)
    switch state.withLock({ $0 }) {
    case .ended(let result):
      try result.get()
      return nil
    case .reads(let open, let reached): (file, offset) = (open, reached)
    }
    let wanted = min(chunkByteCount, file.byteCount - offset)
    guard wanted > 0 else { return try finish(.success(())) }
    do throws(DataLoadingError) {
      let bytes = try await BlockingWork.run(on: lane) {
        Result { () throws(DataLoadingError) in try file.read(at: offset, count: wanted) }
      }
      return try advance(file, from: offset, over: bytes)
    } catch {
      return try finish(.failure(error))
    }
  }

  package func cancel() { end(.failure(.cancelled)) }

  private func advance(_ file: OpenFile, from offset: Int, over bytes: Data) throws(DataLoadingError) -> Data?
  {
    guard !bytes.isEmpty else { throw .truncated(received: offset, expected: file.byteCount) }
    let isWanted = state.withLock { state in
      guard case .reads = state else { return false }
      state = .reads(file, offset: offset + bytes.count)
      return true
    }
    guard isWanted else { throw .cancelled }
    return bytes
  }

  /// Ends the body unless it has ended, and reports how it ended.
  private func finish(_ result: Result<Void, DataLoadingError>) throws(DataLoadingError) -> Data? {
    try end(result).get()
    return nil
  }

  @discardableResult
  private func end(_ result: Result<Void, DataLoadingError>) -> Result<Void, DataLoadingError> {
    // The last reference closes the file, which must not happen under the lock.
    let (ending, file): (Result<Void, DataLoadingError>, OpenFile?) = state.withLock { state in
      switch state {
      case .ended(let earlier): return (earlier, nil)
      case .reads(let file, _):
        state = .ended(result)
        return (result, file)
      }
    }
    withExtendedLifetime(file) {}
    return ending
  }
}

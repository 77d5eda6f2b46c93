package import Foundation
internal import Streams

/// A kept beginning, then the rest. If the rest breaks off too, everything received is given back.
package final class ResumedChunks: DataChunks {
  private struct State: Sendable {
    /// Delivered before the rest.
    var prefix: Data?
    /// All chunks received, shared with the consumer. `nil` if they are too many, or the body has ended.
    var kept: [Data]?
    var count: Int
  }

  private let body: any DataChunks
  private let limit: Int
  private let keptByteCount: Int
  private let giveBack: @Sendable (Data) -> Void
  private let state: Guarded<State>

  /// - Parameters:
  ///   - limit: The largest size of the whole body.
  ///   - keptByteCount: A longer beginning is not given back.
  ///   - giveBack: Called at most once, with the bytes received before the interruption.
  package init(
    _ body: any DataChunks, after prefix: Data?, limit: Int, keptByteCount: Int,
    giveBack: @escaping @Sendable (Data) -> Void
  ) {
    self.body = body
    self.limit = limit
    self.keptByteCount = keptByteCount
    self.giveBack = giveBack
    state = Guarded(State(prefix: prefix, kept: prefix.map { [$0] } ?? [], count: prefix?.count ?? 0))
  }

  deinit { breakOff() }

  package func next() async throws(DataLoadingError) -> Data? {
    let prefix = state.withLock { state in
      defer { state.prefix = nil }
      return state.prefix
    }
    if let prefix { return prefix }
    let chunk: Data?
    do throws(DataLoadingError) { chunk = try await body.next() } catch {
      if error.leavesBytesGood { breakOff() } else { forget() }
      throw error
    }
    guard let chunk else {
      forget()
      return nil
    }
    guard take(chunk) else {
      cancelAndForget()
      throw .tooLarge(limit: limit, announced: nil)
    }
    return chunk
  }

  package func cancel() {
    body.cancel()
    breakOff()
  }

  private func take(_ chunk: Data) -> Bool {
    state.withLock { state in
      guard chunk.count <= limit - state.count else { return false }
      state.count += chunk.count
      if state.count <= keptByteCount { state.kept?.append(chunk) } else { state.kept = nil }
      return true
    }
  }

  private func breakOff() {
    guard let kept = forget(), !kept.isEmpty else { return }
    giveBack(kept.count == 1 ? kept[0] : Data(kept.joined()))
  }

  private func cancelAndForget() {
    forget()
    body.cancel()
  }

  @discardableResult
  private func forget() -> [Data]? {
    state.withLock { state in
      defer { (state.kept, state.prefix) = (nil, nil) }
      return state.kept
    }
  }
}

extension DataLoadingError {
  /// Whether the bytes received before the error are still part of the body.
  fileprivate var leavesBytesGood: Bool {
    switch self {
    case .truncated, .connectionLost, .timedOut, .cancelled, .invalidated, .unavailable: true
    default: false
    }
  }
}

internal import Foundation
internal import Streams

/// The beginning that was here, then the rest; remembered, and given back if the rest breaks off again.
final class ResumedChunks: DataChunks {
  private struct State: Sendable {
    /// Handed out before the rest.
    var prefix: Data?
    /// All that came, in pieces that are shared with those who got them; `nil` if it is too much, or over.
    var kept: [Data]? = []
    var count = 0
  }

  private let body: any DataChunks
  private let limit: Int
  private let keptByteCount: Int
  private let giveBack: @Sendable (Data) -> Void
  private let state: Guarded<State>

  /// - Parameters:
  ///   - limit: Of the beginning and the rest together.
  ///   - keptByteCount: What is longer is not given back.
  ///   - giveBack: Called at most once, with all that came before the break.
  init(
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

  func next() async throws(DataLoadingError) -> Data? {
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

  func cancel() {
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
  /// Whether what came before it is still part of the whole.
  fileprivate var leavesBytesGood: Bool {
    switch self {
    case .truncated, .connectionLost, .timedOut, .cancelled, .invalidated, .unavailable: true
    default: false
    }
  }
}

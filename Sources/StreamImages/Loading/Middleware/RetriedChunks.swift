internal import Foundation
internal import Streams

/// A body that is requested again when it breaks off, and continues where it stopped.
///
/// Delivered bytes cannot be taken back. So another response is used only if it has the same URL but for its query, and
/// a strong validator shows that its bytes are the same. Before the first byte, it must have the tag of the delivered head.
final class RetriedChunks: DataChunks {
  /// Waits and loads again. Returns `nil` if a retry is not worthwhile.
  typealias Again =
    @Sendable (_ error: DataLoadingError, _ retry: Int) async throws(DataLoadingError) -> LoadedData?

  private typealias Attempt = Task<Result<LoadedData?, DataLoadingError>, Never>

  private struct State: Sendable {
    var body: any DataChunks
    var count = 0
    /// The number of bytes of the present response that were already delivered from an earlier one.
    var leftToSkip = 0
    var retry: Int
    var isCancelled = false
    /// The pause or the load in progress.
    var attempt: Attempt?
    /// Thrown by every further call.
    var failure: DataLoadingError?
  }

  private let head: LoadedHead
  private let again: Again
  private let state: Guarded<State>

  /// - Parameter retry: The number of retries before the first head.
  init(_ loaded: LoadedData, retry: Int, _ again: @escaping Again) {
    head = loaded.head
    self.again = again
    state = Guarded(State(body: loaded.body, retry: retry))
  }

  func next() async throws(DataLoadingError) -> Data? {
    while true {
      let (body, failure) = state.withLock { ($0.body, $0.failure) }
      if let failure { throw failure }
      do throws(DataLoadingError) {
        guard let chunk = try await body.next() else { return try end() }
        if let fresh = take(chunk) { return fresh }
      } catch {
        do throws(DataLoadingError) { try await reload(after: error) } catch {
          state.withLock { $0.failure = error }
          throw error
        }
      }
    }
  }

  func cancel() {
    let (body, attempt) = state.withLock { state in
      state.isCancelled = true
      return (state.body, state.attempt)
    }
    body.cancel()
    attempt?.cancel()
  }

  /// Returns the part of a chunk that was not delivered before.
  private func take(_ chunk: Data) -> Data? {
    state.withLock { state in
      let skipped = min(state.leftToSkip, chunk.count)
      state.leftToSkip -= skipped
      state.count += chunk.count - skipped
      if skipped == 0 { return chunk }
      return skipped == chunk.count ? nil : Data(chunk.dropFirst(skipped))
    }
  }

  /// A response shorter than what was delivered is a different one.
  private func end() throws(DataLoadingError) -> Data? {
    let (count, missing) = state.withLock { ($0.count, $0.leftToSkip) }
    guard missing == 0 else { throw .truncated(received: count, expected: head.expectedByteCount) }
    return nil
  }

  private func reload(after error: DataLoadingError) async throws(DataLoadingError) {
    let (isOver, retry, count) = state.withLock { state in
      state.retry += 1
      return (state.isCancelled, state.retry, state.count)
    }
    guard !isOver, head.mayBeContinued(after: count), let loaded = try await loadAgain(after: error, retry)
    else { throw error }
    let handedOut = state.withLock { $0.count }
    guard head.isSame(as: loaded.head, upTo: handedOut) else {
      loaded.body.cancel()
      throw error
    }
    let isUnwanted = state.withLock { state in
      (state.body, state.leftToSkip) = (loaded.body, handedOut)
      return state.isCancelled
    }
    if isUnwanted { loaded.body.cancel() }
  }

  /// Uses a task of its own, because `cancel` may be called by another task than the one that waits.
  private func loadAgain(
    after error: DataLoadingError, _ retry: Int
  ) async throws(DataLoadingError) -> LoadedData? {
    let attempt = Attempt { [again] in
      do throws(DataLoadingError) { return .success(try await again(error, retry)) } catch {
        return .failure(error)
      }
    }
    let isUnwanted = state.withLock { state in
      state.attempt = attempt
      return state.isCancelled
    }
    if isUnwanted { attempt.cancel() }
    let result = await withTaskCancellationHandler {
      await attempt.value
    } onCancel: {
      attempt.cancel()
    }
    state.withLock { $0.attempt = nil }
    return try result.get()
  }
}

extension LoadedHead {
  /// Whether there can be a response with the rest of the body. After the first byte, it needs a strong tag.
  fileprivate func mayBeContinued(after count: Int) -> Bool {
    !isContentCoded && (count == 0 || headers.entityTag.map { !$0.isWeak } ?? false)
  }

  /// Returns whether another response begins with the same `count` bytes.
  fileprivate func isSame(as other: LoadedHead, upTo count: Int) -> Bool {
    guard status == other.status, !isContentCoded, !other.isContentCoded else { return false }
    // Whoever has the head may store these bytes under its tag.
    if count == 0 { return headers["ETag"] == other.headers["ETag"] }
    if let expectedByteCount, let total = other.expectedByteCount, total != expectedByteCount { return false }
    guard hasPlace(of: other), let mine = headers.entityTag, let its = other.headers.entityTag else {
      return false
    }
    return mine.isStronglyEqual(to: its)
  }
}

import Foundation
internal import Streams

/// Where a transfer and its consumer meet: the thread of the loop fills, tasks empty.
///
/// The consumer is woken by `flush`, not by `append`: what arrives in one turn of the loop is one chunk.
final class BodyPipe: Sendable {
  typealias HeadContinuation = CheckedContinuation<Result<LoadedHead, DataLoadingError>, Never>
  typealias ChunkContinuation = CheckedContinuation<Result<Data?, DataLoadingError>, Never>
  typealias Whole = (head: LoadedHead, body: Data)
  typealias WholeContinuation = CheckedContinuation<Result<Whole, DataLoadingError>, Never>

  fileprivate struct State: Sendable {
    var head: Result<LoadedHead, DataLoadingError>?
    var headWaiter: HeadContinuation?
    var bytes = Data()
    /// How much is worth reserving for the first of them.
    var firstByteCount = 0
    var ending: Result<Data?, DataLoadingError>?
    var chunkWaiters: [ChunkContinuation] = []
    var wholeWaiter: WholeContinuation?
    var isPaused = false
  }

  private let state = Guarded(State())
  private let bufferedByteCount: Int
  private let onRoom: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void

  /// - Parameters:
  ///   - onRoom: Called when a paused transfer may go on.
  ///   - onCancel: Called when the consumer gave up.
  init(
    bufferedByteCount: Int, onRoom: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void
  ) {
    self.bufferedByteCount = max(1, bufferedByteCount)
    self.onRoom = onRoom
    self.onCancel = onCancel
  }

  // MARK: The consumer's end

  func head() async throws(DataLoadingError) -> LoadedHead {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: HeadContinuation) in
        let known = state.withLock { state in
          if state.head == nil { state.headWaiter = continuation }
          return state.head
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// Everything at once, once, instead of `head` and `next`.
  func whole() async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: WholeContinuation) in
        let known = state.withLock { state in
          let known = state.takeWhole()
          if known == nil { state.wholeWaiter = continuation }
          return known
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  func next() async throws(DataLoadingError) -> Data? {
    if Task.isCancelled { cancel() }
    if let ready = takeReady() { return try ready.get() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: ChunkContinuation) in
        let known = state.withLock { state in
          let known = state.take()
          if known == nil { state.chunkWaiters.append(continuation) }
          return known
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// What can be had without waiting: a task that is not suspended need not be woken.
  private func takeReady() -> Result<Data?, DataLoadingError>? {
    let (ready, hasRoom) = state.withLock { state in
      let ready = state.take()
      defer { state.isPaused = false }
      return (ready, state.isPaused)
    }
    if hasRoom { onRoom() }
    return ready
  }

  func cancel() {
    let (wasRunning, waiting) = state.withLock { state in
      let wasRunning = state.ending == nil
      guard wasRunning || !state.bytes.isEmpty else { return (false, Waiting.nobody) }
      state.bytes = Data()
      state.end(.failure(.cancelled))
      return (wasRunning, state.takeWaiting())
    }
    if wasRunning { onCancel() }
    waiting.resume()
  }

  // MARK: The loop's end

  func deliver(_ head: LoadedHead) {
    state.withLock { state in
      guard state.head == nil else { return }
      state.head = .success(head)
      // A small body is one piece of memory. More is not reserved on the word of a server.
      state.firstByteCount = min(head.expectedByteCount ?? 0, 64 << 10)
    }
  }

  enum Room { case plenty, none }

  /// How much room there is after that; `nil` if nobody wants the bytes any more.
  func append(_ bytes: UnsafeRawBufferPointer) -> Room? {
    state.withLock { state in
      guard state.ending == nil else { return nil }
      if state.firstByteCount > bytes.count { state.bytes.reserveCapacity(state.firstByteCount) }
      state.firstByteCount = 0
      state.bytes.append(contentsOf: bytes)
      return state.bytes.count >= bufferedByteCount ? Room.none : .plenty
    }
  }

  /// Tells who waits for what came in this turn. Without room, the transfer should be paused until there is.
  func flush() -> Room {
    let (waiting, room) = state.withLock { state in
      let waiting = state.takeWaiting()
      state.isPaused = state.ending == nil && state.bytes.count >= bufferedByteCount
      return (waiting, state.isPaused ? Room.none : .plenty)
    }
    waiting.resume()
    return room
  }

  /// The one ending; those that come later are ignored. `nil` is success.
  func finish(_ failure: DataLoadingError?) {
    state.withLock { state in
      state.end(failure.map { .failure($0) } ?? .success(nil))
      return state.takeWaiting()
    }.resume()
  }

  /// Continuations and what they get, to be resumed without the lock.
  enum Waiting {
    case nobody
    case whole(WholeContinuation, Result<BodyPipe.Whole, DataLoadingError>)
    case head(HeadContinuation, Result<LoadedHead, DataLoadingError>)
    case chunks([(ChunkContinuation, Result<Data?, DataLoadingError>)])

    consuming func resume() {
      switch consume self {
      case .nobody: break
      case .whole(let waiter, let whole): waiter.resume(returning: whole)
      case .head(let waiter, let head): waiter.resume(returning: head)
      case .chunks(let chunks): for (waiter, chunk) in chunks { waiter.resume(returning: chunk) }
      }
    }
  }
}

extension BodyPipe.State {
  /// What can be handed out now: bytes before the ending.
  fileprivate mutating func take() -> Result<Data?, DataLoadingError>? {
    guard bytes.isEmpty else {
      defer { bytes = Data() }
      return .success(bytes)
    }
    return ending
  }

  fileprivate mutating func end(_ result: Result<Data?, DataLoadingError>) {
    if case .failure(.cancelled) = result { ending = result } else if ending == nil { ending = result }
    guard head == nil else { return }
    switch result {
    case .success: head = .failure(.protocolViolation("no head"))
    case .failure(let error): head = .failure(error)
    }
  }

  /// Both, once it has ended.
  fileprivate mutating func takeWhole() -> Result<BodyPipe.Whole, DataLoadingError>? {
    switch ending {
    case nil: return nil
    case .failure(let error): return .failure(error)
    case .success:
      defer { (head, bytes) = (nil, Data()) }
      return head?.map { ($0, bytes) }
    }
  }

  /// A consumer waits for one thing at a time, several for chunks.
  fileprivate mutating func takeWaiting() -> BodyPipe.Waiting {
    if let waiter = wholeWaiter {
      guard let whole = takeWhole() else { return .nobody }
      wholeWaiter = nil
      return .whole(waiter, whole)
    }
    if let waiter = headWaiter {
      guard let head else { return .nobody }
      headWaiter = nil
      return .head(waiter, head)
    }
    var chunks: [(BodyPipe.ChunkContinuation, Result<Data?, DataLoadingError>)] = []
    while let first = chunkWaiters.first, let chunk = take() {
      chunks.append((first, chunk))
      chunkWaiters.removeFirst()
    }
    return chunks.isEmpty ? .nobody : .chunks(chunks)
  }
}

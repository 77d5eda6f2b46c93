package import Foundation
internal import Streams

/// Runs the transfers that fill the buffers.
package protocol BodySource: AnyObject, Sendable {
  /// There is room in the buffer of a load again.
  func resume(_ pipe: BodyPipe)
  func cancel(_ pipe: BodyPipe)
}

/// The buffer between a transfer and its consumer. The loop's thread writes, tasks read.
///
/// `flush` resumes the consumer, not `append`, so for a consumer that waits the bytes of one turn of the loop form one
/// chunk.
package final class BodyPipe: Sendable {
  /// The event for which a task waits.
  fileprivate enum Event: Sendable {
    case head, bytes, end
  }

  /// The thread that takes it out of the state resumes it.
  fileprivate typealias Continuation = UnsafeContinuation<Void, Never>

  /// Indirect, because a head is larger than the rest of the state.
  fileprivate indirect enum Head: Sendable {
    case arrived(LoadedHead)
    case failed(DataLoadingError)
  }

  fileprivate struct State: Sendable {
    var head: Head?
    var bytes = Data()
    /// The capacity to reserve for the next chunk.
    var nextByteCount = 0
    var ending: Result<Void, DataLoadingError>?
    var isPaused = false
    /// A consumer waits for one event at a time. Several consumers may wait for bytes.
    var awaited = Event.head
    var waiters: [Continuation] = []
  }

  private let state = Guarded(State())
  private let bufferedByteCount: Int
  /// Not a reference cycle: the loop's thread holds the pipe, and the loop only for as long as a command takes.
  private let loop: any BodySource

  package init(of loop: any BodySource, bufferedByteCount: Int) {
    self.loop = loop
    self.bufferedByteCount = max(1, bufferedByteCount)
  }

  // MARK: Consumer

  package nonisolated(nonsending) func head() async throws(DataLoadingError) -> LoadedHead {
    switch await take(after: .head, { $0.head }) {
    case .arrived(let head): return head
    case .failed(let error): throw error
    }
  }

  /// Returns head and body at once. Used instead of `head` and `next`.
  package nonisolated(nonsending) func whole() async throws(DataLoadingError) -> (
    head: LoadedHead, body: Data
  ) {
    try await take(after: .end) { $0.takeWhole() }.get()
  }

  package nonisolated(nonsending) func next() async throws(DataLoadingError) -> Data? {
    if Task.isCancelled { cancel() }
    // A task that does not suspend need not be resumed.
    if let ready = look({ $0.takeBytes() }) { return try ready.get() }
    return try await take(after: .bytes) { $0.takeBytes() }.get()
  }

  /// Waits until something can be taken. Waits again if another consumer was faster.
  nonisolated(nonsending) private func take<Answer>(
    after event: Event, _ take: (inout State) -> Answer?
  ) async -> Answer {
    while true {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let isThere = state.withLock { state in
            let isThere = state.has(event)
            if !isThere {
              state.awaited = event
              state.waiters.append(continuation)
            }
            return isThere
          }
          if isThere { continuation.resume() }
        }
      } onCancel: {
        cancel()
      }
      if let answer = look(take) { return answer }
    }
  }

  private func look<Answer>(_ take: (inout State) -> Answer?) -> Answer? {
    let (answer, hasRoom) = state.withLock { state in
      let answer = take(&state)
      let hasRoom = state.isPaused && state.bytes.isEmpty
      if hasRoom { state.isPaused = false }
      return (answer, hasRoom)
    }
    if hasRoom { loop.resume(self) }
    return answer
  }

  package func cancel() {
    let (wasRunning, woken): (Bool, [Continuation]) = state.withLock { state in
      let wasRunning = state.ending == nil
      guard wasRunning || !state.bytes.isEmpty else { return (false, []) }
      state.bytes = Data()
      state.end(.failure(.cancelled))
      return (wasRunning, state.takeWaiters())
    }
    if wasRunning { loop.cancel(self) }
    for waiter in woken { waiter.resume() }
  }

  // MARK: Loop

  /// Reserves a small body as one allocation. Not more, because the server only claims the length.
  package func expect(_ byteCount: Int?) {
    let nextByteCount = min(byteCount ?? 0, 64 << 10)
    state.withLock { $0.nextByteCount = nextByteCount }
  }

  package func deliver(_ head: LoadedHead) {
    let head = Head.arrived(head)
    state.withLock { state in
      if state.head == nil { state.head = head }
    }
  }

  /// Forgets a body whose head was not delivered, because the request is sent again.
  package func discard() {
    let discarded = state.withLock { state in
      guard state.head == nil else { return Data() }
      defer { state.bytes = Data() }
      return state.bytes
    }
    withExtendedLifetime(discarded) {}
  }

  package enum Room { case plenty, none }

  /// Returns whether there is room afterwards; `nil` if the consumer has cancelled.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Room? {
    state.withLock { state in
      guard state.ending == nil else { return nil }
      if state.nextByteCount > bytes.count { state.bytes.reserveCapacity(state.nextByteCount) }
      state.nextByteCount = 0
      state.bytes.append(contentsOf: bytes)
      return state.bytes.count >= bufferedByteCount ? Room.none : .plenty
    }
  }

  /// Resumes the consumers of what arrived in this turn. Without room, the transfer should be paused; a consumer that
  /// waits for bytes makes room at once.
  package func flush() -> Room {
    let (woken, room) = state.withLock { state in
      let isFull = state.ending == nil && state.bytes.count >= bufferedByteCount
      state.isPaused = isFull && (state.waiters.isEmpty || state.awaited != .bytes)
      return (state.takeWaiters(), state.isPaused ? Room.none : .plenty)
    }
    for waiter in woken { waiter.resume() }
    return room
  }

  /// Ends the body. Only the first call has an effect. `nil` is success.
  package func finish(_ failure: DataLoadingError?) {
    let woken = state.withLock { state in
      state.end(failure.map { .failure($0) } ?? .success(()))
      return state.takeWaiters()
    }
    for waiter in woken { waiter.resume() }
  }
}

extension BodyPipe.State {
  fileprivate func has(_ event: BodyPipe.Event) -> Bool {
    switch event {
    case .head: head != nil
    case .bytes: !bytes.isEmpty || ending != nil
    case .end: ending != nil
    }
  }

  /// Bytes are delivered before the ending.
  fileprivate mutating func takeBytes() -> Result<Data?, DataLoadingError>? {
    guard bytes.isEmpty else {
      // The next chunk is probably as large.
      defer { (bytes, nextByteCount) = (Data(), bytes.count) }
      return .success(bytes)
    }
    return ending?.map { nil }
  }

  fileprivate mutating func end(_ result: Result<Void, DataLoadingError>) {
    if case .failure(.cancelled) = result { ending = result } else if ending == nil { ending = result }
    guard head == nil else { return }
    switch result {
    case .success: head = .failed(.protocolViolation("no head"))
    case .failure(let error): head = .failed(error)
    }
  }

  /// Head and body, once the body has ended.
  fileprivate mutating func takeWhole() -> Result<(head: LoadedHead, body: Data), DataLoadingError>? {
    switch (ending, head) {
    case (nil, _), (_, nil): return nil
    case (.failure(let error), _), (.success, .failed(let error)): return .failure(error)
    case (.success, .arrived(let head)):
      defer { bytes = Data() }
      return .success((head, bytes))
    }
  }

  /// Takes the consumers that can proceed: one of those that wait for bytes, or all of them at the end.
  fileprivate mutating func takeWaiters() -> [BodyPipe.Continuation] {
    guard !waiters.isEmpty, has(awaited) else { return [] }
    guard ending != nil else { return [waiters.removeFirst()] }
    defer { waiters = [] }
    return waiters
  }
}

import Foundation
internal import Streams

/// Where a transfer and its consumer meet: the thread of the loop fills, tasks empty.
///
/// The consumer is woken by `flush`, not by `append`: what arrives in one turn of the loop is one chunk.
final class BodyPipe: Sendable {
  /// What a task may wait for.
  fileprivate enum Event: Sendable {
    case head, bytes, end
  }

  /// Whoever takes it out of the state resumes it.
  fileprivate typealias Continuation = UnsafeContinuation<Void, Never>

  /// A reference: a head is larger than all else here.
  fileprivate indirect enum Head: Sendable {
    case arrived(LoadedHead)
    case failed(DataLoadingError)
  }

  fileprivate struct State: Sendable {
    var head: Head?
    var bytes = Data()
    /// How much is worth reserving for the first of them.
    var firstByteCount = 0
    var ending: Result<Void, DataLoadingError>?
    var isPaused = false
    /// A consumer waits for one thing at a time, several for bytes.
    var awaited = Event.head
    var waiter: Continuation?
    var furtherWaiters: [Continuation] = []
  }

  private let state = Guarded(State())
  private let bufferedByteCount: Int
  /// No circle: what runs on the thread holds the pipe, and the loop does no longer than a command takes.
  private let loop: CurlLoop

  init(of loop: CurlLoop, bufferedByteCount: Int) {
    self.loop = loop
    self.bufferedByteCount = max(1, bufferedByteCount)
  }

  // MARK: The consumer's end

  nonisolated(nonsending) func head() async throws(DataLoadingError) -> LoadedHead {
    switch await take(after: .head, { $0.head }) {
    case .arrived(let head): return head
    case .failed(let error): throw error
    }
  }

  /// Everything at once, once, instead of `head` and `next`.
  nonisolated(nonsending) func whole() async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    try await take(after: .end) { $0.takeWhole() }.get()
  }

  nonisolated(nonsending) func next() async throws(DataLoadingError) -> Data? {
    if Task.isCancelled { cancel() }
    // A task that is not suspended need not be woken.
    if let ready = look({ $0.takeBytes() }) { return try ready.get() }
    return try await take(after: .bytes) { $0.takeBytes() }.get()
  }

  /// Waits until there is something to take; again, if somebody else was faster.
  nonisolated(nonsending) private func take<Answer>(
    after event: Event, _ take: (inout State) -> Answer?
  ) async -> Answer {
    while true {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let isThere = state.withLock { state in
            let isThere = state.has(event)
            if !isThere { state.add(continuation, for: event) }
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
    if hasRoom { loop.goOn(self) }
    return answer
  }

  func cancel() {
    let (wasRunning, woken) = state.withLock { state in
      let wasRunning = state.ending == nil
      guard wasRunning || !state.bytes.isEmpty else { return (false, Woken.nobody) }
      state.bytes = Data()
      state.end(.failure(.cancelled))
      return (wasRunning, state.takeWaiters())
    }
    if wasRunning { loop.cancel(self) }
    woken.resume()
  }

  // MARK: The loop's end

  func deliver(_ head: LoadedHead) {
    // A small body is one piece of memory. More is not reserved on the word of a server.
    let firstByteCount = min(head.expectedByteCount ?? 0, 64 << 10)
    let head = Head.arrived(head)
    state.withLock { state in
      guard state.head == nil else { return }
      (state.head, state.firstByteCount) = (head, firstByteCount)
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

  /// Tells who waits for what came in this turn. Without room, the transfer should be paused until there is; who waits
  /// for bytes makes room at once.
  func flush() -> Room {
    let (woken, room) = state.withLock { state in
      let isFull = state.ending == nil && state.bytes.count >= bufferedByteCount
      state.isPaused = isFull && (state.waiter == nil || state.awaited != .bytes)
      return (state.takeWaiters(), state.isPaused ? Room.none : .plenty)
    }
    woken.resume()
    return room
  }

  /// The one ending; those that come later are ignored. `nil` is success.
  func finish(_ failure: DataLoadingError?) {
    state.withLock { state in
      state.end(failure.map { .failure($0) } ?? .success(()))
      return state.takeWaiters()
    }.resume()
  }

  /// Who is to be told to look again, without the lock.
  fileprivate enum Woken {
    case nobody
    case one(Continuation)
    case several([Continuation])

    consuming func resume() {
      switch consume self {
      case .nobody: break
      case .one(let continuation): continuation.resume()
      case .several(let continuations): for continuation in continuations { continuation.resume() }
      }
    }
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

  /// Bytes before the ending.
  fileprivate mutating func takeBytes() -> Result<Data?, DataLoadingError>? {
    guard bytes.isEmpty else {
      defer { bytes = Data() }
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

  /// Both, once it has ended.
  fileprivate mutating func takeWhole() -> Result<(head: LoadedHead, body: Data), DataLoadingError>? {
    switch (ending, head) {
    case (nil, _), (_, nil): return nil
    case (.failure(let error), _), (.success, .failed(let error)): return .failure(error)
    case (.success, .arrived(let head)):
      defer { bytes = Data() }
      return .success((head, bytes))
    }
  }

  // MARK: Who waits

  fileprivate mutating func add(_ continuation: BodyPipe.Continuation, for event: BodyPipe.Event) {
    awaited = event
    if waiter == nil { waiter = continuation } else { furtherWaiters.append(continuation) }
  }

  /// Those for whom there is something: of several who wait for bytes, one, unless no more will come.
  fileprivate mutating func takeWaiters() -> BodyPipe.Woken {
    guard let first = waiter, has(awaited) else { return .nobody }
    waiter = nil
    if furtherWaiters.isEmpty { return .one(first) }
    guard ending != nil else {
      waiter = furtherWaiters.removeFirst()
      return .one(first)
    }
    defer { furtherWaiters = [] }
    return .several([first] + furtherWaiters)
  }
}

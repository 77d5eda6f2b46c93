internal import Streams

/// What is on its way to the disk. Until it is there, it is read from here.
///
/// Of several entries under one key the newest counts: it is what is read, and it is written last. An older one that is
/// not being written yet is left out.
final class Backlog: Sendable {
  /// One entry on its way.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let key: DataCacheKey
    fileprivate let byteCount: Int
  }

  private struct Entry {
    let number: UInt64
    /// The job that made it.
    let job: UInt64?
    /// `nil` as long as it is still to be encoded.
    let encoded: EncodedImage?
  }

  private struct State {
    /// The newest of each key.
    var entries: [DataCacheKey: Entry] = [:]
    var writing: Set<DataCacheKey> = []
    /// How many are on their way, those left out included.
    var count = 0
    var byteCount = 0
    var lastNumber: UInt64 = 0
    var waitingForWriter: [DataCacheKey: [CheckedContinuation<Void, Never>]] = [:]
    var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())
  private let limit: Int

  /// - Parameter limit: Above so many bytes there is no room.
  init(limit: Int) { self.limit = limit }

  subscript(key: DataCacheKey) -> EncodedImage? { state.withLock { $0.entries[key]?.encoded } }

  /// - Parameter job: The job that made it: each of those who waited for a job brings the same.
  /// - Returns: `nil` if this very entry is on its way already.
  func begin(_ key: DataCacheKey, _ byteCount: Int, _ encoded: EncodedImage?, job: UInt64?) -> Ticket? {
    let (ticket, gone) = state.withLock { state -> (Ticket?, Entry?) in
      if let job, state.entries[key]?.job == job { return (nil, nil) }
      state.lastNumber += 1
      state.count += 1
      state.byteCount += byteCount
      let entry = Entry(number: state.lastNumber, job: job, encoded: encoded)
      let gone = state.entries.updateValue(entry, forKey: key)
      return (Ticket(number: state.lastNumber, key: key, byteCount: byteCount), gone)
    }
    withExtendedLifetime(gone) {}
    return ticket
  }

  /// Writes, after what is being written under the same key; not if a newer entry has come, or it was dropped.
  func write(
    _ ticket: Ticket, _ body: () async throws(DataCacheError) -> Void
  ) async throws(DataCacheError) {
    while true {
      let mayWrite = state.withLock { state -> Bool? in
        guard state.entries[ticket.key]?.number == ticket.number else { return false }
        return state.writing.insert(ticket.key).inserted ? true : nil
      }
      if mayWrite == false { return }
      if mayWrite == true { break }
      await waitForWriter(ticket.key)
    }
    defer { endWriting(ticket.key) }
    try await body()
  }

  func end(_ ticket: Ticket) {
    let (waiting, gone) = state.withLock { state in
      let isNewest = state.entries[ticket.key]?.number == ticket.number
      let gone = isNewest ? state.entries.removeValue(forKey: ticket.key) : nil
      state.count -= 1
      state.byteCount -= ticket.byteCount
      var waiting: [CheckedContinuation<Void, Never>] = []
      if state.byteCount <= limit { swap(&waiting, &state.waitingForRoom) }
      if state.count == 0 {
        waiting += state.waitingForEnd
        state.waitingForEnd = []
      }
      return (waiting, gone)
    }
    withExtendedLifetime(gone) {}
    for continuation in waiting { continuation.resume() }
  }

  /// Has an entry not arrive. Returns once it is not being written any more.
  func drop(_ key: DataCacheKey) async {
    let gone = state.withLock { $0.entries.removeValue(forKey: key) }
    withExtendedLifetime(gone) {}
    await waitForWriter(key)
  }

  /// The same for all.
  func dropAll() async {
    let (gone, writing) = state.withLock { state in
      defer { state.entries = [:] }
      return (state.entries, state.writing)
    }
    withExtendedLifetime(gone) {}
    for key in writing { await waitForWriter(key) }
  }

  /// Ends in any case: what is on its way arrives or fails, also if the task that waits is cancelled.
  func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.byteCount > limit { state.waitingForRoom.append(continuation) }
        return state.byteCount <= limit
      }
      if hasRoom { continuation.resume() }
    }
  }

  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.count > 0 { state.waitingForEnd.append(continuation) }
        return state.count == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  private func waitForWriter(_ key: DataCacheKey) async {
    await withCheckedContinuation { continuation in
      let isQuiet = state.withLock { state in
        let isQuiet = !state.writing.contains(key)
        if !isQuiet { state.waitingForWriter[key, default: []].append(continuation) }
        return isQuiet
      }
      if isQuiet { continuation.resume() }
    }
  }

  private func endWriting(_ key: DataCacheKey) {
    let waiting = state.withLock { state in
      state.writing.remove(key)
      return state.waitingForWriter.removeValue(forKey: key) ?? []
    }
    for continuation in waiting { continuation.resume() }
  }
}

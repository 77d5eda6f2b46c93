internal import Streams

/// Entries waiting to be written to disk. Once they are encoded, and until they are written, they are read from here.
/// Until they are encoded, there is nothing to read.
///
/// The newest entry for a key is the one that is read, and is written last. An older one is skipped unless it is being
/// written already.
///
/// A delegate may return different caches for one key. Their entries are separate.
final class PendingWrites: Sendable {
  /// Identifies one pending entry.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let key: Key
    fileprivate let byteCount: Int
  }

  fileprivate struct Key: Hashable {
    let entry: DataCacheKey
    let cache: ObjectIdentifier?
  }

  private struct Entry {
    let number: UInt64
    /// The job that made it.
    let job: UInt64?
    /// `nil` until it is encoded.
    let encoded: EncodedImage?
  }

  private struct State {
    /// The newest entry for each key.
    var entries: [Key: Entry] = [:]
    var writing: Set<Key> = []
    var byteCount = 0
    var lastNumber: UInt64 = 0
    /// All entries up to this number have ended, and of later ones these.
    var endedUpTo: UInt64 = 0
    var endedLater: Set<UInt64> = []
    var waitingForWriter: [Key: WaitingTasks<Void, Void>] = [:]
    var waitingForRoom = WaitingTasks<Void, Void>()
    /// Each waits for the entries up to a number.
    var waitingForEnd = WaitingTasks<Void, UInt64>()

    mutating func end(_ number: UInt64) {
      endedLater.insert(number)
      while endedLater.remove(endedUpTo + 1) != nil { endedUpTo += 1 }
    }

    subscript(waitingForWriterOf key: Key) -> WaitingTasks<Void, Void> {
      get { waitingForWriter[key] ?? WaitingTasks() }
      set { waitingForWriter[key] = newValue }
    }
  }

  private let state = Guarded(State())
  private let limit: Int

  /// - Parameter limit: Above this number of bytes there is no room; at least 0.
  init(limit: Int) { self.limit = max(0, limit) }

  subscript(key: DataCacheKey) -> EncodedImage? { read(key).encoded }

  /// The entry, unless it is still being encoded. What is on disk is outdated while an entry is pending.
  ///
  /// - Parameter cache: The identity of the cache that it waits for.
  func read(
    _ key: DataCacheKey, in cache: ObjectIdentifier? = nil
  ) -> (isPending: Bool, encoded: EncodedImage?) {
    let key = Key(entry: key, cache: cache)
    return state.withLock { ($0.entries[key] != nil, $0.entries[key]?.encoded) }
  }

  /// - Parameters:
  ///   - job: The job that made it. Every subscriber of a job brings the same entry.
  ///   - cache: The identity of the cache that it waits for.
  /// - Returns: `nil` if this entry is pending already.
  func begin(
    _ key: DataCacheKey, _ byteCount: Int, _ encoded: EncodedImage?, job: UInt64?,
    in cache: ObjectIdentifier? = nil
  ) -> Ticket? {
    let key = Key(entry: key, cache: cache)
    let (ticket, gone) = state.withLock { state -> (Ticket?, Entry?) in
      if let job, state.entries[key]?.job == job { return (nil, nil) }
      state.lastNumber += 1
      state.byteCount += byteCount
      let entry = Entry(number: state.lastNumber, job: job, encoded: encoded)
      let gone = state.entries.updateValue(entry, forKey: key)
      return (Ticket(number: state.lastNumber, key: key, byteCount: byteCount), gone)
    }
    withExtendedLifetime(gone) {}
    return ticket
  }

  /// Writes after other writes to the same key. Skipped if a newer entry exists or the entry was dropped.
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
    let (haveRoom, gone, atEnd) = state.withLock { state in
      let isNewest = state.entries[ticket.key]?.number == ticket.number
      let gone = isNewest ? state.entries.removeValue(forKey: ticket.key) : nil
      state.end(ticket.number)
      state.byteCount -= ticket.byteCount
      let ended = state.endedUpTo
      var atEnd: [WaitingTask<Void, UInt64>] = []
      while let task = state.waitingForEnd.popFirst(where: { $0.info <= ended }) { atEnd.append(task) }
      return (state.byteCount <= limit ? state.waitingForRoom.removeAll() : [], gone, atEnd)
    }
    withExtendedLifetime(gone) {}
    haveRoom.resumeAll()
    atEnd.resumeAll()
  }

  /// Drops the entries for a key, of all caches: a delegate may return a new one each time. Returns once none is being
  /// written any more.
  func drop(_ key: DataCacheKey) async { await drop { $0.entry == key } }

  /// Drops all entries.
  func dropAll() async { await drop { _ in true } }

  private func drop(_ isMeant: (Key) -> Bool) async {
    let (gone, writing) = state.withLock { state in
      let entries = state.entries
      state.entries = entries.filter { !isMeant($0.key) }
      return (entries, state.writing.filter(isMeant))
    }
    withExtendedLifetime(gone) {}
    for key in writing { await waitForWriter(key) }
  }

  /// Always returns: pending entries are written or fail, even if the waiting task is cancelled.
  func waitForRoom() async {
    if state.withLock({ $0.byteCount <= limit }) { return }
    await state.wait(in: { $1(&$0.waitingForRoom) }, info: (), ifCancelled: nil) {
      $0.byteCount > limit ? nil : ()
    }
  }

  /// Waits for the entries that are pending now. There may always be later ones.
  func waitForEnd() async {
    let last = state.withLock { $0.lastNumber }
    await state.wait(in: { $1(&$0.waitingForEnd) }, info: last, priority: { -Int(last) }, ifCancelled: nil) {
      $0.endedUpTo < last ? nil : ()
    }
  }

  private func waitForWriter(_ key: Key) async {
    await state.wait(in: { $1(&$0[waitingForWriterOf: key]) }, info: (), ifCancelled: nil) {
      $0.writing.contains(key) ? nil : ()
    }
  }

  private func endWriting(_ key: Key) {
    var waiting = state.withLock { state in
      state.writing.remove(key)
      return state.waitingForWriter.removeValue(forKey: key)
    }
    waiting?.removeAll().resumeAll()
  }
}

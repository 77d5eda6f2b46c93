internal import Streams

/// Permits to store the results of loads. Removing an entry revokes them.
///
/// Each load takes a permit when it starts, and stores its results under it. A removal revokes all existing permits for
/// its places, so that a load that started earlier stores nothing there. Permits taken until it ends are revoked, too,
/// because such loads may read what is about to be removed.
final class StorePermits<Place: Hashable & Sendable>: Sendable {
  private struct State {
    var revocations: [UInt64: [@Sendable (Place) -> Bool]] = [:]
    /// The places that are being cleared.
    var removals: [UInt64: @Sendable (Place) -> Bool] = [:]
    var writers: Set<UInt64> = []
    /// Each waits for the writers up to a number.
    var waiting = WaitingTasks<Void, UInt64>()
    var lastNumber: UInt64 = 0

    func hasWriters(upTo last: UInt64) -> Bool { writers.contains { $0 <= last } }
  }

  private let state = Guarded(State())

  /// Returns a permit to write anywhere, until it is revoked.
  func permit() -> StorePermit<Place> {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.revocations[state.lastNumber] = Array(state.removals.values)
      return state.lastNumber
    }
    return StorePermit(number, of: self)
  }

  /// Revokes permission to write to some places, for all existing permits. Returns once earlier writers have finished.
  func revoke(_ isMeant: @escaping @Sendable (Place) -> Bool) async {
    let last = state.withLock { state in
      for number in state.revocations.keys { state.revocations[number]?.append(isMeant) }
      return state.lastNumber
    }
    await state.wait(in: { $1(&$0.waiting) }, info: last, priority: { -Int(last) }, ifCancelled: nil) {
      $0.hasWriters(upTo: last) ? nil : ()
    }
  }

  /// Clears some places. No permit taken before the end of `clear` allows to write there.
  func remove(_ isMeant: @escaping @Sendable (Place) -> Bool, _ clear: () async -> Void) async {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.removals[state.lastNumber] = isMeant
      return state.lastNumber
    }
    await revoke(isMeant)
    await clear()
    let gone = state.withLock { $0.removals.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  fileprivate func drop(_ number: UInt64) {
    let gone = state.withLock { $0.revocations.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// - Returns: The number of the writer; `nil` if it must not write.
  fileprivate func enter(_ number: UInt64, _ place: Place) -> UInt64? {
    // A revocation that arrives meanwhile may be about another place, so it is looked at, too.
    while true {
      let revocations = state.withLock { $0.revocations[number] ?? [] }
      if revocations.contains(where: { $0(place) }) { return nil }
      let writer = state.withLock { state -> UInt64? in
        guard (state.revocations[number] ?? []).count == revocations.count else { return nil }
        state.lastNumber += 1
        state.writers.insert(state.lastNumber)
        return state.lastNumber
      }
      if let writer { return writer }
    }
  }

  fileprivate func leave(_ writer: UInt64) {
    let resumed = state.withLock { state in
      state.writers.remove(writer)
      let writers = state.writers
      var resumed: [WaitingTask<Void, UInt64>] = []
      while let task = state.waiting.popFirst(where: { last in !writers.contains { $0 <= last.info } }) {
        resumed.append(task)
      }
      return resumed
    }
    resumed.resumeAll()
  }
}

/// The permit of one load; see ``StorePermits``.
final class StorePermit<Place: Hashable & Sendable>: Sendable {
  private let number: UInt64
  private let permits: StorePermits<Place>

  fileprivate init(_ number: UInt64, of permits: StorePermits<Place>) {
    (self.number, self.permits) = (number, permits)
  }

  deinit { permits.drop(number) }

  /// Writes, unless the permit was revoked for this place.
  func write(to place: Place, _ body: () -> Void) {
    guard let writer = permits.enter(number, place) else { return }
    body()
    permits.leave(writer)
  }

  /// The same for an asynchronous write. A removal waits for it.
  func write(to place: Place, _ body: () async -> Void) async {
    guard let writer = permits.enter(number, place) else { return }
    await body()
    permits.leave(writer)
  }
}

/// A place where a pipeline stores results.
enum StorePlace: Hashable, Sendable {
  case memory(ImageCacheKey)
  /// The processed image on disk.
  case variant(ImageCacheKey)
  /// The loaded bytes on disk.
  case original(ResourceKey?)

  var isInMemory: Bool { if case .memory = self { true } else { false } }
}

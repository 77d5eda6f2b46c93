internal import Streams

/// Permits to store the results of loads. Removing an entry revokes them.
///
/// Each load takes a permit when it starts: the number of the last removal. It stores nothing in a place that was removed under a
/// greater number. A removal has a number at its begin and at its end, so permits taken until it ends are revoked, too: such loads
/// may read what is about to be removed.
///
/// - Complexity: Amortized O(1). O(n) for the end of a write, if a removal waits for one of n writers.
package final class StorePermits<Place: Hashable & Sendable>: Sendable {
  private struct State {
    var lastNumber: UInt64 = 0
    /// The number of the last removal of each place.
    var removals: [Place: UInt64] = [:]
    /// Removals up to this number are forgotten. To permits that are older, everything counts as removed.
    var forgottenUpTo: UInt64 = 0
    /// How many removals of each place are in progress.
    var running: [Place: Int] = [:]
    var writers: Set<UInt64> = []
    /// Each waits for the writers up to a number.
    var waiting = WaitingTasks<Void, UInt64>()

    mutating func revoke(_ places: [Place], running change: Int = 0) -> UInt64 {
      lastNumber += 1
      if removals.count >= 1_000 { (removals, forgottenUpTo) = ([:], lastNumber) }
      for place in places {
        removals[place] = lastNumber
        let count = running[place, default: 0] + change
        running[place] = count == 0 ? nil : count
      }
      return lastNumber
    }

    /// The number of the last removal of a place, or of the whole that it is a part of.
    func lastRemoval(of place: Place, _ whole: Place) -> UInt64 {
      max(forgottenUpTo, removals[place] ?? 0, removals[whole] ?? 0)
    }

    func hasWriters(upTo last: UInt64) -> Bool { writers.contains { $0 <= last } }
  }

  private let state = Guarded(State())
  private let whole: @Sendable (Place) -> Place

  /// - Parameter whole: Returns the place that stands for all of its kind.
  package init(whole: @escaping @Sendable (Place) -> Place) { self.whole = whole }

  /// The number of removals that are remembered.
  package var removalCount: Int { state.withLock { $0.removals.count } }

  /// Returns a permit to write anywhere, until it is revoked.
  package func permit() -> StorePermit<Place> {
    StorePermit(number: state.withLock { $0.lastNumber }, permits: self)
  }

  /// The number of the last removal of some places. `nil` if nothing was removed.
  package func lastRemoval(of places: () -> [Place]) -> UInt64? {
    if state.withLock({ $0.removals.isEmpty }) { return nil }
    let all = places().map { ($0, whole($0)) }
    let last = state.withLock { state in all.map { state.lastRemoval(of: $0, $1) }.max() }
    return last.flatMap { $0 == 0 ? nil : $0 }
  }

  /// Revokes permission to write to some places, for all existing permits. Returns once earlier writers have finished.
  package func revoke(_ places: [Place]) async {
    await waitForWriters(upTo: state.withLock { $0.revoke(places) })
  }

  /// Clears some places. No permit taken before the end of `clear` allows to write there.
  package func remove<Failure: Error>(
    _ places: [Place], _ clear: () async throws(Failure) -> Void
  ) async throws(Failure) {
    await waitForWriters(upTo: state.withLock { $0.revoke(places, running: 1) })
    defer { _ = state.withLock { $0.revoke(places, running: -1) } }
    try await clear()
  }

  private func waitForWriters(upTo last: UInt64) async {
    await state.wait(in: { $1(&$0.waiting) }, info: last, priority: { -Int(last) }, ifCancelled: nil) {
      $0.hasWriters(upTo: last) ? nil : ()
    }
  }

  /// - Returns: The number of the writer; `nil` if it must not write.
  fileprivate func enter(_ number: UInt64, _ place: Place) -> UInt64? {
    let whole = whole(place)
    return state.withLock { state in
      guard state.lastRemoval(of: place, whole) <= number, state.running[place] == nil,
        state.running[whole] == nil
      else { return nil }
      state.lastNumber += 1
      state.writers.insert(state.lastNumber)
      return state.lastNumber
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

extension StorePermits where Place: ExpressibleByNilLiteral {
  /// Permits for places of one kind. `nil` stands for all.
  package convenience init() { self.init { _ in nil } }
}

/// The permit of one load; see ``StorePermits``.
package struct StorePermit<Place: Hashable & Sendable>: Sendable {
  fileprivate let number: UInt64
  fileprivate let permits: StorePermits<Place>

  /// Writes, unless the permit was revoked for this place.
  package func write(to place: Place, _ body: () -> Void) {
    guard let writer = permits.enter(number, place) else { return }
    body()
    permits.leave(writer)
  }

  /// The same for an asynchronous write. A removal waits for it.
  package func write(to place: Place, _ body: () async -> Void) async {
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
  case allMemory
  case allDisk

  var whole: StorePlace {
    switch self {
    case .memory, .allMemory: .allMemory
    case .variant, .original, .allDisk: .allDisk
    }
  }
}

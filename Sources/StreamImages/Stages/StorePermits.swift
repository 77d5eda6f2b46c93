internal import Streams

/// Permits to store the results of loads. Removing an entry revokes them.
///
/// Each load takes a permit when it starts, and stores its results under it. Permits and removals are numbered in one order: a
/// permit that is older than the last removal of a place allows nothing there, so that a load that started earlier stores
/// nothing. Permits taken until a removal ends are revoked, too, because such loads may read what is about to be removed.
///
/// - Complexity: Amortized O(1), whatever the number of permits. O(n) for the end of a write, if a removal waits for one of n writers.
package final class StorePermits<Place: Hashable & Sendable>: Sendable {
  private struct Removal {
    /// When it began or ended last.
    var number: UInt64 = 0
    /// The number of removals in progress.
    var running = 0
  }

  private struct State {
    var lastNumber: UInt64 = 0
    /// The permits that exist.
    var permits: Set<UInt64> = []
    /// Those that are older than all permits are forgotten now and then.
    var removals: [Place: Removal] = [:]
    var removalLimit = 64
    var writers: Set<UInt64> = []
    /// Each waits for the writers up to a number.
    var waiting = WaitingTasks<Void, UInt64>()

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    mutating func revoke(_ places: [Place], running change: Int = 0) -> UInt64 {
      let number = nextNumber()
      for place in places {
        removals[place, default: Removal()].number = number
        removals[place]?.running += change
      }
      if removals.count > removalLimit {
        let oldest = permits.min() ?? .max
        removals = removals.filter { $0.value.running > 0 || $0.value.number > oldest }
        removalLimit = max(64, 2 * removals.count)
      }
      return number
    }

    /// The last removal of a place, or of the whole that it is a part of.
    func lastRemoval(of place: Place, _ whole: Place) -> (number: UInt64, running: Int) {
      let (own, whole) = (removals[place] ?? Removal(), removals[whole] ?? Removal())
      return (max(own.number, whole.number), max(own.running, whole.running))
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
    let number = state.withLock { state in
      let number = state.nextNumber()
      state.permits.insert(number)
      return number
    }
    return StorePermit(number, of: self)
  }

  /// The number of the last removal of some places. `nil` if none was removed since the oldest permit was taken.
  package func lastRemoval(of places: () -> [Place]) -> UInt64? {
    if state.withLock({ $0.removals.isEmpty }) { return nil }
    let all = places().map { ($0, whole($0)) }
    let last = state.withLock { state in all.map { state.lastRemoval(of: $0, $1).number }.max() }
    return last == 0 ? nil : last
  }

  /// Revokes permission to write to some places, for all existing permits. Returns once earlier writers have finished.
  package func revoke(_ places: [Place]) async {
    await waitForWriters(upTo: state.withLock { $0.revoke(places) })
  }

  /// Clears some places. No permit taken before the end of `clear` allows to write there.
  package func remove(_ places: [Place], _ clear: () async -> Void) async {
    await waitForWriters(upTo: state.withLock { $0.revoke(places, running: 1) })
    await clear()
    _ = state.withLock { $0.revoke(places, running: -1) }
  }

  private func waitForWriters(upTo last: UInt64) async {
    await state.wait(in: { $1(&$0.waiting) }, info: last, priority: { -Int(last) }, ifCancelled: nil) {
      $0.hasWriters(upTo: last) ? nil : ()
    }
  }

  fileprivate func drop(_ number: UInt64) { _ = state.withLock { $0.permits.remove(number) } }

  /// - Returns: The number of the writer; `nil` if it must not write.
  fileprivate func enter(_ number: UInt64, _ place: Place) -> UInt64? {
    let whole = whole(place)
    return state.withLock { state in
      let last = state.lastRemoval(of: place, whole)
      guard last.number < number, last.running == 0 else { return nil }
      let writer = state.nextNumber()
      state.writers.insert(writer)
      return writer
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
package final class StorePermit<Place: Hashable & Sendable>: Sendable {
  private let number: UInt64
  private let permits: StorePermits<Place>

  fileprivate init(_ number: UInt64, of permits: StorePermits<Place>) {
    (self.number, self.permits) = (number, permits)
  }

  deinit { permits.drop(number) }

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

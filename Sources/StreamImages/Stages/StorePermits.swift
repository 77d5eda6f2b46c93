internal import Streams

/// Permissions to keep what a load brings, which a removal takes back.
///
/// Each load takes a permit when it begins, and keeps what it brings under it. A removal revokes the permits that there
/// are, so that a load that began before it leaves nothing behind.
final class StorePermits<Place: Hashable & Sendable>: Sendable {
  private struct State {
    var revocations: [UInt64: [@Sendable (Place) -> Bool]] = [:]
    var writers: Set<UInt64> = []
    var waiting: [(writers: Set<UInt64>, continuation: CheckedContinuation<Void, Never>)] = []
    var lastNumber: UInt64 = 0
  }

  private let state = Guarded(State())

  /// A permit to write anywhere, until it is revoked.
  func permit() -> StorePermit<Place> {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.revocations[state.lastNumber] = []
      return state.lastNumber
    }
    return StorePermit(number, of: self)
  }

  /// Forbids writing to some places under the permits that there are. Returns once nobody is writing who began before.
  func revoke(_ isMeant: @escaping @Sendable (Place) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isQuiet = state.withLock { state in
        for number in state.revocations.keys { state.revocations[number]?.append(isMeant) }
        if !state.writers.isEmpty { state.waiting.append((state.writers, continuation)) }
        return state.writers.isEmpty
      }
      if isQuiet { continuation.resume() }
    }
  }

  fileprivate func drop(_ number: UInt64) {
    let gone = state.withLock { $0.revocations.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// - Returns: The number of the writer; `nil` if it must not write.
  fileprivate func enter(_ number: UInt64, _ place: Place) -> UInt64? {
    let revocations = state.withLock { $0.revocations[number] ?? [] }
    if revocations.contains(where: { $0(place) }) { return nil }
    return state.withLock { state in
      // Revoked meanwhile: whichever place was meant, it is safe not to write.
      guard state.revocations[number]?.count == revocations.count else { return nil }
      state.lastNumber += 1
      state.writers.insert(state.lastNumber)
      return state.lastNumber
    }
  }

  fileprivate func leave(_ writer: UInt64) {
    let free = state.withLock { state in
      state.writers.remove(writer)
      for index in state.waiting.indices { state.waiting[index].writers.remove(writer) }
      let free = state.waiting.filter(\.writers.isEmpty).map(\.continuation)
      state.waiting.removeAll(where: \.writers.isEmpty)
      return free
    }
    for continuation in free { continuation.resume() }
  }
}

/// The permission of one load; see ``StorePermits``.
final class StorePermit<Place: Hashable & Sendable>: Sendable {
  private let number: UInt64
  private let permits: StorePermits<Place>

  fileprivate init(_ number: UInt64, of permits: StorePermits<Place>) {
    (self.number, self.permits) = (number, permits)
  }

  deinit { permits.drop(number) }

  /// Writes, unless that was forbidden.
  func write(to place: Place, _ body: () -> Void) {
    guard let writer = permits.enter(number, place) else { return }
    body()
    permits.leave(writer)
  }

  /// The same for what takes time. A removal waits for it.
  func write(to place: Place, _ body: () async -> Void) async {
    guard let writer = permits.enter(number, place) else { return }
    await body()
    permits.leave(writer)
  }
}

/// Where a pipeline keeps what a request brings.
enum StorePlace: Hashable, Sendable {
  case memory(ImageCacheKey)
  /// The picture on disk, as it was delivered.
  case variant(ImageCacheKey)
  /// The bytes on disk, as they were loaded.
  case original(ResourceKey?)

  var isInMemory: Bool { if case .memory = self { true } else { false } }
}

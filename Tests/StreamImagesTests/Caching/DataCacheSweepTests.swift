import Foundation
import StreamImages
import Testing

@Suite("`DataCache`: sweeping", .timeLimit(.minutes(5)))
struct DataCacheSweepTests {
  /// Holds a sweep at its beginning, where it reads the clock. A thread cannot wait there for ever: a cache whose other
  /// operations wait for the sweep fails in time.
  private final class HeldSweep: Sendable {
    private let isHolding = Shared(false)
    private let arrived = DispatchSemaphore(value: 0)
    private let mayGoOn = DispatchSemaphore(value: 0)

    @Sendable func now() -> Int {
      let holds = isHolding.value
      isHolding.change { $0 = false }
      if holds {
        arrived.signal()
        _ = mayGoOn.wait(timeout: .now() + 120)
      }
      return wallTime()
    }

    /// Starts a sweep, and returns once it is held.
    func sweep(_ cache: DataCache, then body: @escaping @Sendable () -> Void) async -> Task<Void, Never> {
      isHolding.change { $0 = true }
      let sweep = Task {
        await cache.sweep()
        body()
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [self] in
          arrived.wait()
          continuation.resume()
        }
      }
      return sweep
    }

    func release() { mayGoOn.signal() }
  }

  private let folder: CacheFolder

  init() throws { folder = try CacheFolder() }

  private func key(_ name: Int) -> DataCacheKey { DataCacheKey("\(name)") }

  @Test("`DataCache` stores and removes without waiting for a running sweep")
  func storing() async throws {
    let (held, events) = (HeldSweep(), Shared([String]()))
    let cache = DataCache(.success(folder.directory.path), DiskLimits(), now: held.now)
    try await cache.store(content(100), for: key(0))
    let sweep = await held.sweep(cache) { events.change { $0.append("swept") } }

    try await cache.store(content(100), for: key(1))
    events.change { $0.append("stored") }
    #expect(await cache.data(for: key(1)) == content(100))
    await cache.remove(key(1))
    await cache.removeAll()
    events.change { $0.append("removed") }
    #expect(await cache.data(for: key(0)) == nil)
    held.release()
    await sweep.value

    #expect(events.value == ["stored", "removed", "swept"])
  }

  @Test("A cached entry dated in the future ages from the sweep that finds it")
  func future() async throws {
    let time = Shared(9_000_000_000_000)
    let cache = DataCache(
      .success(folder.directory.path), DiskLimits(byteCount: 10_000), now: { time.value })
    try await cache.store(content(900), for: key(0))
    time.change { $0 = 1_000_000_000_000 }
    let other = DataCache(
      .success(folder.directory.path), DiskLimits(byteCount: 10_000), now: { time.value })
    await other.sweep()

    // The clock is far from where it was when the entry was stored.
    for name in 1..<14 {
      time.change { $0 += 1_000_000_000 }
      try await other.store(content(900), for: key(name))
    }
    await other.sweep()

    #expect(await other.contains(key(0)) == false)
    #expect(await other.contains(key(13)))
  }

  @Test("Stores during a sweep continue up to half of the limit, then wait for its end")
  func pressure() async throws {
    let (held, events) = (HeldSweep(), Shared([String]()))
    let cache = DataCache(.success(folder.directory.path), DiskLimits(byteCount: 10_000), now: held.now)
    try await cache.store(content(900), for: key(0))
    await cache.settle()
    let sweep = await held.sweep(cache) { events.change { $0.append("swept") } }

    for name in 1..<6 { try await cache.store(content(900), for: key(name)) }
    events.change { $0.append("stored half of the limit") }
    let last = Task {
      try await cache.store(content(900), for: key(6))
      events.change { $0.append("stored more") }
    }
    // It is found before it returns: what it waits for is the sweep.
    while await !cache.contains(key(6)) { await Task.yield() }
    events.change { $0.append("released") }
    held.release()
    await sweep.value
    try await last.value

    #expect(events.value.prefix(2) == ["stored half of the limit", "released"])
    #expect(events.value.count == 4)
  }

  @Test("Entries stored during a sweep of `DataCache` count towards its limit")
  func storedMeanwhile() async throws {
    let held = HeldSweep()
    let cache = DataCache(.success(folder.directory.path), DiskLimits(byteCount: 10_000), now: held.now)
    for name in 0..<8 { try await cache.store(content(900), for: key(name)) }
    await cache.settle()
    let sweep = await held.sweep(cache) {}

    for name in 8..<12 { try await cache.store(content(900), for: key(name)) }
    held.release()
    await sweep.value
    await cache.settle()

    #expect(await cache.totals().byteCount <= 10_000)
    #expect(await cache.contains(key(11)))
  }

  @Test("A cache sweep deletes only as many as needed of entries used at the same moment")
  func sameMoment() async throws {
    let large = folder.cache()
    for name in 0..<12 { try await large.store(content(900), for: key(name)) }
    await large.settle()
    for name in 0..<12 {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.file(of: key(name)).path)
    }

    let small = folder.cache(limit: 5_000)
    await small.sweep()

    #expect((2_500...3_500).contains(await small.totals().byteCount))
  }

  @Test("A cache sweep does nothing while another instance sweeps")
  func another() async throws {
    let large = folder.cache()
    for name in 0..<12 { try await large.store(content(900), for: key(name)) }
    await large.settle()
    let watch = open(folder.directory.appending(path: "v1/sweeping").path, O_RDWR)
    #expect(flock(watch, LOCK_EX) == 0)
    let small = folder.cache(limit: 5_000)

    await small.sweep()
    #expect(await small.totals().count == 12)
    try await small.store(content(900), for: key(12))
    await small.settle()
    close(watch)
    await small.sweep()

    #expect(await small.totals().byteCount <= 3_500)
    #expect(await small.contains(key(12)))
  }

  @Test("Removing all cached entries during a sweep restarts the count of bytes")
  func removing() async throws {
    let held = HeldSweep()
    let cache = DataCache(.success(folder.directory.path), DiskLimits(byteCount: 10_000), now: held.now)
    for name in 0..<8 { try await cache.store(content(900), for: key(name)) }
    await cache.settle()
    let sweep = await held.sweep(cache) {}
    await cache.removeAll()
    held.release()
    await sweep.value

    for name in 8..<17 { try await cache.store(content(900), for: key(name)) }
    #expect(await cache.totals().count == 9)
    for name in 17..<20 { try await cache.store(content(900), for: key(name)) }
    await cache.settle()
    #expect(await cache.totals().byteCount <= 10_000)
    #expect(await cache.contains(key(19)))
  }

  @Test("Cached entries dated outside the range of nanoseconds survive a sweep", arguments: [-3e9, 1e10])
  func farTimes(_ seconds: Double) async throws {
    let cache = folder.cache(limit: 10_000)
    try await cache.store(content(900), for: key(0))
    await cache.settle()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder.file(of: key(0)).path)

    #expect(await cache.contains(key(0)))
    await cache.sweep()

    #expect(await cache.data(for: key(0)) == content(900))
  }

  @Test(
    "A cache store succeeds although its directory is deleted while the entry is written",
    arguments: [true, false])
  func deletedWhileWriting(_ isNew: Bool) async throws {
    let (directory, isArmed) = (folder.directory, Shared(false))
    let cache = DataCache(.success(directory.path), DiskLimits()) {
      let deletes = isArmed.value
      isArmed.change { $0 = false }
      // The clock is read between the writing of the bytes and the renaming.
      if deletes { try? FileManager.default.removeItem(at: directory) }
      return wallTime()
    }
    if !isNew {
      try await cache.store(content(100), for: key(0))
      await cache.settle()
    }
    isArmed.change { $0 = true }

    try await cache.store(content(200), for: key(1))

    #expect(isArmed.value == false)
    #expect(await cache.data(for: key(1)) == content(200))
    #expect(await cache.data(for: key(0)) == nil)
  }
}

/// Nanoseconds since 1970.
private func wallTime() -> Int {
  Int(Date().timeIntervalSince1970 * 1e9)
}

import Foundation
import StreamImages
import Testing

@Suite("`LayeredDataCache`", .timeLimit(.minutes(20)))
struct LayeredDataCacheTests {
  private let first = RecordingDataCache()
  private let second = RecordingDataCache()
  private let key = DataCacheKey("a")
  private var cache: LayeredDataCache { LayeredDataCache(layers: [first, second]) }

  @Test("A layered read returns the first layer's entry and copies it into earlier layers")
  func reading() async throws {
    try await second.store(content(10), for: key)

    #expect(await cache.data(for: key) == content(10))
    #expect(await cache.data(for: key) == content(10))

    #expect(second.reads.count == 1 && first.writes.count == 1)
    #expect(await cache.data(for: DataCacheKey("b")) == nil)
  }

  @Test("An entry found only in the last layer is copied into all others")
  func readingFromTheLast() async throws {
    let third = RecordingDataCache()
    try await third.store(content(10), for: key)

    #expect(await LayeredDataCache(layers: [first, second, third]).data(for: key) == content(10))

    #expect(first.entries.count == 1 && second.entries.count == 1)
  }

  @Test("The first layer alone is asked for data that is there at once")
  func immediate() async throws {
    let layers = [EncodedMemoryCache(over: nil), EncodedMemoryCache(over: nil)]
    let cache = LayeredDataCache(layers: layers)
    try await layers[1].store(content(10), for: key)
    #expect(cache.immediateData(for: key) == nil)

    try await layers[0].store(content(10), for: key)

    #expect(cache.immediateData(for: key) == content(10))
    #expect(LayeredDataCache(layers: []).immediateData(for: key) == nil)
    #expect(await LayeredDataCache(layers: []).data(for: key) == nil)
    #expect(RecordingDataCache().immediateData(for: key) == nil)
  }

  @Test("`LayeredDataCache` stores in all layers and removes from all layers")
  func writing() async throws {
    try await cache.store(content(10), for: key)
    #expect(first.entries.count == 1 && second.entries.count == 1)
    #expect(await cache.contains(key))

    await cache.remove(key)
    #expect(await cache.contains(key) == false)
    try await cache.store(content(10), for: key)
    await cache.removeAll()
    #expect(first.entries.isEmpty && second.entries.isEmpty)
  }

  @Test("A layered store tries all layers and throws the first error")
  func failing() async {
    let cache = LayeredDataCache(layers: [
      ScriptedDataCache(error: .diskFull), ScriptedDataCache(error: .noCacheDirectory), second,
    ])

    await #expect(throws: DataCacheError.diskFull) { try await cache.store(content(10), for: key) }

    #expect(second.entries.count == 1)
  }

  @Test(
    "An entry removed while it is read is not copied into other layers", arguments: [false, true])
  func removedMeanwhile(all: Bool) async throws {
    let disk = ChangingDisk()
    let cache = LayeredDataCache(layers: [first, disk])
    await disk.store(content(10), for: key)
    disk.onRead { [key] in if all { await cache.removeAll() } else { await cache.remove(key) } }

    _ = await cache.data(for: key)

    #expect(first.entries.isEmpty)
  }

  @Test("An entry replaced while it is read is not overwritten by its old value")
  func replacedMeanwhile() async throws {
    let disk = ChangingDisk()
    let cache = LayeredDataCache(layers: [first, disk])
    await disk.store(content(10), for: key)
    disk.onRead { [key] in try? await cache.store(content(20), for: key) }

    _ = await cache.data(for: key)

    #expect(await first.data(for: key) == content(20))
    #expect(await disk.data(for: key) == content(20))
  }
}

import Foundation
import StreamImages
import StreamsExtras

/// What an entry holds follows from its name and the number of its version: whoever reads it knows whether it is right.
enum Entry {
  static func content(_ name: Int, _ version: Int) -> CachedData {
    let count = 100 + (name * 7919 + version * 104_729) % 20_000
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ name ^ (version &* 17) ^ ($0 >> 8)) }
    return CachedData(Data(bytes), attributes: ["name": "\(name)", "version": "\(version)"])
  }

  static func key(_ name: Int) -> DataCacheKey { DataCacheKey("entry \(name)") }

  /// The version that an entry has, if it is one.
  static func version(_ found: CachedData, _ name: Int) -> Int? {
    guard found.attributes["name"] == "\(name)",
      let version = found.attributes["version"].flatMap({ Int($0) }),
      found == content(name, version)
    else { return nil }
    return version
  }
}

/// Stores one entry after the other, and says so when each is stored.
func write(_ cache: DataCache, from first: Int, count: Int) async throws {
  for name in first..<first + count {
    try await cache.store(Entry.content(name, 1), for: Entry.key(name))
    say("stored \(name)")
  }
}

/// Checks entries, and says how many are there and how many of those are not what was stored.
func check(_ cache: DataCache, names: Range<Int>) async {
  var (found, corrupt) = (0, 0)
  for name in names {
    guard let entry = await cache.data(for: Entry.key(name)) else { continue }
    found += 1
    if Entry.version(entry, name) == nil { corrupt += 1 }
  }
  say("found \(found) corrupt \(corrupt)")
}

/// Stores, reads, removes and sweeps as it comes, next to others who do the same; says how much of what it read was not
/// what somebody stored.
///
/// - Parameter length: So many steps, or with an "s" behind it so many seconds.
func churn(_ cache: DataCache, length: String, seed: UInt64) async throws {
  var lot = Lot(state: seed)
  var (read, corrupt, failed, step) = (0, 0, 0, 0)
  let end = length.hasSuffix("s") ? ContinuousClock.now + .seconds(Int(length.dropLast()) ?? 0) : nil
  while end.map({ .now < $0 }) ?? (step < Int(length) ?? 0) {
    step += 1
    let name = Int.random(in: 0..<60, using: &lot)
    switch Int.random(in: 0..<20, using: &lot) {
    case 0: await cache.remove(Entry.key(name))
    case 1: await cache.sweep()
    case 2..<9:
      do { try await cache.store(Entry.content(name, step), for: Entry.key(name)) } catch { failed += 1 }
    default:
      guard let entry = await cache.data(for: Entry.key(name)) else { continue }
      read += 1
      if Entry.version(entry, name) == nil { corrupt += 1 }
    }
  }
  say("steps \(step) read \(read) corrupt \(corrupt) failed \(failed)")
}

/// The same numbers for the same seed.
struct Lot: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

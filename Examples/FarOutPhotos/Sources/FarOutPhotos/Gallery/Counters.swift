import Foundation
import StreamImages
import Synchronization

/// What the gallery has done so far.
final class Counters: Sendable {
  struct Numbers: Sendable, Encodable, Equatable {
    /// For pictures.
    var requests = 0
    /// Found in memory or on disk.
    var hits = 0
    /// Variants that had to be made.
    var made = 0
    /// Originals that had to be loaded.
    var originals = 0
    /// Answered with 304: the client, or a cache in between, had it.
    var unchanged = 0
    /// Requests whose client left before it had all of the answer.
    var cancelled = 0
    var failed = 0
    var bytesSent = 0
    /// Of originals, for variants.
    var bytesDecoded = 0
  }

  /// What is under way.
  let activity = ActivityTracker()
  private let state = Mutex(Numbers())

  var numbers: Numbers { state.withLock { $0 } }

  func count(_ number: any WritableKeyPath<Numbers, Int> & Sendable) { add(1, to: number) }

  func add(_ difference: Int, to number: any WritableKeyPath<Numbers, Int> & Sendable) {
    state.withLock { $0[keyPath: number] += difference }
  }
}

/// What pages are told, again and again.
struct Status: Encodable, Equatable {
  let numbers: Counters.Numbers
  let inFlight: Int
  let prefetching: Int
  let variantBytes: Int
  let variantLimit: Int
  /// Of the whole process; 0 where the system does not tell.
  let residentBytes: Int

  init(_ gallery: Gallery, prefetching: Int) {
    numbers = gallery.counters.numbers
    inFlight = gallery.counters.activity.count
    self.prefetching = prefetching
    variantBytes = gallery.variantsInMemory
    variantLimit = gallery.limits.variants
    residentBytes = Memory.resident ?? 0
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else { preconditionFailure("numbers always are JSON") }
    return String(decoding: data, as: UTF8.self)
  }
}

/// The memory of this process, in bytes, as far as the system tells.
enum Memory {
  static var resident: Int? { read("VmRSS:") }

  /// The most there ever was.
  static var peak: Int? { read("VmHWM:") }

  private static func read(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
  }
}

import Foundation
import StreamImages

/// Does an original of 60 MB, and a thumbnail of its 100 megapixels, make other thumbnails wait?
struct Measurement {
  /// Between two requests, whether the first has been answered or not: as people, who do not wait for each other.
  private static let pause = Duration.milliseconds(30)
  private static let goal = 2.0

  private let cache: DataCache
  private let huge: HugePicture
  private let origin: Origin
  private let gallery: Gallery
  private let server: HTTPServer

  init(cache: DataCache, huge: HugePicture) throws {
    self.cache = cache
    self.huge = huge
    origin = try Origin(huge: huge)
    gallery = Gallery(origin.photos, cache: cache)
    server = try HTTPServer(Site(gallery).answer)
  }

  /// - Returns: Whether it is as it should be.
  func run() async throws -> Bool {
    let before = Memory.resident ?? 0
    await gallery.forgetAll()
    say("Preparing: \(skies.count) paintings, and \(grouped(huge.byteCount)) bytes of one picture")
    let visitor = Visitor(of: server)
    for sky in skies { try await visitor.get("photos/\(sky)/original") }

    var (alone, beside) = (Times(), Times())
    var originals = 0
    for round in 0..<4 {
      alone += try await thumbnails(round, isOdd: false)
      let load = Task { try await loadHuge(round) }
      beside += try await thumbnails(round, isOdd: true)
      originals += try await load.value
    }

    say("Thumbnails of originals on disk, one every 30 ms, \(alone.count) each:")
    say("  nothing else             \(alone)")
    say("  while 60 MB are loading  \(beside)")
    let ratio = beside.percentile(99) / alone.percentile(99)
    say(
      "99 % of thumbnail requests within \(rounded(ratio)) times their time without it (goal: \(Int(Self.goal)));"
        + " it was loaded \(originals) times.")
    let isWithinLimits = sayMemory(before: before)
    return ratio <= Self.goal && isWithinLimits
  }

  private var skies: [Int] { gallery.photos.indices.filter { gallery.photos[$0].identity.hasPrefix("sky") } }
  private var hugeIndex: Int { gallery.photos.firstIndex { $0.size == HugePicture.size } ?? 0 }

  /// Asks for thumbnails that nobody has asked for. Half of each shape is for one series, half for the other.
  private func thumbnails(_ round: Int, isOdd: Bool) async throws -> Times {
    let visitor = Visitor(of: server)
    return try await withThrowingTaskGroup(of: Duration.self) { group in
      for side in [200 + 80 * round, 240 + 80 * round] {
        for sky in skies {
          let mode = (sky % 2 == 0) == isOdd ? "fit" : "fill"
          group.addTask { try await visitor.get("photos/\(sky)/\(mode)/\(side)x\(side)").time }
          try await Task.sleep(for: Self.pause)
        }
      }
      return Times(try await group.reduce(into: []) { $0.append($1 / .milliseconds(1)) })
    }
  }

  /// Loads the original as often as there is time for, with a thumbnail of it that nobody has.
  private func loadHuge(_ round: Int) async throws -> Int {
    let visitor = Visitor(of: server)
    let side = 200 + 40 * round
    async let thumbnail = visitor.get("photos/\(hugeIndex)/fit/\(side)x\(side)")
    let original = try await visitor.get("photos/\(hugeIndex)/original")
    try await _ = thumbnail
    return original.byteCount == huge.byteCount ? 1 : 0
  }

  private func sayMemory(before: Int) -> Bool {
    guard let peak = Memory.peak else { return true }
    let (used, limit) = (peak - before, gallery.limits.total)
    say(
      "Peak memory \(peak >> 20) MiB: \(before >> 20) MiB at the beginning, and \(used >> 20) of \(limit >> 20) MiB that"
        + " the limits allow.")
    return used <= limit
  }
}

/// How long things took, in milliseconds.
struct Times: CustomStringConvertible {
  private var sorted: [Double] = []

  init(_ milliseconds: [Double] = []) { sorted = milliseconds.sorted() }

  var count: Int { sorted.count }

  static func += (left: inout Times, right: Times) { left = Times(left.sorted + right.sorted) }

  /// The time within which so many of a hundred were done.
  func percentile(_ percent: Int) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
  }

  var description: String {
    "median \(rounded(percentile(50))) ms, 99 % within \(rounded(percentile(99))) ms"
  }
}

/// With one decimal.
func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

/// With a space at every third digit.
func grouped(_ number: Int) -> String {
  var text = String(number)
  for place in stride(from: text.count - 3, to: 0, by: -3) {
    text.insert(" ", at: text.index(text.startIndex, offsetBy: place))
  }
  return text
}

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
    say("Preparing: \(skies.count) paintings, and \(grouped(huge.byteCount)) bytes of one image")
    let visitor = Visitor(of: server)
    for sky in skies { try await visitor.get("photos/\(sky)/original") }

    var (alone, loading, reading) = (Times(), Times(), Times())
    for round in 0..<4 {
      alone += try await thumbnails(3 * round)
      loading += try await beside(round, isLoaded: false) { try await thumbnails(3 * round + 1) }
      reading += try await beside(round, isLoaded: true) { try await thumbnails(3 * round + 2) }
    }

    say("Thumbnails of originals on disk, one every 30 ms, \(alone.count) each:")
    say("  nothing else                    \(alone)")
    say("  while \(huge.byteCount / 1_000_000) MB are being loaded    \(loading)")
    say("  and when they are on disk       \(reading)")
    let ratios = [loading, reading].map { $0.percentile(99) / alone.percentile(99) }
    say(
      "99 % of thumbnail requests within \(rounded(ratios[0])) times their time without it, and"
        + " \(rounded(ratios[1])) times when it is on disk (goal: \(Int(Self.goal))).")
    let isWithinLimits = sayMemory(before: before)
    return ratios.allSatisfy { $0 <= Self.goal } && isWithinLimits
  }

  private var skies: [Int] { gallery.photos.indices.filter { gallery.photos[$0].identity.hasPrefix("sky") } }
  private var hugeIndex: Int { gallery.photos.firstIndex { $0.size == HugePicture.size } ?? 0 }

  /// Asks for thumbnails that nobody has asked for, half of them in each shape.
  private func thumbnails(_ series: Int) async throws -> Times {
    let visitor = Visitor(of: server)
    let side = 200 + 40 * series
    return try await withThrowingTaskGroup(of: Duration.self) { group in
      for (mode, other) in [("fit", "fill"), ("fill", "fit")] {
        for sky in skies {
          let path = "photos/\(sky)/\(sky % 2 == 0 ? mode : other)/\(side)x\(side)"
          group.addTask { try await visitor.get(path).time }
          try await Task.sleep(for: Self.pause)
        }
      }
      return Times(try await group.reduce(into: []) { $0.append($1 / .milliseconds(1)) })
    }
  }

  /// Does something while the original is loaded, with a thumbnail of it that nobody has; again and again.
  ///
  /// - Parameter isLoaded: Whether the original is on disk.
  private func beside(
    _ round: Int, isLoaded: Bool, _ body: () async throws -> Times
  ) async throws -> Times {
    if !isLoaded { await gallery.forgetOriginal(of: gallery.photos[hugeIndex]) }
    let load = Task { [hugeIndex, server] in
      let visitor = Visitor(of: server)
      var side = 200 + 400 * round + (isLoaded ? 200 : 0)
      repeat {
        let path = "photos/\(hugeIndex)/fit/\(side)x\(side)"
        async let thumbnail = visitor.get(path)
        try await visitor.get("photos/\(hugeIndex)/original")
        try await _ = thumbnail
        side += 40
      } while !Task.isCancelled
    }
    let times = try await body()
    load.cancel()
    // What was under way is cancelled with it.
    _ = await load.result
    return times
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

import StreamImages
import Studio

/// Tells what arrived when, and remembers it.
@MainActor
final class Timeline {
  private(set) var pictures: [Image] = []
  private(set) var count = 0
  private(set) var hasFailed = false

  private let photograph: Photograph
  private let size: Int
  private let start: ContinuousClock.Instant
  private var first: (time: Duration, isFromCache: Bool)?

  init(_ photograph: Photograph, size: Int) {
    self.photograph = photograph
    self.size = size
    Console.say("\n\(photograph.name)")
    start = ContinuousClock.now
  }

  func note(_ exhibit: Exhibit) {
    let time = start.duration(to: exhibit.time)
    if exhibit.isPlaceholder {
      let size = exhibit.image.size
      return say(
        time,
        "placeholder  \("\(size.width) × \(size.height)".padded(to: 8)) pixels  known before it is loaded")
    }
    count += 1
    switch exhibit.source {
    case .success(let response):
      first = first ?? (time, response.cacheSource != nil)
      pictures.append(response.image)
      let step = response.request.processors.isEmpty ? "original" : "resized"
      let pixels = "\(response.image.width) × \(response.image.height)"
      say(time, "\(step.padded(to: -8))  \(pixels.padded(to: 11)) pixels  \(response.story)")
    case .failure(let error):
      hasFailed = true
      say(time, "failure image")
      Console.complain("\(photograph.name): \(error)")
    }
  }

  func end() { say(start.duration(to: .now), "finished") }

  /// Says how long the first picture took, compared with the run that had to make it.
  func compare(with figures: inout Figures) {
    guard let first else { return }
    let key = "\(photograph.id ?? photograph.name) at \(size)"
    guard first.isFromCache, let earlier = figures[key] else {
      if !first.isFromCache { figures[key] = first.time.milliseconds }
      return Console.say("   First image after \(first.time.milliseconds.rounded) ms.")
    }
    let ratio = earlier / max(first.time.milliseconds, 0.001)
    Console.say(
      "   First image after \(first.time.milliseconds.rounded) ms, from the cache: "
        + "\(ratio.rounded) times as fast as the \(earlier.rounded) ms of the run that made it.")
  }

  private func say(_ time: Duration, _ text: String) {
    Console.say("\(time.milliseconds.rounded.padded(to: 8)) ms  \(text)")
  }
}

extension ImageResponse {
  /// Where the picture comes from, and how many bytes it was read from.
  fileprivate var story: String {
    let bytes = "\(byteCount.grouped) bytes"
    if let cacheSource { return "\(bytes) in the cache (\(cacheSource))" }
    return "made of \(bytes) from \(origin)"
  }
}

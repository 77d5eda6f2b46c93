import Studio

/// The last line: how it went, in figures.
struct Summary {
  private var photographs = 0
  private var pictures = 0
  private var failures = 0

  var isGood: Bool { failures == 0 }

  @MainActor
  mutating func add(_ timeline: Timeline, isSaved: Bool) {
    photographs += 1
    pictures += timeline.pictures.count
    if timeline.hasFailed || !isSaved { failures += 1 }
  }

  func say(duration: Duration, requestCount: Int?) {
    var parts = [photographs.of("photograph"), pictures.of("image"), "\(duration.milliseconds.rounded) ms"]
    if let requestCount { parts.append("\(requestCount.of("request")) to the server") }
    if let peak = Memory.peak { parts.append("peak memory \(peak / 1_000_000) MB") }
    parts.append(failures.of("failure"))
    Console.say("\n\(parts.joined(separator: ", ")).")
  }
}

import Foundation
import StreamImages
import Studio

/// Loads the same pictures again and again, and counts what the cache had of them.
@MainActor
struct Demonstration {
  private let cache = TwoLevelCache()
  private let loader: ImageLoader
  private let urls: [URL]
  private let server: PaintingServer?

  /// - Parameter urls: None for the paintings of the server.
  init(_ urls: [URL], server: PaintingServer?) {
    let isOnLoopback = server != nil
    loader = ImageLoader(
      cache: cache,
      source: ImagePipeline {
        $0.dataLoader = isOnLoopback ? SchemeLoader.withoutProxy : SchemeLoader()
        // Only one cache is to be seen here.
        $0.dataCache = nil
        $0.imageCache = nil
      })
    self.urls = urls
    self.server = server
  }

  func run() async {
    await round("The first time") { await loadEach() }
    await round("Again") { await loadEach() }

    cache.decoded.removeAll()
    await round("Again, when only the bytes are left") { await loadEach() }

    cache.removeAll()
    await round("Twice at the same time, when nothing is left") {
      let both = urls.prefix(1).flatMap { [$0, $0] }
      await both.publisher
        .flatMap { url in loader.loadImage(from: url).map { (url, $0) } }
        .run { url, image in say(image, of: url) }
    }
  }

  private func loadEach() async {
    for url in urls { await loader.loadImage(from: url).run { say($0, of: url) } }
  }

  private func say(_ image: Image?, of url: URL) {
    let size = image.map { "\($0.width) × \($0.height) pixels" } ?? "no image"
    Console.say("  \(url.lastPathComponent.padded(to: -16))  \(size)")
  }

  /// Does something, and says what it took.
  private func round(_ title: String, _ body: () async -> Void) async {
    let (before, requests, start) = (cache.counts, server?.requestCount ?? 0, ContinuousClock.now)
    Console.say("\(title)")
    await body()
    let counts = cache.counts
    var parts = [
      "hits: \(counts.decodedHits - before.decodedHits) decoded, "
        + "\(counts.encodedHits - before.encodedHits) encoded",
      "misses: \(counts.misses - before.misses)",
    ]
    if let server { parts.append("requests: \(server.requestCount - requests)") }
    parts.append("\(start.duration(to: .now).milliseconds.rounded) ms")
    Console.say("  \(parts.joined(separator: " · "))\n")
  }
}

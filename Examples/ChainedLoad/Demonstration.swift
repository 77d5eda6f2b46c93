import Foundation
import StreamImages
import Studio

/// Loads, shows and saves one photograph after the other, and sums up.
@MainActor
struct Demonstration {
  private let options: Options
  private let cache: DataCache
  private let screen = Screen()

  init(_ options: Options) throws {
    self.options = options
    cache =
      if let path = options.cachePath {
        DataCache(directory: URL(fileURLWithPath: path, isDirectory: true))
      } else {
        try DataCache(name: "ChainedLoad")
      }
  }

  /// - Returns: Whether everything was shown and saved.
  func run() async throws -> Bool {
    try await cache.prepare()
    var figures = Figures(in: cache.directory)
    if options.clearsCache {
      await cache.removeAll()
      figures.removeAll()
    }

    let start = ContinuousClock.now
    let server = options.sources.isEmpty ? try PhotographServer() : nil
    defer { server?.stop() }
    let pipeline = pipeline(isOnLoopback: server != nil)
    let album = Album(options.outputPath)

    var summary = Summary()
    for photograph in server?.photographs ?? options.sources.map(Photograph.init) {
      let timeline = await show(photograph, pipeline)
      timeline.compare(with: &figures)
      let isSaved = await album.save(timeline.pictures)
      summary.add(timeline, isSaved: isSaved)
    }

    await pipeline.flush()
    figures.store()
    summary.say(duration: start.duration(to: .now), requestCount: server?.requestCount)
    return summary.isGood
  }

  private func show(_ photograph: Photograph, _ pipeline: ImagePipeline) async -> Timeline {
    let timeline = Timeline(photograph, size: options.size)
    let exhibits = pipeline.exhibits(
      of: photograph, size: options.size, isResizedOnly: options.isResizedOnly)
    await exhibits.run { exhibit in
      timeline.note(exhibit)
      screen.show(exhibit, isLarge: timeline.count > 1)
    }
    timeline.end()
    return timeline
  }

  private func pipeline(isOnLoopback: Bool) -> ImagePipeline {
    let loader = isOnLoopback ? SchemeLoader.withoutProxy : SchemeLoader()

    return ImagePipeline {
      $0.dataLoader = loader
      $0.dataCache = cache
      $0.dataCachePolicy = .storeAll
    }
  }
}

import Foundation
import LoopbackServer
import StreamImages

/// A server, and pipelines that load from it with real loaders, codecs, files and caches.
final class Workshop: Sendable {
  let server: LoopbackServer
  let folder: TemporaryFolder
  let loader: CurlLoader

  fileprivate init() throws {
    server = try LoopbackServer()
    folder = try TemporaryFolder()
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    loader = CurlLoader(configuration)
  }

  var cacheDirectory: URL { folder.url.appending(path: "cache") }

  /// A pipeline with an empty memory, and with what earlier ones have left on disk: a new run of the program.
  func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
    ImagePipeline { configuration in
      configuration.dataLoader = SchemeLoader(network: loader)
      configuration.dataCache = DataCache(directory: cacheDirectory)
      configuration.imageCache = ImageCache(costLimit: 64 << 20)
      configure(&configuration)
    }
  }

  /// The names of all files that a cache has left, locks aside.
  var cachedFiles: [String] {
    let files =
      FileManager.default.enumerator(atPath: cacheDirectory.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".bin") || $0.hasSuffix(".tmp") }.sorted()
  }

  /// How often the server was asked for a path.
  func loads(of path: String) -> Int { server.requests.count { $0.path == path } }
}

/// Runs a test in a workshop that is gone when it is over.
func withWorkshop(_ test: (Workshop) async throws -> Void) async throws {
  try await RealTime.run {
    let workshop = try Workshop()
    defer {
      workshop.loader.invalidate()
      workshop.server.stop()
    }
    try await test(workshop)
  }
}

/// The error of something that should fail; `nil` if it does not.
func imageFailure(
  _ load: () async throws(ImagePipeline.Error) -> some Any
) async -> ImagePipeline.Error? {
  do throws(ImagePipeline.Error) {
    _ = try await load()
    return nil
  } catch {
    return error
  }
}

import Foundation
import StreamImages
import Streams
import Testing

/// What stores images or lets requests share them: a row for each. `use` asks as two visitors, and returns the images
/// that they got, in order.
struct PartitionLayer: Sendable, CustomTestStringConvertible {
  let name: String
  /// The images that two visitors must get: 1 is the first one's, 2 the second one's.
  let right: [UInt8]
  /// The requests that reach the origin. More would mean that the layer was not used.
  let requestCount: Int
  let use: @Sendable (Visit) async throws -> [UInt8]

  var testDescription: String { name }

  init(
    _ name: String, _ right: [UInt8] = [1, 2, 1, 2], requestCount: Int = 2,
    _ use: @escaping @Sendable (Visit) async throws -> [UInt8]
  ) {
    (self.name, self.right, self.requestCount, self.use) = (name, right, requestCount, use)
  }

  static let all: [PartitionLayer] = storing + loading + sharing

  // MARK: What stores images

  private static let storing = [
    PartitionLayer("the memory cache") { visit in
      visit.configuration.imageCache = ImageCache()
      return try await visit.twice()
    },
    PartitionLayer("the encoded memory cache") { visit in
      visit.configuration.dataCache = EncodedMemoryCache(over: nil)
      return try await visit.twice()
    },
    PartitionLayer("the disk cache") { visit in
      visit.configuration.dataCache = visit.disk()
      return try await visit.twice()
    },
    PartitionLayer("layered caches") { visit in
      visit.configuration.dataCache = LayeredDataCache(layers: [EncodedMemoryCache(over: nil), visit.disk()])
      return try await visit.twice()
    },
    PartitionLayer("entries that wait to be written") { visit in
      let latch = Latch()
      defer { latch.open() }
      visit.configuration.dataCache = ScriptedDataCache(error: .diskFull, latch: latch)
      visit.options = []
      return try await visit.twice()
    },
    PartitionLayer("processed images on disk") { visit in
      visit.configuration.dataCache = visit.disk()
      visit.configuration.dataCachePolicy = .storeEncodedImages
      visit.processors = [.resize(width: 16)]
      return try await visit.twice()
    },
    PartitionLayer("encoded images") { visit in
      visit.configuration.dataCache = visit.disk()
      visit.processors = [.resize(width: 16)]
      visit.encoding = .png
      return try await visit.twice()
    },
    PartitionLayer("recently loaded bytes") { visit in
      visit.configuration.recentByteLimit = 1 << 20
      visit.configuration.dataCache = ScriptedDataCache(error: .diskFull)
      visit.processors = [.resize(width: 16)]
      let small = [try await visit.image(1), try await visit.image(2)]
      visit.processors = []
      return small + [try await visit.image(1), try await visit.image(2)]
    },
    PartitionLayer("removal, which takes only one visitor's image", [1, 2, 1, 2], requestCount: 3) { visit in
      visit.configuration.imageCache = ImageCache()
      visit.configuration.dataLoader = visit.httpCache()
      let first = [try await visit.image(1), try await visit.image(2)]
      await visit.pipeline.cache.remove(visit.request(1))
      return first + [try await visit.image(1), try await visit.image(2)]
    },
  ]

  // MARK: Loaders that store responses

  private static let loading = [
    PartitionLayer("the HTTP cache") { visit in
      visit.configuration.dataLoader = visit.httpCache()
      return try await visit.twice()
    },
    PartitionLayer("the HTTP cache, behind a delegate that makes a new request", requestCount: 2) { visit in
      visit.configuration.dataLoader = visit.httpCache()
      visit.configuration.delegate = Rewriting()
      return try await visit.twice()
    },
    PartitionLayer("the HTTP cache, behind a middleware that makes a new request") { visit in
      visit.configuration.dataLoader = visit.httpCache().with(Replacing())
      return try await visit.twice()
    },
    PartitionLayer("the HTTP cache, in front of a body that is revalidated", requestCount: 4) { visit in
      visit.configuration.dataLoader = visit.httpCache("no-cache")
      return try await visit.twice()
    },
    PartitionLayer("the HTTP cache, behind a redirect", requestCount: 4) { visit in
      visit.origin.redirect(to: "https://example.org/elsewhere.png")
      visit.configuration.dataLoader = visit.httpCache()
      return try await visit.twice()
    },
    PartitionLayer("interrupted loads that are resumed", [2, 1], requestCount: 3) { visit in
      visit.configuration.dataLoader = ResumableLoader(visit.origin)
      visit.origin.breakOff()
      _ = try? await visit.image(1)
      return [try await visit.image(2), try await visit.image(1)]
    },
    PartitionLayer("interrupted loads behind an HTTP cache", [2, 1], requestCount: 3) { visit in
      visit.configuration.dataLoader = visit.httpCache(in: ResumableLoader(visit.origin))
      visit.origin.breakOff()
      _ = try? await visit.image(1)
      return [try await visit.image(2), try await visit.image(1)]
    },
  ]

  // MARK: What lets requests share work

  private static let sharing = [
    PartitionLayer("images that are loaded at the same time") { visit in
      await visit.atOnce { pipeline, request in
        pipeline.imagePublisher(with: request).map { owner($0.image) }.replaceError(with: 0)
          .eraseToAnyPublisher()
      }
    },
    PartitionLayer("bytes that are loaded at the same time") { visit in
      await visit.atOnce { pipeline, request in
        pipeline.dataPublisher(with: request).map { owner(of: $0.data) }.replaceError(with: 0)
          .eraseToAnyPublisher()
      }
    },
    PartitionLayer("images that are encoded at the same time") { visit in
      visit.processors = [.resize(width: 16)]
      visit.encoding = .png
      return await visit.atOnce { pipeline, request in
        pipeline.encodedImagePublisher(with: request).map { owner(of: $0.data) }.replaceError(with: 0)
          .eraseToAnyPublisher()
      }
    },
    PartitionLayer("prefetching", [1, 2]) { visit in
      visit.configuration.imageCache = ImageCache()
      let prefetcher = ImagePrefetcher(pipeline: visit.pipeline, maximumConcurrentRequests: 2)
      visit.origin.close()
      for visitor: UInt8 in 1...2 {
        visit.origin.expect(visitor)
        prefetcher.start(with: [visit.request(visitor)])
        if visitor == 1 { await visit.origin.waitForRequests(1) }
      }
      visit.origin.open()
      await until { prefetcher.count == 0 }
      return [try await visit.image(1), try await visit.image(2)]
    },
    PartitionLayer("a view that shows one visitor's image after the other's", [2]) { visit in
      visit.origin.close()
      visit.origin.expect(1)
      let view = await FetchImage(pipeline: visit.pipeline)
      await view.load(visit.request(1))
      await visit.origin.waitForRequests(1)
      visit.origin.expect(2)
      await view.load(visit.request(2))
      visit.origin.open()
      while await view.result == nil { await Task.yield() }
      return [await view.image.map(owner) ?? 0]
    },
  ]
}

/// Signs URLs, and copies only the headers of a request.
private struct Rewriting: ImagePipelineDelegate {
  func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
    DataRequest(url: CarelessOrigin.url, headers: address.headers)
  }
}

/// The same, as a middleware.
private struct Replacing: DataLoadingMiddleware {
  func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    try await next.load(DataRequest(url: request.url, headers: request.headers), limits: limits)
  }
}

import Foundation
import StreamImages
import StreamImagesS3
import StreamImagesTesting
import Testing

@Suite(
  "An object store behind a pipeline", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ObjectStore.python != nil, "Scripts/integrations installs the store for these tests"))
struct S3PipelineTests {
  private let store: ObjectStore

  init() throws { store = try ObjectStore.shared.get() }

  @Test("An image is loaded from an `s3:` URL and from the address of the store")
  func loading() async throws {
    let png = try Pictures.png(8, 4)
    let loader = S3Loader(store.endpoint())
    let url = try #require(URL(string: "s3://thumbnails/ein%20Bild/a.png"))
    var upload = DataRequest(url: url, method: .put)
    upload.body = png
    _ = try await loader.data(for: upload)
    let pipeline = ImagePipeline {
      $0.dataLoader = SchemeLoader(network: loader)
      ($0.imageCache, $0.dataCache) = (nil, nil)
    }

    let image = try await pipeline.image(for: url)
    let same = try await pipeline.image(
      for: store.url.appending(path: "thumbnails/ein Bild/a.png"))

    #expect((image.width, image.height) == (8, 4))
    #expect(image == same)
  }

  @Test("A missing object fails with the status 404, and one that is not allowed with 403")
  func failures() async throws {
    let url = try #require(URL(string: "s3://thumbnails/missing.png"))
    func status(_ credentials: S3Credentials) async -> Int? {
      let pipeline = ImagePipeline {
        $0.dataLoader = SchemeLoader(network: S3Loader(store.endpoint(credentials)))
        ($0.imageCache, $0.dataCache) = (nil, nil)
      }
      do throws(ImagePipeline.Error) { _ = try await pipeline.image(for: url) } catch {
        if case .status(let status, _)? = error.dataLoadingError { return status }
      }
      return nil
    }

    #expect(await status(store.owner) == 404)
    #expect(await status(store.stranger) == 403)
  }

  @Test("A second server finds the thumbnails of the first in the bucket, and loads nothing from the origin")
  func servers() async throws {
    let origin = ScriptedLoader()
    let urls = (0..<8).map { URL(string: "https://photos.example/\($0).png")! }
    for url in urls { origin.answer(url, with: try Pictures.png(16, 8)) }
    let prefix = "\(UUID())/"
    func server() -> ImagePipeline {
      ImagePipeline {
        $0.dataLoader = origin
        $0.imageCache = nil
        $0.dataCache = LayeredDataCache(layers: [
          RecordingDataCache(),
          S3DataCache(bucket: "thumbnails", prefix: prefix, endpoint: store.endpoint(), loader: CurlLoader()),
        ])
      }
    }
    func thumbnail(_ url: URL, _ pipeline: ImagePipeline) async throws -> Data {
      var request = ImageRequest(url: url, processors: [.resize(width: 8)])
      request.encoding = .png
      return try await pipeline.encodedImage(for: request).data
    }
    let (first, second) = (server(), server())

    var expected: [Data] = []
    for url in urls { expected.append(try await thumbnail(url, first)) }
    await first.flush()
    let loads = origin.requests.count
    var found: [Data] = []
    for url in urls { found.append(try await thumbnail(url, second)) }

    #expect(loads == urls.count)
    #expect(origin.requests.count == loads)
    #expect(found == expected)
  }
}

import Foundation
import StreamImages
import Streams
import Testing

/// The visitor whose image this is. JPEG changes its colors a little.
func owner(_ image: Image) -> UInt8 { image.withUnsafeBytes { ($0[2] + 40) / CarelessOrigin.blue } }

func owner(of data: Data) -> UInt8 { (try? ImageDecoder.decode(data)).map(owner) ?? 0 }

/// Two visitors of one URL, and the pipeline that serves both.
final class Visit: @unchecked Sendable {
  let origin: CarelessOrigin
  private let folder: TemporaryFolder
  private let difference: VisitorDifference

  // Set before the pipeline is used, by the test that owns the visit.
  var configuration: ImagePipeline.Configuration
  var processors: [any ImageProcessing] = []
  var encoding: ImageEncoder.Encoding?
  var options: ImageRequest.Options = .waitForStorage
  lazy var pipeline = ImagePipeline(configuration)

  init(telling difference: VisitorDifference) throws {
    (origin, folder, self.difference) = (try CarelessOrigin(), try TemporaryFolder(), difference)
    configuration = ImagePipeline.Configuration()
    configuration.dataLoader = origin
    (configuration.imageCache, configuration.dataCache) = (nil, nil)
    configuration.recentByteLimit = 0
  }

  func disk() -> DataCache { DataCache(directory: folder.url.appending(path: "cache")) }

  func httpCache(_ control: String = "private, max-age=60", in loader: (any DataLoading)? = nil) -> HTTPCache
  {
    origin.add("Cache-Control", control)
    return HTTPCache(loader ?? origin, store: disk())
  }

  func request(_ visitor: UInt8) -> ImageRequest {
    var request = ImageRequest(url: CarelessOrigin.url)
    difference.apply(visitor, &request)
    (request.processors, request.encoding, request.options) = (processors, encoding, options)
    return request
  }

  /// What a visitor gets.
  func image(_ visitor: UInt8) async throws -> UInt8 {
    origin.expect(visitor)
    guard encoding == nil else {
      return owner(of: try await pipeline.encodedImage(for: request(visitor)).data)
    }
    return owner(try await pipeline.image(for: request(visitor)))
  }

  /// What both get, and get again.
  func twice() async throws -> [UInt8] {
    [try await image(1), try await image(2), try await image(1), try await image(2)]
  }

  /// What both get who ask twice, before anything is answered.
  func atOnce(_ ask: (ImagePipeline, ImageRequest) -> AnyPublisher<UInt8, Never>) async -> [UInt8] {
    options = []
    origin.close()
    let answers = Guarded<[Int: UInt8]>([:])
    var subscriptions: Set<AnyCancellable> = []
    for (index, visitor) in zip(0..., [1, 2, 1, 2] as [UInt8]) {
      // From the second one on, only the second visitor may still reach the origin.
      if index < 2 { origin.expect(visitor) }
      ask(pipeline, request(visitor))
        .sink { answer in answers.withLock { $0[index] = answer } }
        .store(in: &subscriptions)
      if index == 0 { await origin.waitForRequests(1) }
    }
    origin.open()
    await until { answers.withLock { $0.count } == 4 }
    return answers.withLock { answers in (0..<4).map { answers[$0] ?? 0 } }
  }
}

/// How the pipeline is told which visitor a request is for.
struct VisitorDifference: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let apply: @Sendable (_ visitor: UInt8, inout ImageRequest) -> Void

  private init(_ name: String, _ apply: @escaping @Sendable (UInt8, inout ImageRequest) -> Void) {
    (testDescription, self.apply) = (name, apply)
  }

  static let all = [
    VisitorDifference("two partitions") { $1.cachePartition = "user \($0)" },
    VisitorDifference("a partition and none") { $1.cachePartition = $0 == 1 ? "user" : nil },
    VisitorDifference("an empty partition and none") { $1.cachePartition = $0 == 1 ? "" : nil },
    VisitorDifference("two normal forms of a partition") { $1.cachePartition = name($0) },
    VisitorDifference("two normal forms of a header value") { $1.address?.headers["X-User"] = name($0) },
    VisitorDifference("two normal forms of a secret") { $1.address?.headers["Cookie"] = "user=\(name($0))" },
  ]

  /// The same characters in different bytes.
  private static func name(_ visitor: UInt8) -> String { visitor == 1 ? "jos\u{E9}" : "jose\u{301}" }
}

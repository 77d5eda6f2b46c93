public import Foundation
package import Interleavings
@_exported public import Streams

// What the explored sources use of the others, as far as they use it. None of it has state that threads share: the
// real types need decoders, a server or the file system.

/// The real one has all parts: here are those that prefetching uses. Images are made by one table of jobs.
public final class ImagePipeline: Sendable {
  public enum Error: Swift.Error, Equatable {
    case cancelled, dataIsEmpty, pipelineInvalidated, other
    case dataLoadingFailed(DataLoadingError)
  }

  public static let shared = ImagePipeline(cached: [])

  let jobs = JobTable<ImageJobKey, EncodedImage>()
  let disk = DiskStage()
  private let cached: Set<String>
  private let work: @Sendable (DynamicPriority) -> AnyPublisher<EncodedImage, Error>

  /// - Parameter cached: The images that are in memory.
  package init(
    cached: Set<String>,
    _ work: @escaping @Sendable (DynamicPriority) -> AnyPublisher<EncodedImage, Error> = { _ in
      Empty().eraseToAnyPublisher()
    }
  ) {
    (self.cached, self.work) = (cached, work)
  }

  func memory(_ request: ImageRequest) -> ImageResponse? {
    cached.contains(request.name) ? ImageResponse(0) : nil
  }

  func hit(_ request: ImageRequest) -> DecodedImage? {
    memory(request) == nil ? nil : DecodedImage(number: 0)
  }

  func prepared(_ request: ImageRequest) -> ImageRequest { request }
  func workForDisk(_ request: ImageRequest) -> WorkForDisk { .data(DataTask(request), isEncoded: false) }
  func makeTask(_ request: ImageRequest) -> ImageTask { ImageTask(request) }

  func run(_ task: ImageTask, _ handle: @escaping @Sendable (ImageTask.Event) -> Void) {
    run(task, handle) { ImageResponse($0.number) }
  }

  func run(
    _ task: DataTask, isEncoded _: Bool, _ handle: @escaping @Sendable (DataTask.Event) -> Void
  ) {
    run(task, handle) { _ in DataResponse() }
  }

  private func run<Response>(
    _ task: LoadingTask<Response>, _ handle: @escaping @Sendable (LoadingTask<Response>.Event) -> Void,
    _ response: @escaping @Sendable (EncodedImage) -> Response
  ) {
    guard task.start(observer: handle) else { return }
    task.begin { priority, run in
      let key = ImageJobKey(task.request)!
      let step = jobs.step(key, for: priority) { [work] priority in FlowStep { work(priority) } }
      step.begin(run) { outcome in
        switch outcome {
        case .failure(let error): task.receive(.finished(.failure(error)))
        case .success(let image):
          let response = response(image)
          task.receive(image.isPreview ? .preview(response) : .finished(.success(response)))
        }
      }
    }
  }
}

struct DiskStage: Sendable {
  func hasAny(of _: ImageRequest) async -> Bool { false }
}

enum WorkForDisk {
  case data(DataTask, isEncoded: Bool)
  case image(ImageTask)
}

/// The real one reads files.
struct DiskFolder: Sendable {
  let read: @Sendable (DataCacheKey) -> CachedData?

  func read(_ key: DataCacheKey) -> CachedData? { read(key) }
}

/// Each processor has a thread: here there is one, so that others are woken only when it blocks.
enum ProcessInfo {
  static let processInfo = (activeProcessorCount: 1, processName: "")
}

func yieldProcessor() {}

/// In place of the runtime's, which starts threads of its own.
var globalConcurrentExecutor: TaskFibers { .shared }

/// The real one has URLs, processors and options.
public struct ImageRequest: Hashable, Sendable {
  public enum Priority: Int, CaseIterable, Comparable, Sendable {
    case veryLow, low, normal, high, veryHigh

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public var url: URL?
  public var priority = Priority.normal
  let name: String

  public init(url: URL?) { self.init(url?.absoluteString ?? "") }

  public init(_ name: String = "image", priority: Priority = .normal) {
    (self.name, self.priority) = (name, priority)
  }
}

/// The real one counts everything that makes requests differ.
public struct ImageJobKey: Hashable, Sendable {
  let name: String
  init?(_ request: ImageRequest) {
    if request.name.isEmpty { return nil }
    name = request.name
  }
}

/// The real one counts the encoding too.
public typealias EncodingJobKey = ImageJobKey

/// The real one is made of hashes.
public struct DataCacheKey: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}

public struct ImageCacheKey: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}

public struct ResourceKey: Hashable, Sendable {}

/// The real one has more cases, which carry the errors of decoders.
public enum DataCacheError: Error, Equatable { case diskFull }

/// The real one has pixels.
public struct DecodedImage: Sendable {
  public let number: Int
  public var isPreview = false
  public var wasCoalesced = false
  public var job: UInt64?
}

/// The real one has where the bytes come from.
public struct EncodedImage: Sendable {
  public var data: Data
  public let number: Int
  public let isPreview: Bool
  public var wasCoalesced = false
  public var job: UInt64?
  package var charge: ByteBudget.Charge?
  /// Whoever receives it looks into it.
  private let content = Sample("an image")
  private let token = Token()

  public init(_ number: Int, isPreview: Bool = false, byteCount: Int = 0) {
    data = Data(count: byteCount)
    (self.number, self.isPreview) = (number, isPreview)
    content.write()
  }

  public func read() { content.read() }
}

/// The real one has headers.
public struct LoadedHead: Sendable, Hashable {
  public var expectedByteCount: Int?
  var url: String { "" }
  public init(expectedByteCount: Int? = nil) { self.expectedByteCount = expectedByteCount }
}

enum Redaction { static func text(of url: String) -> String { url } }

func text(ofSystemError code: Int32) -> String { "\(code)" }

public struct AnyImageDecoder: Sendable {
  public let number: Int
  public init(_ number: Int) { self.number = number }
}

public struct PreviewPolicy: Sendable { public init() {} }

public struct DataResponse: Sendable { let data = Data() }
public struct ImageResponse: Sendable {
  public let number: Int
  let isPreview = false
  let image = Image()
  enum Source { case memory }
  let cacheSource: Source? = nil
  public init(_ number: Int) { self.number = number }
}
public struct Image: Sendable {}
public struct LoadLimits: Sendable { public init() {} }
public struct DataRequest: Sendable {}

extension DataLoadingError { static let lost = DataLoadingError.connectionLost(.idle, reason: "") }

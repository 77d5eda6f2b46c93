import Dispatch
import Foundation
import StreamImages
import StreamImagesTesting
import StreamsExtras

/// How the steps of a model may end.
struct Outcomes: Sendable {
  var read = ["nothing"]
  var load = ["bytes"]
  var decode = ["image"]
  var process = ["image"]
  var encode = ["bytes"]
  var store = ["done"]
}

private struct Failure: Error {}

/// The bytes of each image. The budgets of a model are smaller.
private let bytes = Data([1, 2, 3])
/// Bytes whose header is damaged.
private let damagedBytes = Data([0, 0, 0])
private let image = (try? Pictures.gradient(1, 1))!

/// The parts of a pipeline, each of which waits for an event of its stage.
struct Parts: DataLoading, DataCaching, ImageDecoding, ImageEncoding, ImageProcessing {
  let stage: Stage
  let outcomes: Outcomes
  /// The names of the entries on disk.
  let names: [DataCacheKey: String]

  private func name(_ key: DataCacheKey) -> String { names[key] ?? "a copy" }

  static func name(_ url: URL) -> String { url.absoluteString.replacing("https://", with: "") }

  // MARK: Loading

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let body: Data
    switch await stage.outcome("load \(Self.name(request.url))", of: outcomes.load) {
    case "bytes": body = bytes
    case "damaged bytes": body = damagedBytes
    case "later":
      throw .status(503, head: LoadedHead(status: 503, headers: ["Retry-After": "5"], url: request.url))
    default: throw .status(404, head: LoadedHead(status: 404, url: request.url))
    }
    if Task.isCancelled { throw .cancelled }
    return LoadedData(
      head: LoadedHead(url: request.url, expectedByteCount: body.count), body: BufferedChunks(body))
  }

  func forget(_ request: DataRequest) async {
    _ = await stage.outcome("forget the response of \(Self.name(request.url))")
  }

  // MARK: Caching

  func data(for key: DataCacheKey) async -> CachedData? {
    switch await stage.outcome("read \(name(key))", of: outcomes.read) {
    case "entry": CachedData(bytes)
    case "damaged entry": CachedData(damagedBytes)
    default: nil
    }
  }

  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    if await stage.outcome("store \(name(key))", of: outcomes.store) != "done" {
      throw .encodingFailed(reason: "")
    }
  }

  func contains(_ key: DataCacheKey) async -> Bool { false }
  func remove(_ key: DataCacheKey) async { _ = await stage.outcome("remove \(name(key))") }
  func removeAll() async { _ = await stage.outcome("remove all") }

  // MARK: Computing

  func canDecode(_ data: Data) -> Bool { true }

  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    if data == damagedBytes { throw ImageCodecError.corrupt("header") }
    return 3
  }

  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    switch stage.computedOutcome("decode \(context.request.url.map(Self.name) ?? "")", of: outcomes.decode) {
    case "image": return image
    case "damaged": throw ImageCodecError.truncated
    default: throw ImageCodecError.outOfMemory
    }
  }

  var identifier: String { "part" }

  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
    let name = context.request.url.map(Self.name) ?? ""
    if stage.computedOutcome("process \(name)", of: outcomes.process) != "image" { throw Failure() }
    return image
  }

  func encode(_ image: Image) throws -> Data {
    if stage.computedOutcome("encode", of: outcomes.encode) != "bytes" { throw Failure() }
    return bytes
  }

  /// What a closure of a request returns.
  func supply() async throws -> Image {
    if await stage.outcome("supply", of: outcomes.process) != "image" { throw Failure() }
    return image
  }
}

/// Time passes when an event says so.
struct StageScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  let stage: Stage

  var now: SchedulerTimeType { SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)) }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: DispatchQueue.SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: DispatchQueue.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    nonisolated(unsafe) let action = action  // actions of a scheduler may run on any thread
    stage.add(Self.label) { action() }
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: DispatchQueue.SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    preconditionFailure("Nothing repeats")
  }

  static let label = "~ time passes"
}

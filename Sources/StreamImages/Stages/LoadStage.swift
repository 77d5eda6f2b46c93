package import Foundation
internal import Streams

/// ImageRequest ─▶ EncodedImage, complete and within the limits.
struct LoadStage: Sendable {
  /// Receives progress and previews.
  struct Listener: Sendable {
    /// Receives the progress.
    let report: @Sendable (LoadProgress) -> Void
    /// Receives the bytes so far.
    let show: @Sendable (EncodedImage) -> Void
  }

  let dependencies: ResolvedDependencies
  let limits: LoadLimits
  let conditions: (any NetworkConditions)?
  let queue: WorkQueue
  let hosts: HostQueues
  let limiter: RateLimiter?
  let showsPreviews: Bool
  let store: StoreStage
  let loaded: ByteBudget

  func callAsFunction(
    _ request: ImageRequest, _ priority: DynamicPriority, _ listener: Listener
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    let isOvertaken = CancellationFlag()
    defer { isOvertaken.set() }
    try await waitForRoom(request)
    switch request.source {
    case .missing: throw .dataLoadingFailed(.badURL(""))
    case .address(let address): return try await load(address, request, priority, listener, isOvertaken)
    case .data(let source): return try await collect(source.supply, listener)
    case .image: throw .dataIsEmpty
    }
  }

  /// Delivers the turn of a load once it has its places. Until then there is no task, because thousands may wait.
  func turn(_ request: ImageRequest, _ priority: DynamicPriority) -> FlowStep<LoadTurn> {
    if request.options.contains(.skipDataLoadingQueue) {
      return .just(LoadTurn(LoadTurn.Places()) { .just(LoadTurn.Places()) })
    }
    let places: @Sendable () -> FlowStep<LoadTurn.Places> = { [hosts, queue, host = request.host] in
      hosts.places(host, in: queue, priority)
    }
    return places().map { LoadTurn($0, places) }
  }

  /// Loads an image that a closure supplies.
  func image(
    _ supply: ImageSupply, for request: ImageRequest
  ) async throws(ImagePipeline.Error) -> Image {
    try await waitForRoom(request)
    return try await supplied { try await supply() }
  }

  /// Removes the stored response of bytes that are not a valid image.
  func forget(_ encoded: EncodedImage, for request: ImageRequest) async {
    guard var address = encoded.address else { return }
    let loader = dependencies.dataLoader(for: request)
    await loader.forget(address)
    if let url = encoded.url, url != address.url {
      address.url = url
      await loader.forget(address)
      // A redirect to another origin drops what is secret.
      let headers = HeaderFields(address.headers.filter { !$0.staysWithOrigin })
      guard headers.count < address.headers.count else { return }
      address.headers = headers
      await loader.forget(address)
    }
  }

  private func waitForRoom(_ request: ImageRequest) async throws(ImagePipeline.Error) {
    if request.options.contains(.skipDataLoadingQueue) { return }
    await store.waitForRoom()
    await loaded.waitForRoom()
    if Task.isCancelled { throw .cancelled }
  }

  private func load(
    _ address: DataRequest, _ request: ImageRequest, _ priority: DynamicPriority, _ listener: Listener,
    _ isOvertaken: CancellationFlag
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    var address = address
    if !request.isLocal {
      (address.buffersBody, address.isIncremental) = (true, showsPreviews)
      (address.priority, address.changingPriority) = (priority.current, .init(priority))
      if request.options.isSuperset(of: .reloadIgnoringCachedData), address.headers["Cache-Control"] == nil {
        address.headers["Cache-Control"] = "no-cache"
      }
      if let delegate = dependencies.delegate {
        do { address = try await delegate.willLoad(address, for: request) } catch {
          throw Task.isCancelled ? .cancelled : .requestRefused(error)
        }
        // The delegate may have made a new request.
        if address.cachePartition == nil { address.cachePartition = request.cachePartition }
      }
      if Task.isCancelled { throw .cancelled }
      do throws(DataLoadingError) { try conditions?.check(address) } catch { throw .init(loading: error) }
      try await limiter?.take()
    }
    let origin: ImageOrigin = request.isLocal ? .local : .network
    let (head, data): (LoadedHead, Data)
    do throws(DataLoadingError) {
      let loaded = try await dependencies.dataLoader(for: request).load(address, limits: limits)
      head = loaded.head
      let partial = EncodedImage(Data(), origin: origin, url: head.url, contentType: head.contentType)
      data = try await body(of: loaded, listener) { data in
        var partial = partial
        partial.data = data
        partial.isPreview = true
        partial.isOvertaken = isOvertaken
        listener.show(partial)
      }
    } catch {
      throw Task.isCancelled ? .cancelled : ImagePipeline.Error(loading: error)
    }
    guard !data.isEmpty else { throw .dataIsEmpty }
    var encoded = EncodedImage(data, origin: origin, url: head.url, contentType: head.contentType)
    (encoded.timings, encoded.httpCacheStatus) = (head.timings, head.cacheStatus)
    encoded.fileVersion = head.fileVersion
    if !request.isLocal {
      address.changingPriority = nil
      encoded.address = address
    }
    if head.isContentCoded, !address.allowsContentCoding {
      encoded.contentCoding = head.headers.combined("Content-Encoding")
    }
    return encoded
  }

  /// Loaders enforce limits and detect truncation. A custom loader may not, so both are checked here too.
  private func body(
    of loaded: LoadedData, _ listener: Listener, show: @escaping (Data) -> Void
  ) async throws(DataLoadingError) -> Data {
    if let part = loaded.head.partial, part.bytes.lowerBound > 0 || part.bytes.count != part.total {
      loaded.body.cancel()
      throw .truncated(received: part.bytes.count, expected: part.total)
    }
    let expected = loaded.head.isContentCoded ? nil : loaded.head.expectedByteCount
    var intake = BodyCollector(
      limit: limits.maximumByteCount, expected: expected, report: listener.report,
      show: showsPreviews ? show : nil)
    while let chunk = try await loaded.body.next() {
      do throws(DataLoadingError) { try intake.take(chunk) } catch {
        loaded.body.cancel()
        throw error
      }
    }
    if let expected {
      let received = intake.data.count
      if received > expected { throw .longerThanAnnounced(byteCount: expected) }
      if received < expected { throw .truncated(received: received, expected: expected) }
    }
    return intake.data
  }

  private func collect(
    _ supply: DataSupply, _ listener: Listener
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    let data = try await supplied {
      var intake = BodyCollector(
        limit: limits.maximumByteCount, expected: nil, report: listener.report, show: nil)
      try await supply { chunk in try intake.take(chunk) }
      return intake.data
    }
    guard !data.isEmpty else { throw .dataIsEmpty }
    return EncodedImage(data, origin: .program, url: nil, contentType: nil)
  }

  private func supplied<Value>(
    _ work: () async throws -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    do {
      let value = try await work()
      if Task.isCancelled { throw ImagePipeline.Error.cancelled }
      return value
    } catch let error as DataLoadingError {
      throw Task.isCancelled ? .cancelled : ImagePipeline.Error(loading: error)
    } catch let error as ImagePipeline.Error {
      if Task.isCancelled { throw .cancelled }
      throw error.isCancellation ? .sourceFailed(error) : error
    } catch {
      throw Task.isCancelled ? .cancelled : .sourceFailed(error)
    }
  }
}

/// Collects the bytes of a load, enforces the limit, and reports progress and partial bodies.
package struct BodyCollector {
  package private(set) var data = Data()
  private var shown = 0
  private let limit: Int
  private let expected: Int?
  private let report: (LoadProgress) -> Void
  private let show: ((Data) -> Void)?

  /// - Parameters:
  ///   - expected: The expected number of bytes, if it is known.
  ///   - show: Receives a copy of the bytes so far, at most once for each eighth of the expected number; `nil` if no
  ///     previews are needed.
  package init(
    limit: Int, expected: Int?, report: @escaping (LoadProgress) -> Void, show: ((Data) -> Void)?
  ) {
    self.limit = limit
    self.expected = expected
    self.report = report
    self.show = show
  }

  package mutating func take(_ chunk: Data) throws(DataLoadingError) {
    guard !chunk.isEmpty else { return }
    guard chunk.count <= limit - data.count else { throw .tooLarge(limit: limit, announced: nil) }
    data.append(chunk)
    report(LoadProgress(completed: data.count, total: expected))
    guard let show, let expected, data.count < expected else { return }
    let eighth = Int((Double(data.count) / Double(expected) * 8).rounded(.down))
    guard eighth > shown else { return }
    shown = eighth
    // Copied, because the next append would copy all bytes if they were shared.
    show(data.withUnsafeBytes { Data($0) })
  }
}

/// EncodedImage ─▶ EncodedImage, if the bytes are those that the request expects.
struct CheckStage: Sendable {
  let queue: WorkQueue
  let disk: DiskStage

  func callAsFunction(
    _ encoded: EncodedImage, for request: ImageRequest, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    guard let expected = request.integrity else { return encoded }
    let received = try await queue.run(priority) { _ in Integrity(of: encoded.data) }
    guard received == expected else { throw .integrityMismatch(expected: expected, received: received) }
    return encoded
  }

  /// The same for bytes from the disk. Other bytes are removed.
  func accepts(
    _ encoded: EncodedImage, for request: ImageRequest, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> Bool {
    do throws(ImagePipeline.Error) {
      _ = try await self(encoded, for: request, priority)
      return true
    } catch {
      guard case .integrityMismatch = error else { throw error }
      await disk.forgetOriginal(request)
      return false
    }
  }
}

internal import Foundation
internal import Streams

/// Loads through another loader, and resumes interrupted loads of the same request.
///
/// When a load fails or is cancelled, the bytes received are kept in memory, if the server supports ranges and sent a
/// strong validator. The next load with the same method, URL, headers and credentials requests only the rest. Headers
/// that a cache adds are not compared: `Cache-Control`, `If-None-Match` and `If-Modified-Since`. Range, total size and
/// validator of the response must match, and its URL after redirects, but for the query, which signed URLs change. It
/// must not be compressed. If the content has changed, or the server does not resume, the whole body is loaded again.
///
/// ``LoadedHead/resumedByteCount`` is the number of bytes that were not loaded again. Requests with a range of their
/// own are passed through.
public final class ResumableLoader: DataLoading {
  private let loader: any DataLoading
  private let prefixes: ClockCache<ResourceKey, PartialBody>
  private let maximumPrefixByteCount: Int
  private let permits = StorePermits<ResourceKey?>()

  /// Creates a loader that resumes the loads of another.
  ///
  /// - Parameters:
  ///   - loader: Loads whole bodies and the rest of interrupted ones.
  ///   - byteLimit: The largest total size that is kept. One body may take a quarter of it; larger ones are not kept.
  ///   - countLimit: The largest number of bodies that are kept.
  ///   - lifetime: How long they are kept. An hour by default.
  public convenience init(
    _ loader: any DataLoading, byteLimit: Int = 64 << 20, countLimit: Int = 100,
    lifetime: Duration = .seconds(3600)
  ) {
    self.init(loader, byteLimit: byteLimit, countLimit: countLimit, lifetime: lifetime, now: { .now })
  }

  package init(
    _ loader: any DataLoading, byteLimit: Int, countLimit: Int = 100, lifetime: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.loader = loader
    maximumPrefixByteCount = byteLimit / 4
    prefixes = ClockCache(costLimit: byteLimit, countLimit: countLimit, entryRatio: 0.26, now: now)
    prefixes.setLimits { $0.lifetime = lifetime }
  }

  /// The total size of the kept beginnings.
  public var keptByteCount: Int { prefixes.totals.cost }

  /// Removes all kept beginnings.
  public func removeAll() { prefixes.removeAll() }

  public func forget(_ request: DataRequest) async {
    let key = Self.key(request)
    await permits.remove([key]) {
      await loader.forget(request)
      prefixes.remove(key)
    }
  }

  public func forgetAll() async {
    await permits.remove([nil]) {
      await loader.forgetAll()
      prefixes.removeAll()
    }
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    guard request.method == .get, request.body == nil, request.headers["Range"] == nil,
      request.headers["If-Range"] == nil,
      ["http", "https"].contains(request.url.scheme?.lowercased() ?? "")
    else { return try await loader.load(request, limits: limits) }
    let key = Self.key(request)
    let permit = permits.permit()
    // Taken out of the store: of two concurrent loads, one resumes and the other starts again.
    guard let prefix = prefixes.take(key) else { return try await loadWhole(request, key, permit, limits) }
    return try await resume(from: prefix, request, key, permit, limits)
  }

  /// Without the headers that a cache adds. They do not change the bytes, and whoever calls ``forget(_:)`` does not
  /// know them.
  private static func key(_ request: DataRequest) -> ResourceKey {
    var request = request
    for name in ["Cache-Control", "If-None-Match", "If-Modified-Since"] { request.headers.remove(name) }
    return ResourceKey(request)
  }

  private func loadWhole(
    _ request: DataRequest, _ key: ResourceKey, _ permit: StorePermit<ResourceKey?>,
    _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let loaded = try await loader.load(request, limits: limits)
    return watched(loaded, key, permit, after: nil, limits)
  }

  private func resume(
    from prefix: PartialBody, _ request: DataRequest, _ key: ResourceKey, _ permit: StorePermit<ResourceKey?>,
    _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let size = prefix.total ?? prefix.bytes.count
    guard size <= limits.maximumByteCount else {
      throw .tooLarge(limit: limits.maximumByteCount, announced: prefix.total)
    }
    let loaded: LoadedData
    do throws(DataLoadingError) {
      loaded = try await loader.load(Self.request(request, forRestOf: prefix), limits: limits)
    } catch {
      switch error {
      // A server that gets ranges wrong may get whole bodies right.
      case .protocolViolation: return try await loadWhole(request, key, permit, limits)
      // The request has no validator that the server could confirm.
      case .status(304, _): return try await loadWhole(request, key, permit, limits)
      case .status(404, _), .status(410, _): throw error
      default:
        // The error says nothing about the bytes.
        put(prefix, key, permit)
        throw error
      }
    }
    switch loaded.head.status {
    case 206 where prefix.isContinued(by: loaded.head):
      return watched(loaded, key, permit, after: prefix, limits)
    case 206, 416:
      loaded.body.cancel()
      return try await loadWhole(request, key, permit, limits)
    default: return watched(loaded, key, permit, after: nil, limits)
    }
  }

  private static func request(_ request: DataRequest, forRestOf prefix: PartialBody) -> DataRequest {
    var partial = request
    partial.headers["Range"] = "bytes=\(prefix.bytes.count)-"
    partial.headers["If-Range"] = prefix.validator
    partial.acceptedStatuses.formUnion([206, 416])
    partial.allowsContentCoding = false
    return partial
  }

  private func watched(
    _ loaded: LoadedData, _ key: ResourceKey, _ permit: StorePermit<ResourceKey?>, after prefix: PartialBody?,
    _ limits: LoadLimits
  ) -> LoadedData {
    var head = loaded.head
    let total: Int?
    if let prefix {
      total = loaded.head.partial?.total ?? prefix.total
      (head.status, head.headers, head.partial) = (200, prefix.head.headers, nil)
      (head.expectedByteCount, head.resumedByteCount) = (total, prefix.bytes.count)
    } else {
      total = loaded.head.expectedByteCount
    }
    let body = ResumedChunks(
      loaded.body, after: prefix?.bytes, limit: limits.maximumByteCount, keptByteCount: maximumPrefixByteCount
    ) { [self, head] bytes in
      if let prefix = PartialBody(bytes, of: head, total: total) { put(prefix, key, permit) }
    }
    return LoadedData(head: head, body: body)
  }

  private func put(_ prefix: PartialBody, _ key: ResourceKey, _ permit: StorePermit<ResourceKey?>) {
    permit.write(to: key) { prefixes.insert(prefix, for: key, cost: prefix.bytes.count) }
  }
}

internal import Foundation
internal import Streams

/// Loads through another loader, and goes on where an earlier load of the same request broke off.
///
/// What came before a failure or a cancellation is kept in memory, if the server takes ranges and named a strong
/// validator. The next load of the same method, URL, headers and credentials asks for the rest only, and what it gets is
/// believed only if it says that it is that very rest: range, total and validator are compared, a compressed part is
/// refused. If the server has something else by now, or does not want to, the whole is loaded anew, once.
///
/// ``LoadedHead/resumedByteCount`` says how much was here. Requests with a range of their own pass through.
public final class ResumableLoader: DataLoading {
  private let loader: any DataLoading
  private let prefixes: Clock<ResourceKey, Prefix>
  private let maximumPrefixByteCount: Int
  private let permits = StorePermits<ResourceKey>()

  /// A loader that goes on where another broke off.
  ///
  /// - Parameters:
  ///   - loader: What is asked for the whole, or for the rest.
  ///   - byteLimit: Of all that is kept. One body may take a quarter of it; of larger ones nothing is kept.
  ///   - countLimit: How many beginnings are kept.
  ///   - lifetime: How long they are kept. An hour by default.
  public convenience init(
    _ loader: any DataLoading, byteLimit: Int = 64 << 20, countLimit: Int = 100,
    lifetime: Duration = .seconds(3600)
  ) {
    self.init(loader, byteLimit: byteLimit, countLimit: countLimit, lifetime: lifetime, now: { .now })
  }

  package init(
    _ loader: any DataLoading, byteLimit: Int = 64 << 20, countLimit: Int = 100,
    lifetime: Duration = .seconds(3600), now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.loader = loader
    maximumPrefixByteCount = byteLimit / 4
    prefixes = Clock(costLimit: byteLimit, countLimit: countLimit, entryRatio: 0.26, now: now)
    prefixes.setLimits { $0.lifetime = lifetime }
  }

  /// How much is kept of bodies that broke off.
  public var keptByteCount: Int { prefixes.totals.cost }

  /// Forgets all beginnings.
  public func removeAll() { prefixes.removeAll() }

  public func forget(_ request: DataRequest) async {
    let key = ResourceKey(request, id: nil, partition: nil)
    await permits.revoke { $0 == key }
    prefixes.remove(key)
    await loader.forget(request)
  }

  public func forgetAll() async {
    await permits.revoke { _ in true }
    prefixes.removeAll()
    await loader.forgetAll()
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    guard request.method == .get, request.body == nil, request.headers["Range"] == nil,
      request.headers["If-Range"] == nil,
      ["http", "https"].contains(request.url.scheme?.lowercased() ?? "")
    else { return try await loader.load(request, limits: limits) }
    let key = ResourceKey(request, id: nil, partition: nil)
    let permit = permits.permit()
    // Out of the store: of two loads at once, one goes on and the other begins anew.
    guard let prefix = prefixes.take(key) else { return try await loadWhole(request, key, permit, limits) }
    return try await goOn(from: prefix, request, key, permit, limits)
  }

  private func loadWhole(
    _ request: DataRequest, _ key: ResourceKey, _ permit: StorePermit<ResourceKey>,
    _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let loaded = try await loader.load(request, limits: limits)
    return watched(loaded, key, permit, after: nil, limits)
  }

  private func goOn(
    from prefix: Prefix, _ request: DataRequest, _ key: ResourceKey, _ permit: StorePermit<ResourceKey>,
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
      // What a server says about ranges, and gets wrong, it may get right without.
      case .protocolViolation: return try await loadWhole(request, key, permit, limits)
      // The request has no validator that this could be about.
      case .status(304, _): return try await loadWhole(request, key, permit, limits)
      case .status(404, _), .status(410, _): throw error
      default:
        // Nothing was said about the bytes.
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

  private static func request(_ request: DataRequest, forRestOf prefix: Prefix) -> DataRequest {
    var partial = request
    partial.headers["Range"] = "bytes=\(prefix.bytes.count)-"
    partial.headers["If-Range"] = prefix.validator
    partial.acceptedStatuses.formUnion([206, 416])
    partial.allowsContentCoding = false
    return partial
  }

  private func watched(
    _ loaded: LoadedData, _ key: ResourceKey, _ permit: StorePermit<ResourceKey>, after prefix: Prefix?,
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
      if let prefix = Prefix(bytes, of: head, total: total) { put(prefix, key, permit) }
    }
    return LoadedData(head: head, body: body)
  }

  private func put(_ prefix: Prefix, _ key: ResourceKey, _ permit: StorePermit<ResourceKey>) {
    permit.write(to: key) { prefixes.insert(prefix, for: key, cost: prefix.bytes.count) }
  }
}

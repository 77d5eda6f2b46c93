internal import Foundation
internal import Streams

/// Loads through another loader and stores its responses, as RFC 9111 allows a private cache.
///
/// ```swift
/// configuration.dataLoader = SchemeLoader(network: HTTPCache(CurlLoader.shared))
/// configuration.dataCache = nil
/// ```
///
/// - Fresh responses need no network, unless a `Cache-Control` demands it. Stale ones are revalidated if they have a
///   validator; a 304 response transfers only a head.
/// - Supports `Cache-Control` of requests and responses, `Age`, `Expires`, `Vary`, heuristic freshness,
///   `stale-while-revalidate` and `stale-if-error` (RFC 5861), and `immutable` (RFC 8246). ``LoadedHead/cacheStatus``
///   reports what was done.
/// - Responses are not shared between users: keys contain ``DataRequest/cachePartition``, or a hash of the credentials.
/// - Redirects are stored as responses of their own. A temporary one without a lifetime is requested each time.
/// - A response is stored once its body was read to the end, before the end is delivered.
///
/// Only GET requests are cached. Another request, except HEAD, removes the responses stored for its URL and partition
/// (RFC 9111 section 4.4), unless it is answered with an error status or fails before it reaches the server. Requests
/// with a range, with a validator of their own, or with a scheme other than `http` and `https` are passed through. The
/// store may be the disk cache of a pipeline, because their keys never collide.
public final class HTTPCache: DataLoading {
  /// How the lifetime of responses is decided.
  public enum Policy: Sendable, Hashable {
    /// By the server and the request.
    case respectingHTTP
    /// Every 200 response is fresh until this age, unless it has `no-store` or `Vary: *`.
    case overriding(Duration)
    /// Every 200 response is fresh for ever, unless it has `no-store` or `Vary: *`.
    case ignoringHTTP
  }

  let loader: any DataLoading
  let responses: ResponseStore
  let policy: Policy
  let maximumEntryByteCount: Int
  /// In seconds since 1970.
  let now: @Sendable () -> Int
  let permits = StorePermits<DataCacheKey?>()
  private let revalidations = Guarded<[DataCacheKey: Task<Void, Never>]>([:])

  /// Creates a cache in front of a loader.
  ///
  /// - Parameters:
  ///   - loader: Loads what is not stored, and revalidates stale responses.
  ///   - store: Stores the responses. Other caches and pipelines may use it too, because keys never collide.
  ///   - policy: How the lifetime of responses is decided.
  ///   - maximumEntryByteCount: Larger bodies are not stored.
  ///   - onStorageError: Called on any thread when a response cannot be stored. Loading continues.
  public convenience init(
    _ loader: any DataLoading, store: any DataCaching = DataCache.shared, policy: Policy = .respectingHTTP,
    maximumEntryByteCount: Int = 16 << 20, onStorageError: (@Sendable (DataCacheError) -> Void)? = nil
  ) {
    self.init(
      loader, store: store, policy: policy, maximumEntryByteCount: maximumEntryByteCount,
      onStorageError: onStorageError, now: { wallClock() / 1_000_000_000 })
  }

  package init(
    _ loader: any DataLoading, store: any DataCaching, policy: Policy, maximumEntryByteCount: Int = 16 << 20,
    onStorageError: (@Sendable (DataCacheError) -> Void)? = nil, now: @escaping @Sendable () -> Int
  ) {
    self.loader = loader
    self.policy = policy
    self.maximumEntryByteCount = maximumEntryByteCount
    self.now = now
    responses = ResponseStore(cache: store, onError: onStorageError)
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    guard Self.concerns(request), !HTTPCacheControl(request.headers).has("no-store") else {
      return try await passOn(request, limits)
    }
    return request.allowsRedirects
      ? try await loadThroughRedirects(request, limits) : try await loadOnce(request, limits)
  }

  /// Loads without the store. A request that may have changed something invalidates what is stored, even if the load
  /// fails later.
  private func passOn(
    _ request: DataRequest, _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let loaded: LoadedData
    do throws(DataLoadingError) { loaded = try await loader.load(request, limits: limits) } catch {
      if !request.method.isSafe { await invalidate(request, after: error) }
      throw error
    }
    if !request.method.isSafe { await invalidate(request, answeredWith: loaded.head) }
    return loaded
  }

  private func invalidate(_ request: DataRequest, after error: DataLoadingError) async {
    switch error {
    case .status(_, let head)
    where !head.wasRedirected && CanonicalURL(head.url).text == CanonicalURL(request.url).text:
      await invalidate(request, answeredWith: head)
    case .badURL, .unsupportedScheme, .invalidHeader, .hostRefused, .networkUnavailable: break
    case _ where error.cameBeforeTheServer: break
    // Without a response, or behind a redirect. The server may have changed something.
    default: await invalidate(request)
    }
  }

  /// Returns one response, which may be a redirect.
  func loadOnce(_ request: DataRequest, _ limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let asked = HTTPCacheControl(request.headers)
    let permit = permits.permit()
    let found = await responses.find(request)
    if let response = found.response, response.suffices(for: request) {
      switch Reuse(response, for: asked, policy, now: now()) {
      case .now:
        let isFresh = Freshness(response, policy, now: now()).isFresh
        return try serve(response, isFresh ? .hit : .stale, request, limits)
      case .nowAndValidate:
        validateLater(request, found, permit, limits)
        return try serve(response, .staleWhileRevalidating, request, limits)
      case .afterValidation: break
      }
    }
    if asked.has("only-if-cached") { throw .status(504, head: LoadedHead(status: 504, url: request.url)) }
    return try await fetch(request, found, permit, limits)
  }

  /// Removes the stored responses for a request. Call it when a PUT, POST, PATCH or DELETE that this cache does not
  /// see has changed the URL.
  ///
  /// Pass the head of the response to that request as `head`. An error status removes nothing. URLs of the same origin
  /// in `Location` and `Content-Location` are removed too. Loads in flight of all these are not stored.
  public func invalidate(_ request: DataRequest, answeredWith head: LoadedHead? = nil) async {
    guard head.map({ (200..<400).contains($0.status) }) ?? true else { return }
    await removeStored(request)
    let base = URIReference(request.url.absoluteString)
    for name in ["Location", "Content-Location"] {
      guard let text = head?.headers[name] else { continue }
      let target = URIReference(text).resolved(against: base)
      guard let origin = Origin(target), origin == Origin(base), let url = URL(string: target.text) else {
        continue
      }
      var other = request
      other.url = url
      await removeStored(other)
    }
  }

  private func removeStored(_ request: DataRequest) async {
    let key = ResponseStore.key(request)
    await permits.remove([key]) { await responses.remove(request) }
  }

  /// Removes the stored responses for a request, and for the redirects that follow it. Loads in flight are not stored.
  ///
  /// Only stored redirects are followed; a temporary redirect that must not be stored is not known here.
  public func forget(_ request: DataRequest) async {
    let limits = LoadLimits()
    var step = request
    var chain = try? RedirectChain(request, limits: limits)
    while true {
      let key = ResponseStore.key(step)
      var location: String?
      await permits.remove([key]) {
        await loader.forget(step)
        // In another task, because a cancelled one could read nothing.
        let found = await Task { [responses, step] in await responses.find(step) }.value
        location = found.response?.headers["Location"]
        await responses.remove(step)
      }
      guard let location, let here = chain else { break }
      chain = try? here.following(location)
      guard let chain, let url = URL(string: chain.target) else { break }
      (step.url, step.headers) = (url, chain.headers)
    }
  }

  /// Removes everything in the store, also the entries of other owners. Loads in flight are not stored.
  public func forgetAll() async {
    await permits.remove([nil]) {
      await loader.forgetAll()
      await responses.cache.removeAll()
    }
  }

  /// Waits for the responses that are being revalidated in the background.
  public func flush() async {
    for task in revalidations.withLock({ Array($0.values) }) { await task.value }
  }

  /// Returns a stored response, within the limits, which may be lower than when it was stored.
  func serve(
    _ response: StoredResponse, _ status: CacheStatus, _ request: DataRequest, _ limits: LoadLimits
  ) throws(DataLoadingError) -> LoadedData {
    let age = Freshness(response, policy, now: now()).age
    let head = response.head(age: age, status)
    guard request.acceptedStatuses.contains(response.status) else {
      throw .status(response.status, head: head)
    }
    guard response.body.count <= limits.maximumByteCount else {
      throw .tooLarge(limit: limits.maximumByteCount, announced: response.body.count)
    }
    return LoadedData(head: head, body: BufferedChunks(response.body))
  }

  /// Revalidates in the background, once at a time for each key.
  private func validateLater(
    _ request: DataRequest, _ found: ResponseStore.Found, _ permit: StorePermit<DataCacheKey?>,
    _ limits: LoadLimits
  ) {
    revalidations.withLock { revalidations in
      guard revalidations[found.key] == nil else { return }
      revalidations[found.key] = Task.detached { [self] in
        // The response is stored while it is read. A failure is left to the next request.
        if let loaded = try? await fetch(request, found, permit, limits) {
          while let chunk = try? await loaded.body.next(), !chunk.isEmpty {}
        }
        _ = self.revalidations.withLock { $0.removeValue(forKey: found.key) }
      }
    }
  }
}

// MARK: Requests

extension HTTPCache {
  fileprivate static func concerns(_ request: DataRequest) -> Bool {
    let own = ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
    return request.method == .get && request.body == nil
      && ["http", "https"].contains(request.url.scheme?.lowercased() ?? "")
      && own.allSatisfy { request.headers[$0] == nil }
  }

  /// Whether a response may be stored although its headers contain no lifetime.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414].contains(status)
  }
}

/// How an ``HTTPCache`` produced a response.
public enum CacheStatus: Sendable, Hashable {
  /// No stored response could be used. The server sent this response.
  case miss
  /// The stored response was fresh.
  case hit
  /// The server confirmed the stored response.
  case revalidated
  /// The stored response was stale. It is being revalidated in the background.
  case staleWhileRevalidating
  /// The server could not be reached or failed, and the stored response is used instead.
  case staleAfterError
  /// The stored response was stale, and the request accepts that.
  case stale
}

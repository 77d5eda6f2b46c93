internal import Foundation
internal import Streams

/// Loads through another loader, and keeps its answers as RFC 9111 allows a private cache to.
///
/// ```swift
/// configuration.dataLoader = SchemeLoader(network: HTTPCache(CurlLoader.shared))
/// configuration.dataCache = nil
/// ```
///
/// - Fresh answers need no network. Stale ones are asked about with their validators; a 304 costs a head.
/// - Knows `Cache-Control` of both sides, `Age`, `Expires`, `Vary`, heuristic freshness, `stale-while-revalidate` and
///   `stale-if-error` (RFC 5861), `immutable` (RFC 8246). ``LoadedHead/cacheStatus`` says what was done.
/// - Users do not see each other's answers: keys contain a hash of the credentials of the request.
/// - Redirects are answers of their own: one that is temporary is asked about each time, wherever it leads.
/// - An answer is stored when its body was pulled to the end, before the end is handed out.
///
/// GET only; what changes something on the server (RFC 9111 section 4.4) makes it forget what it has of that URL.
/// Requests with a range, with a validator of their own, or of another scheme than `http` and `https` pass
/// through. The store may be the one that a pipeline keeps its pictures in: keys never meet.
public final class HTTPCache: DataLoading {
  /// Who decides how long an answer is good for.
  public enum Policy: Sendable, Hashable {
    /// The server, and the request.
    case respectingHTTP
    /// Everything that was answered with 200 is good for so long; only `no-store` still counts.
    case overriding(Duration)
    /// Everything that was answered with 200 is good for ever; only `no-store` still counts.
    case ignoringHTTP
  }

  let loader: any DataLoading
  let shelf: ResponseShelf
  let policy: Policy
  let maximumEntryByteCount: Int
  /// In seconds since 1970.
  let now: @Sendable () -> Int
  let permits = StorePermits<DataCacheKey>()
  private let errands = Guarded<[DataCacheKey: Task<Void, Never>]>([:])

  /// A cache in front of a loader.
  ///
  /// - Parameters:
  ///   - loader: What is asked for what is not here, and whether what is stale still holds.
  ///   - store: Where answers are kept. Other caches and pipelines may use the same: keys never meet.
  ///   - policy: Who decides how long an answer is good for.
  ///   - maximumEntryByteCount: Larger bodies are not kept.
  ///   - onStorageError: Called, on any thread, when an answer could not be kept. Loading goes on without.
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
    shelf = ResponseShelf(store: store, onError: onStorageError)
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    guard Self.concerns(request), !CacheControl(request.headers).has("no-store") else {
      let loaded = try await loader.load(request, limits: limits)
      if !request.method.isSafe { await invalidate(Self.reading(request), answeredWith: loaded.head) }
      return loaded
    }
    return request.allowsRedirects
      ? try await loadThroughRedirects(request, limits) : try await loadOnce(request, limits)
  }

  /// One answer, which may be a redirect.
  func loadOnce(_ request: DataRequest, _ limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let asked = CacheControl(request.headers)
    let permit = permits.permit()
    let found = await shelf.find(request)
    if let response = found.response, response.hasBody || !request.acceptedStatuses.contains(response.status)
    {
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

  /// Forgets what is stored for a request, as has to be done when its URL was changed by a PUT, POST, PATCH or DELETE
  /// that this cache does not see.
  ///
  /// `head` is what that request was answered with. An error changes nothing; `Location` and `Content-Location`, if they
  /// are of the same origin, are forgotten too.
  public func invalidate(_ request: DataRequest, answeredWith head: LoadedHead? = nil) async {
    guard head.map({ (200..<400).contains($0.status) }) ?? true else { return }
    await shelf.remove(request)
    let base = URIReference(request.url.absoluteString)
    for name in ["Location", "Content-Location"] {
      guard let text = head?.headers[name] else { continue }
      let target = URIReference(text).resolved(against: base)
      guard let origin = Origin(target), origin == Origin(base), let url = URL(string: target.text) else {
        continue
      }
      var other = request
      other.url = url
      await shelf.remove(other)
    }
  }

  /// Removes what is stored for a request, for where it was redirected to, and what of them is on its way.
  ///
  /// Of redirects, it follows those that are stored: temporary ones that a server forbids to store lead nowhere here.
  public func forget(_ request: DataRequest) async {
    let limits = LoadLimits()
    var step = request
    var journey = try? Journey(request, limits: limits)
    while true {
      let key = ResponseShelf.key(step)
      await permits.revoke { $0 == key }
      let found = await shelf.find(step)
      await shelf.remove(step)
      guard let location = found.response?.headers["Location"], let here = journey else { break }
      journey = try? here.following(location)
      guard let journey, let url = URL(string: journey.target) else { break }
      (step.url, step.headers) = (url, journey.headers)
    }
    await loader.forget(request)
  }

  /// Empties the store, whoever uses it, and has what is on its way not kept.
  public func forgetAll() async {
    await permits.revoke { _ in true }
    await shelf.store.removeAll()
    await loader.forgetAll()
  }

  /// Waits until nobody is being asked behind the program's back.
  public func flush() async {
    for task in errands.withLock({ Array($0.values) }) { await task.value }
  }

  /// An answer made of a stored one, within the limits, which may have shrunk.
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

  /// One at a time for each key.
  private func validateLater(
    _ request: DataRequest, _ found: ResponseShelf.Found, _ permit: StorePermit<DataCacheKey>,
    _ limits: LoadLimits
  ) {
    errands.withLock { errands in
      guard errands[found.key] == nil else { return }
      errands[found.key] = Task.detached { [self] in
        // What it brings is stored; what goes wrong will be seen by the next who asks.
        if let loaded = try? await fetch(request, found, permit, limits) {
          while let chunk = try? await loaded.body.next(), !chunk.isEmpty {}
        }
        _ = self.errands.withLock { $0.removeValue(forKey: found.key) }
      }
    }
  }
}

// MARK: What it deals with

extension HTTPCache {
  fileprivate static func concerns(_ request: DataRequest) -> Bool {
    let own = ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
    return request.method == .get && request.body == nil
      && ["http", "https"].contains(request.url.scheme?.lowercased() ?? "")
      && own.allSatisfy { request.headers[$0] == nil }
  }

  /// The request whose answer may have changed by this one.
  fileprivate static func reading(_ request: DataRequest) -> DataRequest {
    var reading = request
    (reading.method, reading.body) = (.get, nil)
    return reading
  }

  /// What may be kept although nothing says for how long.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414].contains(status)
  }
}

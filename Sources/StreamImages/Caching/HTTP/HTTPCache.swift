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
/// - An answer is stored when its body was pulled to the end, before the end is handed out.
///
/// GET only; requests with a range, with a validator of their own, or of another scheme than `http` and `https` pass
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
  private let errands = Guarded<[DataCacheKey: Task<Void, Never>]>([:])

  /// - Parameters:
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
    let asked = CacheControl(request.headers)
    guard Self.concerns(request), !asked.has("no-store") else {
      return try await loader.load(request, limits: limits)
    }
    let found = await shelf.find(request)
    if let response = found.response, response.hasBody || !request.acceptedStatuses.contains(response.status)
    {
      switch Reuse(response, for: asked, policy, now: now()) {
      case .now:
        let isFresh = Freshness(response, policy, now: now()).isFresh
        return try serve(response, isFresh ? .hit : .stale, request, limits)
      case .nowAndValidate:
        validateLater(request, found, limits)
        return try serve(response, .staleWhileRevalidating, request, limits)
      case .afterValidation: break
      }
    }
    if asked.has("only-if-cached") { throw .status(504, head: LoadedHead(status: 504, url: request.url)) }
    return try await fetch(request, found, limits)
  }

  /// Forgets what is stored for a request, as has to be done when its URL was changed by a request that this cache
  /// does not see: a PUT, POST, PATCH or DELETE.
  ///
  /// - Parameter head: What that request was answered with. An error changes nothing; `Location` and
  ///   `Content-Location`, if they are of the same origin, are forgotten too.
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

  /// Waits until nobody is being asked behind the program's back.
  public func flush() async {
    for task in errands.withLock({ Array($0.values) }) { await task.value }
  }

  private func serve(
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
  private func validateLater(_ request: DataRequest, _ found: ResponseShelf.Found, _ limits: LoadLimits) {
    errands.withLock { errands in
      guard errands[found.key] == nil else { return }
      errands[found.key] = Task.detached { [self] in
        // What it brings is stored; what goes wrong will be seen by the next who asks.
        if let loaded = try? await fetch(request, found, limits) {
          while let chunk = try? await loaded.body.next(), !chunk.isEmpty {}
        }
        _ = self.errands.withLock { $0.removeValue(forKey: found.key) }
      }
    }
  }
}

// MARK: Asking the server

extension HTTPCache {
  private func fetch(
    _ request: DataRequest, _ found: ResponseShelf.Found, _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let conditional = Self.conditional(request, found)
    let requestTime = now()
    let loaded: LoadedData
    do throws(DataLoadingError) { loaded = try await loader.load(conditional, limits: limits) } catch {
      return try await substitute(for: error, request, found, limits, requestTime)
    }
    if loaded.head.status == 304, !request.acceptedStatuses.contains(304) {
      loaded.body.cancel()
      guard let confirmed = await shelf.confirm(loaded.head, found, requestTime, now()) else {
        // It confirms what is not here, or not here any more: then the whole answer is wanted.
        return try await fetch(request, ResponseShelf.Found(key: found.key), limits)
      }
      return try serve(confirmed, .revalidated, request, limits)
    }
    var answer = loaded
    answer.head.cacheStatus = .miss
    guard mayKeep(loaded.head, request) else {
      // What was stored is no longer what the server would say.
      if found.response != nil { await shelf.remove(request) }
      return answer
    }
    return keeping(answer, request, found, requestTime)
  }

  /// A stored answer instead of an error, or the error, which may be worth keeping itself.
  private func substitute(
    for error: DataLoadingError, _ request: DataRequest, _ found: ResponseShelf.Found, _ limits: LoadLimits,
    _ requestTime: Int
  ) async throws(DataLoadingError) -> LoadedData {
    if let response = found.response, error.isOutage,
      Reuse.standsIn(response, for: CacheControl(request.headers), policy, now: now())
    {
      return try serve(response, .staleAfterError, request, limits)
    }
    if case .status(let status, let head) = error, [404, 410].contains(status), mayKeep(head, request) {
      let response = StoredResponse(head, body: nil, requestTime: requestTime, responseTime: now())
      await shelf.put(response, for: request, found)
    }
    throw error
  }

  private func keeping(
    _ loaded: LoadedData, _ request: DataRequest, _ found: ResponseShelf.Found, _ requestTime: Int
  ) -> LoadedData {
    let (head, responseTime) = (loaded.head, now())
    let body = KeptChunks(loaded.body, limit: maximumEntryByteCount) { [shelf] body in
      let response = StoredResponse(head, body: body, requestTime: requestTime, responseTime: responseTime)
      await shelf.put(response, for: request, found)
    }
    return LoadedData(head: head, body: body)
  }

  private func mayKeep(_ head: LoadedHead, _ request: DataRequest) -> Bool {
    // A coding that was not asked for is not ours to undo, and the next who asks may not know it.
    guard !head.isContentCoded || request.allowsContentCoding else { return false }
    let response = StoredResponse(head, body: nil, requestTime: now(), responseTime: now())
    let control = response.control
    guard !control.has("no-store"), response.varying != nil else { return false }
    guard policy == .respectingHTTP else { return head.status == 200 }
    guard head.status != 206, head.status != 304, (200..<500).contains(head.status) else { return false }
    let isExplicit = control.has("max-age") || response.headers["Expires"] != nil || control.has("public")
    guard isExplicit || Self.isHeuristicallyCacheable(head.status) else { return false }
    // Without one of these it would never be of use.
    let isUseful = Freshness(response, policy, now: now()).lifetime > 0 || response.hasValidator
    return isUseful || control.has("stale-while-revalidate") || control.has("stale-if-error")
  }

  private static func conditional(_ request: DataRequest, _ found: ResponseShelf.Found) -> DataRequest {
    var conditional = request
    let known = found.response?.hasBody == true ? found.response : nil
    let tags = ([known?.entityTag?.text].compactMap(\.self) + found.otherTags)
    guard !tags.isEmpty || known?.hasValidator == true else { return request }
    if !tags.isEmpty { conditional.headers["If-None-Match"] = tags.joined(separator: ", ") }
    if let modified = known?.headers["Last-Modified"] { conditional.headers["If-Modified-Since"] = modified }
    conditional.acceptedStatuses.insert(304)
    return conditional
  }

  private static func concerns(_ request: DataRequest) -> Bool {
    let own = ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
    return request.method == .get && ["http", "https"].contains(request.url.scheme?.lowercased() ?? "")
      && own.allSatisfy { request.headers[$0] == nil }
  }

  /// What may be kept although nothing says for how long.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414].contains(status)
  }
}

extension DataLoadingError {
  /// Whether the server is there, and well, or not.
  fileprivate var isOutage: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .connectionLost, .timedOut, .tls: true
    case .status(let status, _): (500...599).contains(status)
    default: false
    }
  }
}
